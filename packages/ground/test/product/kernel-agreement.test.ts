import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomRuns } from '../../../../tools/random-runs.js';
import { ProductSearch, type KernelChoice } from '../../src/product/product-search.js';
import { goalNode, ProductTables, type AutomatonSource } from '../../src/product/tables.js';
import { explored, exploreByHand, type Exploration } from './explore-by-hand.js';

const runs = randomRuns(1000, 20_000, 250);
const nodes = 6;
const cells = 3;

interface RandomOutcome {
  readonly step: number;
  readonly modulus: number;
  readonly node: number;
  readonly kind: number;
}

interface RandomAction {
  readonly cell: number;
  /** The outcomes of each action of a node, by the value of the action's cell. */
  readonly outcomes: readonly (readonly RandomOutcome[])[];
}

interface RandomNode {
  readonly exclusive: boolean;
  readonly actions: readonly RandomAction[];
}

const outcome = fc.record<RandomOutcome>({
  step: fc.nat(3),
  modulus: fc.integer({ min: 1, max: 20 }),
  node: fc.nat(nodes - 1),
  kind: fc.nat(60),
});
const action = fc.record<RandomAction>({
  cell: fc.integer({ min: -1, max: cells - 1 }),
  outcomes: fc.array(fc.array(outcome, { maxLength: 2 }), { minLength: 1, maxLength: 3 }),
});
const node = fc.record<RandomNode>({
  exclusive: fc.nat(5).map((n) => n === 0),
  actions: fc.array(action, { minLength: 1, maxLength: 3 }),
});
const automaton = fc
  .array(node, { minLength: nodes, maxLength: nodes })
  .map((table): AutomatonSource => ({
    actionCells: (at) => table[at]!.actions.map(({ cell }) => cell),
    isExclusive: (at) => table[at]!.exclusive,
    outcomes: (at, index, value) => {
      const { cell, outcomes } = table[at]!.actions[index]!;
      return outcomes[value % outcomes.length]!.map((chosen) => ({
        value: cell < 0 ? 0 : (value + chosen.step) % chosen.modulus,
        node: chosen.kind === 0 ? goalNode : chosen.node,
        // Steps lead forward only, so that the search ends.
        transient: chosen.kind % 4 === 1 && chosen.node > at,
      }));
    },
  }));

function search(
  sources: readonly AutomatonSource[],
  which: readonly number[],
  groups: readonly (readonly number[])[],
  setting: { kernel: KernelChoice; tightLayout: boolean },
  breath: number,
  limit: number,
): Exploration {
  const tables = new ProductTables();
  const numbers = sources.map((source) => tables.add(source));
  const automata = which.map((i) => numbers[i]!);
  const found = new ProductSearch(tables, { automata, groups, ...setting });
  found.add({ nodes: which.map(() => 0), values: [] }, -1);
  while (found.table.count < limit)
    if (found.run(Math.min(limit, found.table.count + breath)) !== 'limit') break;
  return explored(found);
}

function prefix({ states, parents }: Exploration, length: number, goalFrom: number): Exploration {
  return { states: states.slice(0, length), parents: parents.slice(0, length), goalFrom };
}

test(`interpreter and kernel store what a plain search does, in ${runs} random products`, () => {
  const count = { goal: 0, large: 0, groups: 0 };
  fc.assert(
    fc.property(
      fc.tuple(automaton, automaton),
      fc.constantFrom([0, 1], [0, 0, 1], [0, 0, 0], [0, 1, 1, 0]),
      fc.boolean(),
      fc.boolean(),
      fc.integer({ min: 1, max: 500 }),
      (sources, which, symmetric, tightLayout, breath) => {
        const members = (i: number): number[] => which.flatMap((at, c) => (at === i ? [c] : []));
        const groups = symmetric ? [members(0), members(1)].filter(({ length }) => length > 1) : [];
        const limit = 2000;
        const initial = { nodes: which.map(() => 0), values: [] };
        const components = which.map((i) => sources[i]);
        const expected = exploreByHand(components, groups, initial, limit + 1000);
        for (const kernel of ['typescript', 'wasm'] as const) {
          const setting = { kernel, tightLayout };
          const own = search(sources, which, groups, setting, breath, limit);
          // A search stopped by the limit may have stored more or fewer states, but no wrong
          // states.
          if (expected.goalFrom < 0 && expected.states.length < limit)
            expect(own).toEqual(expected);
          else expect(own).toEqual(prefix(expected, own.states.length, own.goalFrom));
        }
        if (expected.goalFrom >= 0) count.goal++;
        if (expected.states.length > 200) count.large++;
        if (groups.length > 0) count.groups++;
      },
    ),
    { numRuns: runs, seed: 20250418 },
  );
  for (const [what, times] of Object.entries(count)) expect(times, what).toBeGreaterThan(runs / 20);
});

/** Returns an automaton of `many` nodes in which every node has `successors` successors. */
function fan(successors: number, many: number): AutomatonSource {
  return {
    actionCells: () => [-1],
    isExclusive: () => false,
    outcomes: (node) =>
      Array.from({ length: successors }, (_, k) => ({
        value: 0,
        node: (7 * node + k) % many,
        transient: false,
      })),
  };
}

// Some states have more successors than fit into the kernel's buffer, after those of other states
// or alone.
test.each([3, 30, 60, 110, 300, 500])('states with twice %i successors', (successors) => {
  const sources = [fan(successors, 2 * successors), fan(successors, 3)];
  const initial = { nodes: [0, 0], values: [] };
  const expected = exploreByHand(sources, [], initial);
  expect(expected.states.length).toBe(6 * successors);
  for (const kernel of ['typescript', 'wasm'] as const) {
    const setting = { kernel, tightLayout: false };
    expect(search(sources, [0, 1], [], setting, 7, Infinity)).toEqual(expected);
  }
});

test.each([
  [fan(5, 100), fan(9, 100)],
  [fan(30, 100), fan(50, 100)],
])('interpreter and kernel stop after the same state', (...sources) => {
  const stopped = (kernel: KernelChoice, limit: number): Exploration =>
    search(sources, [0, 1], [], { kernel, tightLayout: false }, 1000, limit);
  for (const limit of [2, 150, 151, 152, 153, 154, 155, 3000, 3001, 3002, 6000, 9999])
    expect(stopped('wasm', limit)).toEqual(stopped('typescript', limit));
});
