import { expect, test } from 'vitest';
import { isConsistent, isConsistentButForThinAir } from '../../src/c11/consistency.js';
import { sequenceEndedInExecution, sequenceEndedInRace } from '../../src/c11/ended-sequence.js';
import type { EventOrder, ExecutionGraph, GraphEvent } from '../../src/c11/execution-graph.js';

const event = (
  thread: number,
  kind: GraphEvent['kind'],
  order: EventOrder,
  address: number,
  rest: Partial<GraphEvent>,
): GraphEvent => ({ thread, kind, order, address, transition: 0, ...rest });

/**
 * Returns a graph in which a thread stores data, stores 1 with the order `first`, and then stores 2
 * relaxed. Another thread acquires the 2, and reads the old data.
 */
function published(first: EventOrder, data: EventOrder): ExecutionGraph {
  return {
    events: [
      { kind: 'write', order: 'relaxed', address: 0, written: 0 },
      { kind: 'write', order: 'relaxed', address: 1, written: 0 },
      event(0, 'write', data, 0, { written: 1 }),
      event(0, 'write', first, 1, { written: 1 }),
      event(0, 'write', 'relaxed', 1, { written: 2 }),
      event(1, 'read', 'acquire', 1, { read: 2, from: 4 }),
      event(1, 'read', data, 0, { read: 0, from: 0 }),
    ],
    modification: [
      [0, 2],
      [1, 3, 4],
    ],
  };
}

// C11 5.1.2.4, C++17 [intro.races]: a release sequence goes on with stores of the same thread.
// C++20 [intro.races]: only with read-modify-writes.
test('an execution rests on the end of a release sequence', () => {
  const graph = published('release', 'relaxed');
  expect(isConsistent(graph, 'c11')).toBe(true);
  expect(sequenceEndedInExecution(graph, 'c11')).toEqual({ head: 3, store: 4 });
});

test('without a release, no standard excludes the execution', () => {
  expect(sequenceEndedInExecution(published('relaxed', 'relaxed'), 'c11')).toBeUndefined();
});

test('a store of another thread ends the sequence in every standard', () => {
  const { events, modification } = published('release', 'relaxed');
  const other = event(2, 'write', 'relaxed', 1, { written: 5 });
  const graph = { events: [...events, other], modification: [modification[0]!, [1, 3, 7, 4]] };
  expect(isConsistent(graph, 'c11')).toBe(true);
  expect(isConsistentButForThinAir(graph, 'c11', 'C++17')).toBe(true);
  expect(sequenceEndedInExecution(graph, 'c11')).toBeUndefined();
});

test('a data race rests on the end of a release sequence', () => {
  const graph = published('release', 'plain');
  expect(sequenceEndedInRace(graph, [2, 6])).toEqual({ head: 3, store: 4 });
  expect(sequenceEndedInRace(published('relaxed', 'plain'), [2, 6])).toBeUndefined();
});
