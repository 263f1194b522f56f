import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import type { LocationId, ThreadId } from '@fencewright/model/program/ids.js';
import type { InstrumentedProgram } from '@fencewright/model/instrumented/instrumented.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { ReachabilityQuery } from '@fencewright/model/reach/engine.js';
import { createExplicitEngine } from '../../src/explicit/explicit-engine.js';
import { exploreMachine } from '@fencewright/model/semantics/explore-machine.js';
import { initialState, successors } from '@fencewright/model/semantics/machine.js';
import { compileProgram } from '@fencewright/model/semantics/thread-code.js';
import { randomProgram } from '../../src/testing/random-program.js';
import { programOf } from '../../../engines/test/robustness/native-program.js';

const plain = createExplicitEngine({ localFirst: false, maskDeadRegisters: false });
const reduced = createExplicitEngine();

type Goal = { readonly thread: ThreadId; readonly location: LocationId };

/**
 * The shortest distance under SC to each location of each thread: `distances[thread][location]`,
 * and the number of states.
 */
async function distancesUnderSc(program: Program) {
  const distances: (number | undefined)[][] = program.threads.map(() => []);
  const { states } = await exploreMachine('SC', program, new Budget(), {
    onState({ state, computation }) {
      // Under SC a store is two actions and one step.
      const steps = computation().filter(({ kind }) => kind !== 'store').length;
      state.locations.forEach((location, thread) => {
        const own = distances[thread];
        if (own) own[location] = Math.min(own[location] ?? steps, steps);
      });
    },
    onFailedAssertion: () => undefined,
  });
  return { distances, states };
}

/** Whether the run is possible under SC, and leads to the goal. */
function leadsTo(
  program: Program,
  goal: Goal,
  run: readonly { thread: number; transition: number; choice?: number }[],
): boolean {
  const code = compileProgram(program);
  let state = initialState(program);
  for (const { thread, transition, choice } of run) {
    const step = successors('SC', code, state).steps.find(
      ({ actions: [action] }) =>
        action?.thread === thread &&
        action.transition === transition &&
        (action.kind !== 'local' || action.choice === choice),
    );
    if (!step) return false;
    ({ state } = step);
  }
  return state.locations[goal.thread] === goal.location;
}

describe('on random programs', () => {
  test('without reductions it stores the SC states of the machine, one for one', async () => {
    let largest = 0;
    await fc.assert(
      fc.asyncProperty(randomProgram({ loops: true }), async (program) => {
        const { states } = await exploreMachine('SC', program, new Budget(), {
          onState: () => undefined,
          onFailedAssertion: () => undefined,
        });
        const answer = await plain.explore({ program, goals: [] }, new Budget());
        expect(answer.states).toBe(states);
        expect(answer.incomplete).toBeUndefined();
        const fewer = await reduced.explore({ program, goals: [] }, new Budget());
        expect(fewer.states).toBeLessThanOrEqual(states);
        largest = Math.max(largest, states);
      }),
      { numRuns: randomRuns(300, 6000), seed: randomSeed(4) },
    );
    expect(largest).toBeGreaterThan(500);
  });

  test('it finds a goal iff it can be reached, by a run of the program, a shortest one without reductions', async () => {
    const found = { reachable: 0, not: 0 };
    await fc.assert(
      fc.asyncProperty(randomProgram({ loops: true }), fc.nat(), async (program, choice) => {
        const goals = program.threads.flatMap(({ locations }, thread) =>
          locations.map((_, location) => ({ thread, location })),
        );
        const goal = goals[choice % goals.length];
        if (!goal) return;
        const { distances } = await distancesUnderSc(program);
        const distance = distances[goal.thread]?.[goal.location];
        found[distance === undefined ? 'not' : 'reachable']++;
        for (const engine of [plain, reduced]) {
          const answer = await engine.explore({ program, goals: [goal] }, new Budget());
          expect(answer.goals).toHaveLength(distance === undefined ? 0 : 1);
          const run = answer.goals[0]?.run;
          if (!run) continue;
          expect(leadsTo(program, goal, run)).toBe(true);
          if (engine === plain) expect(run).toHaveLength(distance ?? 0);
        }
      }),
      { numRuns: randomRuns(200, 4000), seed: randomSeed(5) },
    );
    expect(Math.min(found.reachable, found.not)).toBeGreaterThan(20);
  });
});

