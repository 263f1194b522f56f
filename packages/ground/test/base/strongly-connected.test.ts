import { expect, test } from 'vitest';
import { SeededRandom } from '../../src/base/random.js';
import { nodesOnCycles, stronglyConnected } from '../../src/base/strongly-connected.js';

/** Returns the nodes of a graph that can be reached from a node by one or more edges. */
function reached(leaving: readonly (readonly number[])[], from: number): ReadonlySet<number> {
  const found = new Set(leaving[from]);
  // Nodes that are added during the iteration are visited, too.
  for (const node of found) for (const to of leaving[node]!) found.add(to);
  return found;
}

test('components of random graphs are as by definition', () => {
  const counts = { components: 0, onCycles: 0, loops: 0 };
  for (let seed = 0; seed < 600; seed++) {
    const random = new SeededRandom(seed);
    const count = 1 + random.below(9);
    const edges = random.below(2 * count);
    const leaving = Array.from({ length: count }, (): number[] => []);
    for (let i = 0; i < edges; i++) leaving[random.below(count)]!.push(random.below(count));
    const reach = leaving.map((_, node) => reached(leaving, node));
    const found = stronglyConnected(leaving.keys(), (node) => leaving[node]!);
    expect(found.flat().sort((a, b) => a - b)).toEqual([...leaving.keys()]);
    const componentOf = leaving.map((_, node) => found.findIndex((one) => one.includes(node)));
    for (const a of leaving.keys()) {
      for (const b of leaving.keys()) {
        const isMutual = a === b || (reach[a]!.has(b) && reach[b]!.has(a));
        expect([seed, a, b, componentOf[a] === componentOf[b]]).toEqual([seed, a, b, isMutual]);
        // A component comes before those that lead to it.
        if (reach[a]!.has(b)) expect(componentOf[b]).toBeLessThanOrEqual(componentOf[a]!);
      }
      if (leaving[a]!.includes(a)) counts.loops += 1;
    }
    const onCycles = nodesOnCycles(leaving.keys(), (node) => leaving[node]!);
    const wanted = [...leaving.keys()].filter((node) => reach[node]!.has(node));
    expect([...onCycles].sort((a, b) => a - b)).toEqual(wanted);
    counts.components += found.filter(({ length }) => length > 1).length;
    counts.onCycles += wanted.length;
  }
  for (const each of Object.values(counts)) expect(each).toBeGreaterThan(100);
});
