import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { type CutEdge, closestCut } from '../../src/base/closest-cut.js';

const edge = (from: number, to: number, isCuttable = true): CutEdge => ({ from, to, isCuttable });

/** Returns the nodes of a graph from which a sink is reachable without the edges in `isCut`. */
function nodesBefore(
  edges: readonly CutEdge[],
  sinks: readonly number[],
  isCut: (id: number) => boolean,
): ReadonlySet<number> {
  const reached = new Set(sinks);
  for (const node of reached)
    edges.forEach(({ from, to }, id) => {
      if (to === node && !isCut(id)) reached.add(from);
    });
  return reached;
}

test('takes the edge next to the sink', () => {
  expect(closestCut([edge(0, 1), edge(1, 2), edge(2, 3)], [0], [3])).toEqual([2]);
});

test('takes one edge before a fork, and each where ways join', () => {
  expect(closestCut([edge(0, 1), edge(1, 2), edge(1, 3)], [0], [2, 3])).toEqual([0]);
  expect(closestCut([edge(0, 2), edge(1, 2), edge(2, 3, false)], [0, 1], [3])).toEqual([0, 1]);
});

test('there is none if some way cannot be cut, and nothing to cut without a way', () => {
  expect(closestCut([edge(0, 1), edge(0, 1, false)], [0], [1])).toBeUndefined();
  expect(closestCut([], [0], [0])).toBeUndefined();
  expect(closestCut([edge(1, 0)], [0], [1])).toEqual([]);
});

test('is as small as can be, and nearest to the sinks', () => {
  const node = fc.nat(5);
  const edges = fc.array(
    fc.tuple(node, node, fc.constantFrom(true, true, false)).map((parts) => edge(...parts)),
    { maxLength: 9 },
  );
  const some = fc.uniqueArray(node, { minLength: 1, maxLength: 2 });
  fc.assert(
    fc.property(edges, some, some, (graph, sources, sinks) => {
      const before = (set: number): ReadonlySet<number> =>
        nodesBefore(graph, sinks, (id) => (set >> id) % 2 === 1);
      const sets = Array.from({ length: 1 << graph.length }, (_, set) => set)
        .filter((set) => graph.every(({ isCuttable }, id) => isCuttable || (set >> id) % 2 === 0))
        .filter((set) => !sources.some((source) => before(set).has(source)));
      const sizeOf = (set: number): number => graph.filter((_, id) => (set >> id) % 2 === 1).length;
      const least = Math.min(...sets.map(sizeOf));
      const cut = closestCut(graph, sources, sinks);
      if (!cut) {
        expect(sets).toEqual([]);
        return;
      }
      const own = cut.reduce((set, id) => set | (1 << id), 0);
      expect(sets).toContain(own);
      expect(cut.length).toBe(least);
      for (const set of sets)
        if (sizeOf(set) === least)
          for (const reached of before(own)) expect(before(set).has(reached)).toBe(true);
    }),
    { seed: randomSeed(2013), numRuns: randomRuns(500, 10_000) },
  );
});
