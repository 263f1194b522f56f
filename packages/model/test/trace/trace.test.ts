import { describe, expect, test } from 'vitest';
import type { Action, Computation } from '../../src/trace/computation.js';
import { comesBefore, hasCycle, shortestHappensBeforeCycle } from '../../src/trace/cycle.js';
import { buildTrace, relationBetween, type Trace } from '../../src/trace/trace.js';

const x = 10;
const y = 11;

/** Returns functions that make actions of a thread; the transitions do not matter. */
function actionsOf(thread: number) {
  const at = { thread, transition: 0 };
  return {
    issue: (address: number, value = 1): Action => ({ ...at, kind: 'issue', address, value }),
    store: (address: number, value = 1): Action => ({ ...at, kind: 'store', address, value }),
    load: (address: number, value = 0): Action => ({
      ...at,
      kind: 'load',
      address,
      value,
      early: false,
    }),
    early: (address: number, value = 1): Action => ({
      ...at,
      kind: 'load',
      address,
      value,
      early: true,
    }),
    rmw: (address: number, value: number, written?: number): Action => ({
      ...at,
      kind: 'rmw',
      address,
      value,
      ...(written !== undefined && { written }),
    }),
    fence: { ...at, kind: 'fence' } satisfies Action,
    local: { ...at, kind: 'local' } satisfies Action,
  };
}

const a = actionsOf(0);
const b = actionsOf(1);
const c = actionsOf(2);

/** Returns all related pairs of nodes of the trace, such as `0 po 1`. */
function relations(trace: Trace): string[] {
  return trace.nodes.flatMap((_, from) =>
    trace.nodes.flatMap((__, to) => {
      const relation = relationBetween(trace, from, to, 'standard');
      return relation ? [`${from} ${relation} ${to}`] : [];
    }),
  );
}

describe('the nodes of a trace', () => {
  test('are the memory accesses in the order of their issue; an issue and its store are one', () => {
    const trace = buildTrace([
      a.issue(x),
      a.local,
      b.load(y),
      a.load(y),
      a.store(x),
      a.fence,
      b.rmw(x, 1, 2),
    ]);
    expect(trace.nodes).toEqual([
      { thread: 0, address: x, issuedAt: 0, written: 1, storedAt: 4 },
      { thread: 1, address: y, issuedAt: 2, read: 0 },
      { thread: 0, address: y, issuedAt: 3, read: 0 },
      { thread: 1, address: x, issuedAt: 6, read: 1, written: 2, storedAt: 6, source: 0 },
    ]);
  });

  test('a store that never reaches memory has no place in the store order', () => {
    const trace = buildTrace([a.issue(x, 1), b.issue(x, 2), b.store(x, 2), b.load(x, 2)]);
    expect(trace.nodes[0]).toEqual({ thread: 0, address: x, issuedAt: 0, written: 1 });
    expect(relations(trace)).toEqual(['1 po 2']);
  });

  test('stores leave the buffer first in, first out', () => {
    const trace = buildTrace([
      a.issue(x, 1),
      a.issue(y, 2),
      a.issue(x, 3),
      a.store(x, 1),
      b.load(x, 1),
      a.store(y, 2),
      a.store(x, 3),
    ]);
    expect(trace.nodes.map(({ storedAt }) => storedAt)).toEqual([3, 5, 6, undefined]);
    expect(relationBetween(trace, 0, 3, 'standard')).toBe('src');
    expect(relationBetween(trace, 3, 2, 'standard')).toBe('cf');
  });

  test('a failing cas reads only', () => {
    const trace = buildTrace([a.rmw(x, 0), b.issue(x), b.store(x)]);
    expect(trace.nodes[0]).toEqual({ thread: 0, address: x, issuedAt: 0, read: 0 });
    expect(relations(trace)).toEqual(['0 cf 1']);
  });
});

