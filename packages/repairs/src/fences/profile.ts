import { Budget, type Exhaustion } from '@fencewright/ground/base/budget.js';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import type { Program } from '@fencewright/model/program/program.js';
import { initialState, successors } from '@fencewright/model/semantics/machine.js';
import { compileProgram } from '@fencewright/model/semantics/thread-code.js';
import type { CostModel } from './repair-problem.js';
import { threadsOfText } from './text-thread.js';

export interface ProfileOptions {
  readonly seed: number;
  readonly runs: number;
  /** The maximum number of steps of a run; 1000 by default. */
  readonly maxSteps?: number;
}

/** The number of executions of each instruction; indexed by thread, then by `TransitionId`. */
export type ExecutionCounts = readonly (readonly number[])[];

/** The number of steps of a run between two checks of the clock. */
const stepsPerCheckpoint = 256;

/**
 * Counts how often instructions are executed in random SC runs from the initial state, with steps
 * chosen uniformly among the possible ones; or returns the limit that ended the runs early. Runs
 * store no states: only time and the signal end them.
 */
async function countExecutions(
  program: Program,
  { seed, runs, maxSteps = 1000 }: ProfileOptions,
  budget: Budget = new Budget(),
): Promise<ExecutionCounts | Exhaustion> {
  const code = compileProgram(program);
  const random = new SeededRandom(seed);
  const counts = program.threads.map(({ transitions }) => transitions.map(() => 0));
  let untilCheckpoint = 0;
  for (let run = 0; run < runs; run++) {
    let state = initialState(program);
    for (let step = 0; step < maxSteps; step++) {
      if (untilCheckpoint-- === 0) {
        const exhausted = await budget.checkpoint(0, 0);
        if (exhausted) return exhausted;
        untilCheckpoint = stepsPerCheckpoint;
      }
      const { steps } = successors('SC', code, state);
      const next = steps[random.below(steps.length)];
      const [action] = next?.actions ?? [];
      if (!next || !action) break;
      const own = counts[action.thread];
      if (own) own[action.transition] = (own[action.transition] ?? 0) + 1;
      ({ state } = next);
    }
  }
  return counts;
}

/**
 * Computes a cost model in which a repair costs the number of its executions in seeded random SC
 * runs, plus one, so that no cost is 0 ([BDM13] Sect. 7, program performance). Returns the limit if
 * the runs ended early.
 */
export async function profileCosts(
  program: Program,
  options: ProfileOptions,
  budget?: Budget,
): Promise<CostModel | Exhaustion> {
  const counts = await countExecutions(program, options, budget);
  if (typeof counts === 'string') return counts;
  const count = (thread: number, transition: number): number =>
    threadsOfText(program, thread).reduce((sum, t) => sum + (counts[t]?.[transition] ?? 0), 0);
  return {
    name: 'profile',
    fence: (t, location) => {
      const { transitions = [] } = program.threads[t] ?? {};
      // Passing a place means leaving its location, passing an end means arriving.
      const isEnd = transitions.every(({ from }) => from !== location);
      return transitions.reduce(
        (sum, { from, to }, id) => ((isEnd ? to : from) === location ? sum + count(t, id) : sum),
        1,
      );
    },
    xchg: (t, store) => 1 + count(t, store),
    addsUp: true,
  };
}
