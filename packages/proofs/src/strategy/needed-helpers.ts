import { keyOf } from '@fencewright/model/program/expression.js';
import type { Invariant } from '@fencewright/model/program/program.js';
import type { Attempt } from './attempt.js';
import { goalsOf } from './goals-of.js';
import type { Prover } from '../obligations/obligation.js';
import { selectNeeded } from '../obligations/select-needed.js';
import { tidyInvariants } from '../horn/tidy-invariants.js';

/**
 * The maximum effort of the solver for trying to leave out one inferred invariant after the other.
 */
const effort = 300_000;

/**
 * Returns the inferred invariants that the argument for some store needs, together with the written
 * ones: as few as a limited number of questions shows. Invariants that are not in `chosen` are
 * tidied up, so the result has to be proved again. Returns all inferred invariants if the solver
 * gives no answer.
 */
export async function neededHelpers(
  attempt: Attempt,
  written: readonly Invariant[],
  chosen: readonly Invariant[],
  prover: Prover,
): Promise<readonly Invariant[]> {
  const { program, invariants } = attempt;
  const given = invariants.filter((invariant) => written.includes(invariant));
  const helpers = invariants.filter((invariant) => !written.includes(invariant));
  if (helpers.every((helper) => chosen.includes(helper))) return helpers;
  const generalFirst = helpers.toSorted((a, b) => weight(a) - weight(b));
  const goals = goalsOf(attempt);
  let needed = await selectNeeded(program, given, generalFirst, goals, prover);
  if (!needed) return helpers;
  const end = prover.effort + effort;
  // General invariants were added first, and may be superfluous beside the invariants added later.
  for (const each of needed) {
    if (prover.effort > end || prover.isStopped) break;
    const others: readonly Invariant[] = needed.filter((other) => other !== each);
    needed = (await selectNeeded(program, given, others, goals, prover)) ?? needed;
  }
  const kept = needed.filter((each) => chosen.includes(each));
  const others = needed.filter((each) => !chosen.includes(each));
  const taken = new Set([...written, ...kept].map(({ name }) => name));
  let number = 0;
  const tidied = tidyInvariants(program, others, () => {
    do number++;
    while (taken.has(`inferred${number}`));
    return `inferred${number}`;
  });
  return [...kept, ...tidied];
}

/** Returns the weight of an invariant: fewer threads and shorter text weigh less. */
function weight({ binders, condition }: Invariant): number {
  return 10_000 * binders.length + keyOf(condition).length;
}
