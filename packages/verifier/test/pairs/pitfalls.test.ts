import { attacksByDefinition } from '@fencewright/core/testing';
import { automataToJson, finiteProgram, type Program } from '@fencewright/core';
import { parseNative } from '@fencewright/core/native';
import { describe, expect, test } from 'vitest';
import { attackThreads } from '../../src/attack/thread.js';
import { Components } from '../../src/pairs/components.js';
import { PairRelation } from '../../src/pairs/relation.js';
import { Budget } from '../../src/budget.js';
import { openAttacks } from '../../src/control-flow.js';
import { readAutomata } from '../../src/read-automata.js';
import { ShapeError } from '../../src/shape.js';
import { type Kept, refuteAll } from './refute-all.js';

function parse(text: string): Program {
  const { model, diagnostics } = parseNative(`program P\n${text}`);
  return finiteProgram(model) ?? expect.fail(JSON.stringify(diagnostics));
}

function read(program: Program) {
  return readAutomata(JSON.parse(JSON.stringify(automataToJson(program))), 'automata');
}

/** Returns the addresses of the variables. */
function addresses(program: Program): readonly number[] {
  return read(program).symbols.map(({ base }) => base);
}

/**
 * Returns the ways to give cells to the threads' components: no thread has a cell, one thread has
 * all three cells, or each thread has one cell.
 */
function layouts(program: Program): readonly Kept[] {
  const { threads } = program;
  const all = addresses(program);
  const none = threads.map((): readonly number[] => []);
  return [
    none,
    ...threads.map((_, t) => none.with(t, all)),
    ...threads.map((_, t) =>
      threads.map((_, u) => all.filter((_, cell) => (cell + t) % threads.length === u)),
    ),
  ];
}

/** Returns the number of the first thread's attacks that no relation refutes, for each layout. */
function leftOpen(program: Program): readonly number[] {
  const [first] = read(program).threads;
  const loads = [...openAttacks(first!)].flatMap(([store, its]) =>
    [...its].map((load) => `0.${store}.${load}`),
  );
  return layouts(program).map((kept) => {
    const refuted = refuteAll(program, kept, 'standard');
    return loads.filter((name) => !refuted.includes(name)).length;
  });
}

