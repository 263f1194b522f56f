import { Budget, type Limits } from '../base/budget.js';
import { checkEventTso } from '../events/threads/check-event-tso.js';
import { twoThreads } from '../events/two-threads/construct.js';
import { liftRun } from '../events/two-threads/lift-run.js';
import type { EventProgram } from '../program/event-program.js';
import type { CriterionVerdict, EventCheckResult } from '../verdict/event-check-result.js';
import { eventWitnessOf } from './judge-witness.js';

export interface TwoThreadOptions {
  readonly limits?: Limits;
  /** Postings that the construction leaves wait for the store buffer, as those of the program. */
  readonly postingFenced?: boolean;
  /** How often a body may stand on a way through a call tree and its calls. */
  readonly depth?: number;
}

/**
 * What 2-threads(P) of [BEMR18] tells of robustness against TSO (Definition 2). Theorem 2 is false
 * in both directions, so that the construction is robust is no answer; that it is not is one only
 * if what its run does is a run of P without an explanation: replayed, and judged by the
 * definition. So there is `not-robust` and `unknown`, which tells what the construction said.
 */
export async function checkTwoThreads(
  program: EventProgram,
  { limits, postingFenced = false, depth }: TwoThreadOptions = {},
): Promise<EventCheckResult> {
  const budget = new Budget(limits);
  const two = twoThreads(program);
  const { verdict, states } = await checkEventTso(two.program, {
    budget,
    postingFenced,
    ...(depth !== undefined && { bounds: { depth } }),
  });
  const tso = ((): CriterionVerdict => {
    if (verdict.kind === 'not-robust') {
      const run = liftRun(program, two, verdict.witness.run, { postingFenced });
      const witness = run && eventWitnessOf(program, run, 'tso', postingFenced);
      if (witness) return { kind: 'not-robust', witness };
    }
    return { kind: 'unknown', why: { kind: 'two-threads', said: verdict.kind } };
  })();
  return {
    against: 'tso',
    isPostingFenced: postingFenced,
    criteria: { concurrency: { kind: 'not-asked' }, tso, tsoSerial: { kind: 'not-asked' } },
    statistics: { states, milliseconds: budget.milliseconds },
    diagnostics: [],
  };
}