describe('the relations', () => {
  test('store buffering', () => {
    // Figure 3 of [BDM13].
    const trace = buildTrace([
      a.issue(x),
      a.load(y),
      b.issue(y),
      b.store(y),
      b.load(x),
      a.store(x),
    ]);
    expect(relations(trace)).toEqual(['0 po 1', '1 cf 2', '2 po 3', '3 cf 0']);
  });

  test('message passing', () => {
    const trace = buildTrace([a.issue(x), a.store(x), b.load(x, 1), b.load(y, 0), a.issue(y)]);
    expect(relations(trace)).toEqual(['0 src 1', '0 po 3', '1 po 2']);
  });

  test('the store order is that of the stores, not that of the issues', () => {
    const trace = buildTrace([a.issue(x, 1), b.issue(x, 2), b.store(x, 2), a.store(x, 1)]);
    expect(relations(trace)).toEqual(['1 st 0']);
  });

  test('an early load reads the newest own store, wherever that stands in the store order', () => {
    const trace = buildTrace([
      a.issue(x, 1),
      a.issue(x, 2),
      a.early(x, 2),
      b.issue(x, 3),
      b.store(x, 3),
      a.store(x, 1),
      a.store(x, 2),
    ]);
    expect(trace.nodes[2]?.source).toBe(1);
    // No store overwrites node 1, so the load has no conflict.
    expect(relations(trace).sort()).toEqual(
      ['0 po 1', '0 po 2', '1 po 2', '3 st 0', '3 st 1'].sort(),
    );
  });

  test('an early load conflicts with the stores behind its source', () => {
    const trace = buildTrace([
      a.issue(x, 1),
      a.early(x, 1),
      a.store(x, 1),
      b.issue(x, 2),
      b.store(x, 2),
    ]);
    expect(relations(trace)).toEqual(['0 po 1', '0 st 2', '1 cf 2']);
  });

  test('an rmw reads and stores at one place', () => {
    const trace = buildTrace([
      a.issue(x, 1),
      a.store(x, 1),
      b.rmw(x, 1, 2),
      c.rmw(x, 2, 3),
      a.load(x, 3),
    ]);
    expect(relations(trace).filter((name) => !name.includes('po'))).toEqual([
      '0 src 1',
      '0 st 2',
      '1 src 2',
      '2 src 3',
    ]);
    expect(hasCycle(trace, 'standard')).toBe(false);
  });

  test('an rmw conflicts with later stores, not with its own', () => {
    const trace = buildTrace([a.rmw(x, 0, 1), b.issue(x, 2), b.store(x, 2), c.load(x, 2)]);
    expect(relations(trace)).toEqual(['0 st 1', '1 src 2']);
  });
});

/**
 * Returns the names of the relations (`po`, `cf`, ...) along a shortest cycle of happens-before,
 * from its first node.
 */
function cycleOf(computation: Computation): string[] {
  const cycle = shortestHappensBeforeCycle(buildTrace(computation), 'standard') ?? [];
  cycle.forEach((edge, i) => expect(edge.to).toBe(cycle[(i + 1) % cycle.length]?.from));
  return cycle.map(({ from, relation }) => `${from} ${relation}`);
}