// Made by hand: in each program, the happens-before path exists for one reason only.
describe('an attack is left open where a path leads back, whoever keeps which cell', () => {
  test.each([
    ['by one helper', 'y = 1; p = x;', 1],
    ['by one helper that loads what it stored', 'y = 1; p = y; p = x;', 1],
    ['by one helper that has to find what it stored', 'y = 1; p = y; assume (p == 1); p = x;', 1],
    ['by one helper that swaps', 'p = xchg(y, 2); x = p;', 1],
    ['by two helpers, over a cell', 'y = 1; z = 1; } thread c { local q; q = z; q = x;', 1],
    ['by two helpers, over the cell of the load', 'y = 1; } thread c { local q; q = y; q = x;', 1],
    ['by two helpers, over a load', 'y = 1; p = z; } thread c { local q; z = 1; x = 2;', 1],
    [
      'by three helpers',
      'y = 1; z = 1; } thread c { local q; q = z; y = 2; } thread d { local s; s = y; x = s;',
      1,
    ],
    ['by one helper, beside a thread that does nothing', 'y = 1; p = x; } thread c { skip;', 1],
    ['nowhere', 'z = 1; p = x;', 0],
    ['nowhere: it meets the store before it joins', 'p = x; y = 1;', 0],
    ['nowhere: nobody waits for a load', 'p = y; p = x;', 0],
  ])('%s', (_, helper, open) => {
    const program = parse(
      `var x, y, z\nthread a { local r; x = 1; r = y; }\nthread b { local p; ${helper} }`,
    );
    const { feasible } = attacksByDefinition(program, 100_000, 'standard');
    expect(feasible.filter(({ thread }) => thread === 0)).toHaveLength(open);
    for (const left of leftOpen(program)) expect(left).toBe(open);
  });

  test('where only the second load from memory is behind', () => {
    const program = parse(`var x, y, z
      thread a { local r; x = 1; r = z; r = y; }
      thread b { local p; y = 1; p = x; }`);
    for (const left of leftOpen(program)) expect(left).toBe(1);
  });

  test('where the cell that is loaded on the way has to have a second value', () => {
    const program = parse(`var x, y, z
      thread a { local r; x = 1; r = z; assume (r == 2); r = y; }
      thread b { local p; z = 1; z = 2; y = 1; p = x; }`);
    const { feasible } = attacksByDefinition(program, 100_000, 'standard');
    expect(feasible.filter(({ thread }) => thread === 0)).toHaveLength(2);
    for (const left of leftOpen(program)) expect(left).toBe(2);
  });

  test('where the cell of the last load depends on what was loaded before', () => {
    const program = parse(`var x, z, cells[2]
      thread a { local r; x = 1; r = z; r = cells[r]; }
      thread b { local p; z = 1; fence; cells[1] = 1; p = x; }`);
    const { feasible } = attacksByDefinition(program, 100_000, 'standard');
    const open = feasible.filter(({ thread }) => thread === 0).length;
    expect(feasible).toContainEqual({ thread: 0, store: 0, load: 2 });
    for (const left of leftOpen(program)) expect(left).toBe(open);
  });

  test('behind a load of a cell that nobody comes to under SC', () => {
    // Thread a finds 0, 1 and 2 in z one after the other only while thread b does not see a's
    // delayed store.
    const find = (value: number) => `r = z; assume (r == ${value});`;
    const unseen = 'p = x; assume (p == 0);';
    const program = parse(`var x, y, z, w
      thread a { local r; x = 1; ${find(0)} ${find(1)} ${find(2)} r = w; r = y; }
      thread b { local p; ${unseen} z = 1; ${unseen} z = 2; y = 1; p = x; }`);
    const { feasible, complete } = attacksByDefinition(program, 1_000_000, 'standard');
    expect(complete).toBe(true);
    expect(feasible.filter(({ thread }) => thread === 0).length).toBeGreaterThan(0);
    const last = program.threads[0]!.transitions.length - 1;
    expect(feasible).toContainEqual({ thread: 0, store: 0, load: last });
    for (const kept of layouts(program))
      expect(refuteAll(program, kept, 'standard')).not.toContain(`0.0.${last}`);
  });

  test('where two threads leave a mark, and the first of them joins behind the second', () => {
    const program = parse(`var x, y, z, w
      thread a { local r; x = 1; r = y; }
      thread b { local p, q; q = w; if (q == 0) { y = 1; z = 1; } else { p = z; p = x; } }
      thread c { local s; s = w; y = 1; z = 1; }
      thread d { w = 1; }`);
    const { feasible } = attacksByDefinition(program, 1_000_000, 'standard');
    expect(feasible.filter(({ thread }) => thread === 0)).toHaveLength(1);
    for (const left of leftOpen(program)) expect(left).toBe(1);
  });

  test('where the attacker stands at the store in a second way', () => {
    // If thread a has read 0 into r, thread b has not begun, and cannot join the happens-before
    // path.
    const program = parse(`var x, y, z
      thread a { local r, s; r = z; x = r + 1; s = y; }
      thread b { local p; p = x; assume (p == 0); z = 1; y = 1; p = x; }`);
    for (const left of leftOpen(program)) expect(left).toBe(1);
  });
});

const guarded = (others: string): Program =>
  parse(`var lock, x, y
    thread a { local l, r; l = cas(lock, 0, 1); assume (l); x = 1; r = y; lock = 0; }
    thread b { local l, r; l = cas(lock, 0, 1); assume (l); y = 1; r = x; lock = 0; }
    ${others}`);

