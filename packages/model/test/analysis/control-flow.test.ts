import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  computeControlFlow,
  computeCycleClosers,
  computeLocationsOnCycles,
  computeReachableAvoiding,
  computeReachableLocations,
} from '../../src/analysis/control-flow.js';
import type { Thread } from '../../src/program/program.js';

/** Returns a thread with an edge for each string "from label to"; the label is the instruction. */
function automaton(locations: number, ...edges: string[]): Thread<string> {
  return {
    name: 't',
    registers: [],
    locations: Array.from({ length: locations }, (_, i) => ({
      name: `q${i}`,
      hidden: false,
    })),
    initial: 0,
    transitions: edges.map((edge) => {
      const [from, instruction, to] = edge.split(' ');
      return {
        from: Number(from),
        to: Number(to),
        instruction: instruction ?? '',
        origin: {},
      };
    }),
  };
}

function chosen(flags: readonly boolean[]): number[] {
  return flags.flatMap((flag, location) => (flag ? [location] : []));
}

describe('computeControlFlow', () => {
  it('lists the transitions of each location in order', () => {
    const flow = computeControlFlow(automaton(3, '0 a 1', '1 b 0', '0 c 1', '0 d 0'));
    expect(flow.outgoing).toEqual([[0, 2, 3], [1], []]);
    expect(flow.incoming).toEqual([[1, 3], [0, 2], []]);
  });
});

describe('computeReachableLocations', () => {
  it('includes the initial location and leaves out what nothing leads to', () => {
    const thread = automaton(5, '0 a 1', '1 b 0', '2 c 3', '3 d 2', '2 e 1');
    expect(chosen(computeReachableLocations(thread))).toEqual([0, 1]);
  });

  it('manages long threads', () => {
    const edges = Array.from({ length: 100_000 }, (_, i) => `${i} a ${i + 1}`);
    const thread = automaton(100_001, ...edges);
    expect(computeReachableLocations(thread).every((r) => r)).toBe(true);
    expect(chosen(computeCycleClosers(thread))).toEqual([]);
  });
});

describe('computeLocationsOnCycles', () => {
  it('finds the locations that a way of chosen transitions leads back to', () => {
    const edge = fc.tuple(fc.nat(7), fc.constantFrom('a', 'a', 'b'), fc.nat(7));
    const seen = { on: 0, off: 0 };
    fc.assert(
      fc.property(fc.array(edge, { minLength: 6, maxLength: 16 }), (edges) => {
        const thread = automaton(8, ...edges.map((parts) => parts.join(' ')));
        const found = computeLocationsOnCycles(thread, ({ instruction }) => instruction === 'a');
        const isBlocked = ({ instruction }: { instruction: string }) => instruction === 'b';
        const expected = thread.locations.map((_, location) =>
          thread.transitions.some(
            (step) =>
              step.from === location &&
              !isBlocked(step) &&
              computeReachableAvoiding(thread, step.to, isBlocked)[location] === true,
          ),
        );
        for (const isOn of expected) seen[isOn ? 'on' : 'off']++;
        expect(found).toEqual(expected);
      }),
      { numRuns: 500 },
    );
    expect(seen.on).toBeGreaterThan(200);
    expect(seen.off).toBeGreaterThan(200);
  });

  it('manages long threads', () => {
    const edges = Array.from({ length: 100_000 }, (_, i) => `${i} a ${i + 1}`);
    const thread = automaton(100_001, ...edges, '100000 a 0');
    expect(computeLocationsOnCycles(thread, () => true).every((isOn) => isOn)).toBe(true);
  });
});

describe('computeReachableAvoiding', () => {
  const thread = automaton(
    6,
    '0 store 1',
    '1 fence 2',
    '2 load 3',
    '1 skip 4',
    '4 skip 1',
    '4 fence 5',
    '5 skip 0',
  );
  const isFence = ({ instruction }: { instruction: string }) => instruction === 'fence';

  it('stops at blocking transitions', () => {
    expect(chosen(computeReachableAvoiding(thread, 1, isFence))).toEqual([1, 4]);
    expect(chosen(computeReachableAvoiding(thread, 5, isFence))).toEqual([0, 1, 4, 5]);
  });

  it('takes the way around a blocking transition', () => {
    const detour = automaton(4, '0 fence 1', '0 skip 2', '2 skip 1', '1 x 3');
    expect(chosen(computeReachableAvoiding(detour, 0, isFence))).toEqual([0, 1, 2, 3]);
  });
});

describe('computeCycleClosers', () => {
  it('finds loop heads, self loops and cycles that cannot be reached', () => {
    const thread = automaton(6, '0 a 1', '1 a 2', '2 a 1', '2 a 3', '3 a 3', '4 a 5', '5 a 4');
    expect(chosen(computeCycleClosers(thread))).toEqual([1, 3, 4]);
  });

  it('looks at the chosen transitions only', () => {
    const thread = automaton(3, '0 a 1', '1 b 0', '1 a 2', '2 a 1');
    expect(chosen(computeCycleClosers(thread, ({ instruction }) => instruction === 'a'))).toEqual([
      1,
    ]);
  });

  it('does not take a location with two ways in for a cycle', () => {
    const thread = automaton(4, '0 a 1', '0 a 2', '1 a 3', '2 a 3');
    expect(chosen(computeCycleClosers(thread))).toEqual([]);
  });
});
