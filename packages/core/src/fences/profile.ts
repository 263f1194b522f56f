import { SeededRandom } from '../base/random.js';
import type { Program } from '../program/program.js';
import { initialState, successors } from '../semantics/machine.js';
import { compileProgram } from '../semantics/thread-code.js';
import type { CostModel } from './repair-problem.js';
import { threadsOfText } from './text-thread.js';

export interface ProfileOptions {
  readonly seed: number;
  readonly runs: number;
  /** Steps after which a run is cut off. */
  readonly maxSteps?: number;
}

/** How often each instruction was executed; indexed by thread, then by `TransitionId`. */
export type ExecutionCounts = readonly (readonly number[])[];

/** Counts executions in random SC runs from the initial state, each step chosen evenly among the possible ones. */
export function countExecutions(
  program: Program,
  { seed, runs, maxSteps = 1000 }: ProfileOptions,
): ExecutionCounts {
  const code = compileProgram(program);
  const random = new SeededRandom(seed);
  const counts = program.threads.map(({ transitions }) => transitions.map(() => 0));
  for (let run = 0; run < runs; run++) {
    let state = initialState(program);
    for (let step = 0; step < maxSteps; step++) {
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
 * A repair costs the number of times it would be executed in seeded random SC runs, plus one, so that no cost is 0 ([BDM13] Sect. 7,
 * program performance).
 */
export function profileCosts(program: Program, options: ProfileOptions): CostModel {
  const counts = countExecutions(program, options);
  const count = (thread: number, transition: number): number =>
    threadsOfText(program, thread).reduce((sum, t) => sum + (counts[t]?.[transition] ?? 0), 0);
  return {
    name: 'profile',
    fence: (t, location) => {
      const { transitions = [] } = program.threads[t] ?? {};
      // What passes a place leaves its location, what passes an end comes there.
      const isEnd = transitions.every(({ from }) => from !== location);
      return transitions.reduce(
        (sum, { from, to }, id) => ((isEnd ? to : from) === location ? sum + count(t, id) : sum),
        1,
      );
    },
    xchg: (t, store) => 1 + count(t, store),
  };
}