describe('inside of critical sections', () => {
  test('there is no attack, since two threads are never there at once', () => {
    const program = guarded('');
    expect(attacksByDefinition(program, 100_000, 'standard').feasible).toEqual([]);
    for (const left of leftOpen(program)) expect(left).toBe(0);
  });

  test.each([
    ['a third thread unlocks', 'thread c { lock = 0; }'],
    ['a third thread unlocks what it found', 'thread c { local q; q = lock; lock = q - q; }'],
  ])('there is one where %s', (_, others) => {
    const program = guarded(others);
    const { feasible } = attacksByDefinition(program, 1_000_000, 'standard');
    expect(feasible.filter(({ thread }) => thread === 0)).toHaveLength(1);
    for (const left of leftOpen(program)) expect(left).toBe(1);
  });
});

/** Returns the components of a program's threads, each with the cells kept. */
function componentsOf(program: Program, kept: Kept): Components {
  const automata = read(program);
  return new Components(automata, attackThreads(automata, 'standard'), kept, 'kept');
}

describe('a relation', () => {
  /**
   * Returns the pairs of values of two variables in the relation; variables are given by number.
   */
  function pairs(program: Program, kept: Kept, first: number, second: number): readonly string[] {
    const cells = addresses(program);
    const its = kept.map((variables) => variables.map((variable) => cells[variable]!));
    const components = componentsOf(program, its);
    const relation = PairRelation.close(components, new Budget({}));
    if (!(relation instanceof PairRelation)) return expect.fail(relation.kind);
    const [one, two] = [first, second].map((variable) => components.holder(cells[variable]!)!);
    const found = components.all[one!.component]!.flatMap((a) =>
      components.all[two!.component]!.filter(
        (b) => (a === b && one!.component === two!.component) || relation.has(a, b),
      ).map((b) => `${components.item(a).own[one!.slot]}${components.item(b).own[two!.slot]}`),
    );
    return [...new Set(found)].sort();
  }

  // z becomes 1 only after x has become 1.
  const ordered = parse(`var x, y, z
    thread a { x = 1; z = 1; }
    thread b { local p; p = z; assume (p == 1); y = 1; }`);

  test('has the pairs of values that there are, and where one is behind the other no more', () => {
    expect(pairs(ordered, [[], []], 0, 2)).toEqual(['00', '10', '11']);
    expect(pairs(ordered, [[0, 2], []], 0, 2)).toEqual(['00', '10', '11']);
    expect(pairs(ordered, [[0], [2]], 0, 2)).toEqual(['00', '10', '11']);
    expect(pairs(ordered, [[], [0, 1, 2]], 0, 1)).toEqual(['00', '10', '11']);
    expect(pairs(ordered, [[], []], 0, 1)).toEqual(['00', '10', '11']);
  });

  test('has a cell that is met late together with all that went before', () => {
    const late = parse(`var x, y, z
      thread a { x = 1; }
      thread b { local p; p = x; assume (p == 1); z = 1; }`);
    expect(pairs(late, [[], []], 0, 2)).toEqual(['00', '10', '11']);
  });

  test('is not there where it is too much to look at', () => {
    const growing = parse(`var x, y
      thread a { local r; loop { r = x; x = r + 1; } }
      thread b { y = 1; }`);
    const components = () => componentsOf(growing, [[], []]);
    const stopped = PairRelation.close(components(), new Budget({ maxStates: 500 }));
    expect(stopped).toEqual({
      kind: 'stopped',
      reason: 'more than 500 states: raise --max-states',
    });
    const large = PairRelation.close(components(), new Budget({ maxStates: 1_000_000 }));
    expect(large).toEqual({ kind: 'too large' });
  });

  test('is of no layout in which two threads keep a cell, or threads are missing', () => {
    const make = (kept: Kept) => () => componentsOf(ordered, kept);
    expect(make([[0], [0]])).toThrow(ShapeError);
    expect(make([[0, 0], []])).toThrow(ShapeError);
    expect(make([[]])).toThrow(ShapeError);
    expect(make([[], [], []])).toThrow(ShapeError);
    expect(make([[0], [1]])).not.toThrow();
  });
});
