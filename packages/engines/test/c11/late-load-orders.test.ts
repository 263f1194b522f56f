import { Budget } from '@fencewright/ground/base/budget.js';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import type { ExecutionGraph, GraphEvent } from '@fencewright/model/c11/execution-graph.js';
import type { RaisedOrder } from '@fencewright/model/c11/preventing-orders.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { C11Result } from '@fencewright/model/verdict/c11-result.js';
import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { compileC11 } from '../../src/c11/c11-steps.js';
import { findCells } from '../../src/c11/cells.js';
import { checkC11 } from '../../src/c11/check-c11.js';
import { firstLateLoad } from '../../src/c11/late-load-orders.js';
import { searchPostponedLoad } from '../../src/c11/postponed-load.js';
import { loadBufferingGraph } from '../../src/c11/violation-graph.js';
import { programOf } from '../robustness/native-program.js';
import { bufferingAcrossRmw } from './buffering-across-rmws.js';
import { type ProgramSketch, type Sketch, textOf } from './sketch.js';

const decide = (program: Program): Promise<C11Result> => checkC11(program, 'c11', new Budget());

/** Returns a random ring of two or three threads that load first and then store. */
function ringOfLoads(seed: number): ProgramSketch {
  const random = new SeededRandom(seed);
  const cells = ['x', 'y', 'z'].slice(0, 2 + random.below(2));
  const threads = cells.map((cell, t): readonly Sketch[] => {
    const load: Sketch = {
      ...{ kind: 'load', cell },
      order: random.below(4) === 0 ? 'acquire' : 'relaxed',
    };
    const store: Sketch = {
      ...{ kind: 'store', cell: cells[(t + 1) % cells.length]! },
      value: random.below(3) === 0 ? 'r' : 1,
      order: random.below(5) === 0 ? 'release' : 'relaxed',
    };
    return [load, store];
  });
  return { cells, threads };
}

/**
 * Returns the program in which the instructions of some events of a graph have the stronger orders
 * of `changes`.
 */
function withOrders(
  program: Program,
  { events }: ExecutionGraph,
  changes: readonly RaisedOrder[],
): Program {
  const threads = program.threads.map((thread, t) => ({
    ...thread,
    transitions: thread.transitions.map((transition, id) => {
      const change = changes.find(
        ({ event }) => events[event]!.thread === t && events[event]!.transition === id,
      );
      const { instruction } = transition;
      return change
        ? { ...transition, instruction: { ...instruction, order: change.order } }
        : transition;
    }),
  }));
  return { ...program, threads };
}

/** Returns a text that is equal for graphs of the same accesses that see the same stores. */
function keyOf({ events }: ExecutionGraph): string {
  const nameOf = (index: number): string => {
    const { thread, transition, address } = events[index]!;
    return thread === undefined ? `initial ${address}` : `${thread}.${transition}`;
  };
  const parts = events.flatMap(({ from, kind }, index) =>
    events[index]!.thread === undefined
      ? []
      : [`${nameOf(index)} ${kind} ${from === undefined ? '' : nameOf(from)}`],
  );
  return parts.sort().join('; ');
}

describe('orders that exclude an execution with a late load', () => {
  test('with them, no search finds the execution', async () => {
    const counts = { one: 0, two: 0, more: 0 };
    const first = randomSeed(38_000);
    for (let seed = first; seed < first + randomRuns(120, 5000); seed++) {
      const sketch = seed % 3 === 0 ? bufferingAcrossRmw(seed) : ringOfLoads(seed);
      const program = programOf(textOf(sketch).replace('program Sketch', ''));
      const { verdict } = await decide(program);
      if (verdict.kind !== 'not-robust' || verdict.violation.kind !== 'load-buffering') continue;
      const { graph, preventedBy } = verdict.violation;
      // The event of a cas has two memory orders, so the test skips changes of such events.
      const isCas = preventedBy?.some(({ event }) => graph.events[event]!.kind === 'update');
      if (isCas) continue;
      counts[preventedBy?.length === 1 ? 'one' : preventedBy ? 'two' : 'more'] += 1;
      if (!preventedBy) continue;
      const code = compileC11(withOrders(program, graph, preventedBy));
      const { found } = await searchPostponedLoad(code, findCells(code), 'c11', new Budget(), {
        most: 1000,
      });
      const left = found.map((one) =>
        keyOf(loadBufferingGraph(code, findCells(code), 'c11', one).graph),
      );
      expect([seed, left]).not.toEqual([seed, expect.arrayContaining([keyOf(graph)])]);
    }
    expect(counts.one).toBeGreaterThan(10);
    expect(counts.two).toBeGreaterThan(10);
    expect(counts.more).toBeGreaterThan(0);
  });

  test.each([
    // The other thread may store first, so that an acquire at one load is not enough.
    ['of two relaxed loads, both acquire', 'relaxed', '1', 2],
    ['a load that a dependency keeps stays', 'relaxed', 'q', 1],
    ['a load that acquires stays', 'acquire', '1', 1],
  ])('%s', async (_, order, stored, wanted) => {
    const { verdict } = await decide(
      programOf(`var x, y
        thread a { local r; r = load(x, relaxed); store(y, 1, relaxed); }
        thread b { local q; q = load(y, ${order}); store(x, ${stored}, relaxed); }`),
    );
    if (verdict.kind !== 'not-robust') throw new Error(verdict.kind);
    expect(verdict.violation.preventedBy?.map((one) => one.order)).toEqual(
      Array.from({ length: wanted }, () => 'acquire'),
    );
  });
});

describe('the late load of an execution', () => {
  const read = (thread: number, address: number, from: number): GraphEvent => ({
    ...{ kind: 'read', order: 'relaxed', thread, address, from, read: 1 },
  });
  const write = (thread: number, address: number): GraphEvent => ({
    ...{ kind: 'write', order: 'relaxed', thread, address, written: 1 },
  });

  test('a load that reads from a later event, on a cycle', () => {
    const events = [read(0, 1, 3), write(0, 2), read(1, 2, 1), write(1, 1)];
    expect(firstLateLoad({ events, modification: [[3], [1]] })).toBe(0);
  });

  test('no load without a cycle: it could have been executed in its place', () => {
    const events = [read(0, 1, 2), write(0, 2), write(1, 1)];
    expect(firstLateLoad({ events, modification: [[2], [1]] })).toBe(-1);
  });
});

test('a data race that only a late load causes is told, with the load', async () => {
  const { verdict, race } = await decide(
    programOf(`var x, y
      var plain d
      thread a { local r; r = load(x, relaxed); store(y, 1, relaxed); if (r == 1) { d = 1; } }
      thread b {
        local s;
        s = load(y, acquire);
        assert(s < 5);
        if (s == 1) { store(x, 1, relaxed); d = 2; }
      }`),
  );
  expect(verdict.kind).toBe('not-robust');
  if (typeof race === 'string' || race.late === undefined)
    throw new Error('no race of a late load');
  const { graph, first, second, late } = race;
  expect(graph.events[late]).toMatchObject({ kind: 'read', thread: 0, read: 1 });
  expect([first, second].map((index) => graph.events[index]!.thread).sort()).toEqual([0, 1]);
  expect([first, second].map((index) => graph.events[index]!.order)).toEqual(['plain', 'plain']);
});
