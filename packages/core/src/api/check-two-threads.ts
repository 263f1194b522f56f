import { Budget, type Limits } from '@fencewright/ground/base/budget.js';
import { checkEventTso } from '@fencewright/engines/events/threads/check-event-tso.js';
import { type TwoThreads, twoThreads } from '@fencewright/engines/events/two-threads/construct.js';
import { liftTwoThreadRun } from '@fencewright/engines/events/two-threads/lift-run.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import {
  nothingAsked,
  type CriterionVerdict,
  type EventCheckResult,
  type EventWitness,
} from '@fencewright/model/verdict/event-check-result.js';
import { eventWitnessOf } from './judge-witness.js';

interface TwoThreadCheckOptions {
  readonly limits?: Limits;
  /**
   * Makes the postings that the construction keeps wait for the store buffer, as in the given
   * program.
   */
  readonly postingFenced?: boolean;
  /**
   * The maximum number of occurrences of one event or procedure on a path through a call tree; 8 by
   * default.
   */
  readonly depth?: number;
}

/**
 * The verdict on the constructed program; if one of its runs violates robustness of the given
 * program, also that run as a witness.
 */
interface ConstructionVerdict {
  readonly said: 'robust' | 'not-robust' | 'unknown';
  readonly witness?: EventWitness;
  readonly states: number;
}

/**
 * Checks robustness against TSO ([BEMR18] Definition 2) by the construction 2-threads(P). Theorem 2
 * of [BEMR18] is false in both directions, so nothing follows if the constructed program is robust.
 * If the constructed program is not robust, its run is replayed in P, and counts only if the
 * definition finds no explanation of the run. The verdict on P is therefore `not-robust` or
 * `unknown`. `unknown` reports the verdict on the constructed program, or that there is none, if
 * events wait for milestones.
 */
export async function checkTwoThreads(
  program: EventProgram,
  { limits, postingFenced = false, depth }: TwoThreadCheckOptions = {},
): Promise<EventCheckResult> {
  const budget = new Budget(limits);
  const bounds = depth === undefined ? undefined : { depth };
  const options = { budget, postingFenced, ...(bounds && { bounds }) };
  const resultOf = (tso: CriterionVerdict, states: number): EventCheckResult => ({
    against: 'tso',
    isPostingFenced: postingFenced,
    criteria: { ...nothingAsked, tso },
    statistics: { states, milliseconds: budget.milliseconds },
    faults: { kind: 'not-looked-for' },
    diagnostics: [],
  });
  const ask = async (two: TwoThreads): Promise<ConstructionVerdict> => {
    const { verdict, states } = await checkEventTso(two.program, options);
    if (verdict.kind !== 'not-robust') return { said: verdict.kind, states };
    const run = liftTwoThreadRun(program, two, verdict.witness.run, { postingFenced });
    const witness = run && eventWitnessOf(program, run, 'tso', postingFenced);
    return { said: verdict.kind, states, ...(witness && { witness }) };
  };
  // The construction has no milestones.
  if (program.milestones) {
    const why = { kind: 'limit', reason: 'unsupported' } as const;
    return resultOf({ kind: 'unknown', why }, 0);
  }
  const printed = await ask(twoThreads(program));
  const isInDoubt = printed.said === 'not-robust' && !printed.witness;
  // In this construction, Main may have read a value from the store buffer of Main. With
  // `mainWaits`, only the second thread delays stores.
  const drained = isInDoubt ? await ask(twoThreads(program, { mainWaits: true })) : undefined;
  const witness = printed.witness ?? drained?.witness;
  const tso: CriterionVerdict = witness
    ? { kind: 'not-robust', witness }
    : { kind: 'unknown', why: { kind: 'two-threads', said: printed.said } };
  return resultOf(tso, printed.states + (drained?.states ?? 0));
}
