import { describe, expect, test } from 'vitest';
import type { ExecutionGraph, GraphEvent } from '../../src/c11/execution-graph.js';
import { arrowsOf, cycleThrough, type GraphArrow } from '../../src/c11/graph-arrows.js';

const initial = (address: number): GraphEvent => ({
  ...{ kind: 'write', order: 'relaxed', address, written: 0 },
});

function store(thread: number, address: number, written = 1): GraphEvent {
  return { kind: 'write', order: 'release', thread, transition: 0, address, written };
}

function load(thread: number, address: number, from: number, read: number): GraphEvent {
  return { kind: 'read', order: 'acquire', thread, transition: 0, address, from, read };
}

const asText = (arrows: readonly GraphArrow[]): readonly string[] =>
  arrows.map(({ from, to, relation }) => `${from} ${relation} ${to}`);

// Message passing: events 2 and 3 store x and y, event 4 loads y, event 5 an x.
const passing = (isOld: boolean): ExecutionGraph => ({
  events: [
    ...[initial(0), initial(1), store(0, 0), store(0, 1)],
    ...[load(1, 1, 3, 1), load(1, 0, isOld ? 0 : 2, isOld ? 0 : 1)],
  ],
  modification: [
    [0, 2],
    [1, 3],
  ],
});

describe('arrows of an execution graph', () => {
  test('a store that an acquire reads synchronises; no arrow leaves an initial store', () => {
    expect(asText(arrowsOf(passing(false)))).toEqual([...['2 po 3', '2 sw 5', '3 sw 4', '4 po 5']]);
  });

  test('a load of an old store comes before the store that replaces it', () => {
    expect(asText(arrowsOf(passing(true)))).toContain('5 fr 2');
  });

  test('of three stores, each replaces the one before', () => {
    const events = [initial(0), store(0, 0), store(1, 0, 2), store(2, 0, 3)];
    const arrows = arrowsOf({ events, modification: [[0, 1, 2, 3]] });
    expect(asText(arrows)).toEqual(['1 mo 2', '2 mo 3']);
  });
});

describe('cycles of an execution graph', () => {
  test('an interleaving has none', () => {
    expect(cycleThrough(passing(false), 5, true)).toEqual([]);
  });

  test('an old load closes a cycle', () => {
    const cycle = asText(cycleThrough(passing(true), 5, true));
    expect(cycle).toEqual(['5 fr 2', '2 po 3', '3 rf 4', '4 po 5']);
  });

  test('load buffering is a cycle of program order and reads-from', () => {
    const graph: ExecutionGraph = {
      events: [
        ...[initial(0), initial(1), load(0, 0, 5, 1), store(0, 1)],
        ...[load(1, 1, 3, 1), store(1, 0)],
      ],
      modification: [
        [0, 5],
        [1, 3],
      ],
    };
    const cycle = asText(cycleThrough(graph, 2, false));
    expect(cycle).toEqual(['2 po 3', '3 rf 4', '4 po 5', '5 rf 2']);
    expect(cycleThrough(passing(true), 5, false)).toEqual([]);
  });

  test('an event without a cycle: another one shows it', () => {
    const { events, modification } = passing(true);
    const graph = { events: [...events, store(1, 2)], modification: [...modification, [6]] };
    expect(asText(cycleThrough(graph, 6, true))).toHaveLength(4);
  });
});