describe('goals', () => {
  const program = programOf('var x thread a { x = 1; x = 2; x = 3; } thread b { local r; r = x; }');

  test('an initial state may be one', async () => {
    const goals = [{ thread: 0, location: program.threads[0]?.initial ?? 0 }];
    const answer = await plain.explore({ program, goals }, new Budget());
    expect(answer.goals).toEqual([{ observed: [], run: [] }]);
  });

  test('all goals: one run for every combination of observed values', async () => {
    const set = (value: number) =>
      ({
        kind: 'auxiliary-store',
        space: 'control',
        address: { kind: 'constant', value: 5 },
        value: { kind: 'constant', value },
      }) as const;
    const locations = ['start', 'set', 'goal'].map((name) => ({ name, hidden: false }));
    const observed: InstrumentedProgram = {
      name: 'observed',
      symbols: [],
      properties: [],
      threads: [
        {
          name: 't',
          registers: [],
          locations,
          initial: 0,
          transitions: [7, 8, 7].map((value, i) => ({
            from: 0,
            to: i === 2 ? 2 : 1,
            instruction: { kind: 'block', steps: [set(value)] },
            origin: {},
          })),
        },
      ],
    };
    const query: ReachabilityQuery = {
      program: {
        ...observed,
        threads: observed.threads.map((thread) => ({
          ...thread,
          transitions: [
            ...thread.transitions,
            { from: 1, to: 2, instruction: { kind: 'skip' }, origin: {} },
          ],
        })),
      },
      goals: [{ thread: 0, location: 2 }],
      observe: [5, 6],
    };
    const all = await plain.explore({ ...query, allGoals: true }, new Budget());
    expect(all.goals.map(({ observed: values, run }) => [values, run.length])).toEqual([
      [[7, 0], 1],
      [[8, 0], 2],
    ]);
    const first = await plain.explore(query, new Budget());
    expect(first.goals).toHaveLength(1);
  });
});

describe('blocks', () => {
  test('are executed as one, or not at all', async () => {
    const block: InstrumentedProgram = {
      name: 'blocks',
      symbols: [{ name: 'x', base: 0, length: 1, isArray: false, initial: [0] }],
      properties: [],
      threads: [
        {
          name: 't',
          registers: [{ name: 'r', hidden: false }],
          locations: ['start', 'end', 'never'].map((name) => ({ name, hidden: false })),
          initial: 0,
          transitions: [0, 1].map((wanted) => ({
            from: 0,
            to: 1 + wanted,
            origin: {},
            instruction: {
              kind: 'block',
              steps: [
                {
                  kind: 'store',
                  address: { kind: 'constant', value: 0 },
                  value: { kind: 'constant', value: 4 },
                },
                {
                  kind: 'assume',
                  condition: { kind: 'constant', value: 1 - wanted },
                },
              ],
            },
          })),
        },
      ],
    };
    const answer = await plain.explore({ program: block, goals: [] }, new Budget());
    // The start, and the state after the first block; the second block blocks after its store.
    expect(answer.states).toBe(2);
  });
});

describe('faults', () => {
  test('are reported once for each instruction, and the search goes on', async () => {
    const program = programOf(
      'var x thread a { local r, q; q = 1 / r; } thread b { x = 1; x = 2; }',
    );
    const answer = await plain.explore({ program, goals: [] }, new Budget());
    expect(answer.faults).toEqual([{ thread: 0, transition: 0, fault: 'division-by-zero' }]);
    expect(answer.states).toBe(3);
    expect(answer.incomplete).toBeUndefined();
  });
});