describe('cycles', () => {
  test('of store buffering: po cf po cf', () => {
    expect(cycleOf([a.issue(x), a.load(y), b.issue(y), b.store(y), b.load(x), a.store(x)])).toEqual(
      ['0 po', '1 cf', '2 po', '3 cf'],
    );
  });

  test('of R: po cf po st', () => {
    // b loads y early; the store to y by a overwrites that by b.
    expect(
      cycleOf([
        b.issue(y, 2),
        b.load(x),
        a.issue(x),
        a.store(x),
        a.issue(y),
        a.store(y),
        b.store(y, 2),
      ]),
    ).toEqual(['0 po', '1 cf', '2 po', '3 st']);
  });

  test('with a third thread: the source relation takes part', () => {
    expect(
      cycleOf([a.issue(x), a.load(y), b.issue(y), b.store(y), c.load(y, 1), c.load(x), a.store(x)]),
    ).toEqual(['0 po', '1 cf', '2 src', '3 po', '4 cf']);
  });

  test('a shortest one is found, though a longer one comes first', () => {
    const longer = [a.issue(x), a.load(y), b.issue(y), b.store(y), c.load(y, 1), c.load(x)];
    expect(cycleOf([...longer, b.load(x), a.store(x)])).toHaveLength(4);
  });

  test('none under SC', () => {
    const trace = buildTrace([
      a.issue(x),
      a.store(x),
      a.load(y),
      b.issue(y),
      b.store(y),
      b.load(x, 1),
    ]);
    expect(hasCycle(trace, 'standard')).toBe(false);
    expect(shortestHappensBeforeCycle(trace, 'standard')).toBeUndefined();
    expect(cycleOf([])).toEqual([]);
  });

  test('a store that never reaches memory is on none', () => {
    const trace = buildTrace([a.issue(x), a.load(y), b.issue(y), b.store(y), b.load(x)]);
    expect(hasCycle(trace, 'standard')).toBe(false);
  });

  test('an early read of a store that another one overtook is on none by itself', () => {
    const trace = buildTrace([
      a.issue(x, 1),
      a.early(x, 1),
      b.issue(x, 2),
      b.store(x, 2),
      a.store(x, 1),
      c.load(x, 1),
    ]);
    expect(hasCycle(trace, 'standard')).toBe(false);
  });

  test('through a lock block that is entered behind where it is left', () => {
    const lock: Action = { thread: 1, kind: 'lock', transition: 9 };
    const unlock: Action = { thread: 1, kind: 'unlock', transition: 9 };
    const block = [b.load(x), b.issue(y), b.store(y)];
    const within = (locked: readonly Action[]): Computation => [
      a.issue(x),
      a.load(y),
      ...locked,
      a.store(x),
    ];
    expect(cycleOf(within([lock, ...block, unlock]))).toEqual(['0 po', '1 cf', '3 lock', '2 cf']);
    // Without the lock, and with two blocks, b's load of x may come first.
    expect(cycleOf(within(block))).toEqual([]);
    const apart = [lock, b.load(x), unlock, lock, b.issue(y), b.store(y), unlock];
    expect(cycleOf(within(apart))).toEqual([]);
    const trace = buildTrace(within([lock, ...block, unlock]));
    expect(comesBefore(trace, 1, 0, 'standard')).toBe(true);
    expect(hasCycle(trace, 'standard')).toBe(true);
  });

  test('with the value notion, none through stores of equal values', () => {
    // As in R, but both stores to y write 2.
    const same = buildTrace([
      b.issue(y, 2),
      b.load(x),
      a.issue(x),
      a.store(x),
      a.issue(y, 2),
      a.store(y, 2),
      b.store(y, 2),
    ]);
    expect(hasCycle(same, 'standard')).toBe(true);
    expect(hasCycle(same, 'value')).toBe(false);
  });

  test('with the value notion, a load conflicts with stores of other values only, its source may be any', () => {
    const trace = buildTrace([
      a.issue(x, 1),
      a.store(x, 1),
      b.load(x, 1),
      c.issue(x, 1),
      c.store(x, 1),
      c.issue(x, 2),
      c.store(x, 2),
    ]);
    expect(relationBetween(trace, 1, 2, 'standard')).toBe('cf');
    expect(relationBetween(trace, 1, 2, 'value')).toBeUndefined();
    expect(relationBetween(trace, 1, 3, 'value')).toBe('cf');
    expect(relationBetween(trace, 0, 2, 'value')).toBeUndefined();
    expect(relationBetween(trace, 0, 3, 'value')).toBe('st');
  });

  test('with the value notion, an rmw conflicts by the value read and is stored by the value written', () => {
    const trace = buildTrace([a.rmw(x, 0, 1), b.issue(x, 1), b.store(x, 1)]);
    expect(relationBetween(trace, 0, 1, 'value')).toBe('cf');
    const back = buildTrace([a.rmw(x, 0, 1), b.issue(x, 0), b.store(x, 0)]);
    expect(relationBetween(back, 0, 1, 'value')).toBe('st');
  });

  test('happensBefore follows paths, and needs a step', () => {
    const trace = buildTrace([
      a.issue(x),
      a.store(x),
      b.load(x, 1),
      b.issue(y),
      b.store(y),
      c.load(y, 1),
    ]);
    expect(comesBefore(trace, 0, 3, 'standard')).toBe(true);
    expect(comesBefore(trace, 3, 0, 'standard')).toBe(false);
    expect(comesBefore(trace, 0, 0, 'standard')).toBe(false);
  });
});
