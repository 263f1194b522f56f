import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { loopOrder } from '../../src/llvm-ir/loop-order.js';

type Graph = readonly (readonly number[])[];

/** Returns for each node the nodes that at least one step leads to. */
function reached(graph: Graph, allowed: ReadonlySet<number>): readonly ReadonlySet<number>[] {
  return graph.map((_, start) => {
    const found = new Set<number>();
    const visit = (node: number): void => {
      for (const next of graph[node]!) {
        if (!allowed.has(next) || found.has(next)) continue;
        found.add(next);
        visit(next);
      }
    };
    if (allowed.has(start)) visit(start);
    return found;
  });
}

/** The loops of a graph among the allowed nodes: largest sets of nodes that lead to each other. */
function loopsOf(graph: Graph, allowed: ReadonlySet<number>): readonly ReadonlySet<number>[] {
  const leads = reached(graph, allowed);
  const texts = [...allowed]
    .filter((node) => leads[node]!.has(node))
    .map((node) => [...allowed].filter((to) => leads[node]!.has(to) && leads[to]!.has(node)));
  return [...new Set(texts.map((loop) => loop.join()))].map(
    (text) => new Set(text.split(',').map(Number)),
  );
}

/**
 * Expects an order of the allowed nodes to satisfy the definition, and recursively each loop
 * without its head.
 */
function requireOrder(graph: Graph, order: readonly number[], allowed: ReadonlySet<number>): void {
  const loops = loopsOf(graph, allowed);
  for (const from of allowed)
    for (const to of graph[from]!) {
      const isInLoop = loops.some((loop) => loop.has(from) && loop.has(to));
      if (allowed.has(to) && !isInLoop) expect(order[from]).toBeLessThan(order[to]!);
    }
  for (const loop of loops) {
    const places = [...loop].map((node) => order[node]!).sort((a, b) => a - b);
    expect(places.at(-1)! - places[0]!).toBe(loop.size - 1);
    const head = [...loop].find((node) => order[node] === places[0]);
    requireOrder(graph, order, new Set([...loop].filter((node) => node !== head)));
  }
}

const graphs: fc.Arbitrary<Graph> = fc
  .integer({ min: 1, max: 7 })
  .chain((size) =>
    fc.array(fc.array(fc.nat(size - 1), { maxLength: 3 }), { minLength: size, maxLength: size }),
  );

test('nodes come behind what leads to them, and loops stay together', () => {
  fc.assert(
    fc.property(graphs, (graph) => {
      const order = loopOrder(graph).positions;
      expect([...order].sort((a, b) => a - b)).toHaveLength(graph.length);
      expect(new Set(order).size).toBe(graph.length);
      const all = new Set(graph.keys());
      const fromStart = new Set([0, ...reached(graph, all)[0]!]);
      requireOrder(graph, order, fromStart);
    }),
    { numRuns: randomRuns(2000, 50_000, 670), seed: randomSeed(20261128) },
  );
});

test('a loop comes before the code behind it, whichever successor is named first', () => {
  expect(loopOrder([[1], [2, 3], [1], []]).positions).toEqual([0, 1, 2, 3]);
  expect(loopOrder([[1], [3, 2], [1], []]).positions).toEqual([0, 1, 2, 3]);
});
