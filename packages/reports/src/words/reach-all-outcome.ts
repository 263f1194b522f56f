import type { Program } from '@fencewright/model/program/program.js';
import type { AllInstancesReach, OverAll } from '@fencewright/model/verdict/all-instances-reach.js';
import { standingIn } from '@fencewright/model/verdict/answer-over-all.js';

/** The outcome for all claims over all instances: the first that applies. */
export type ReachAllOutcome = 'error' | 'breaks' | 'wrong-under-sc' | 'unknown' | 'holds';

/** The answer about all instances; `program` has the templates. */
export function reachAllOutcome(
  program: Program,
  { claims, diagnostics }: AllInstancesReach,
): ReachAllOutcome {
  if (diagnostics.length > 0) return 'error';
  const standings = claims.map((one) => standingIn(program, one));
  if (standings.includes('breaks')) return 'breaks';
  if (standings.includes('wrong-under-sc')) return 'wrong-under-sc';
  return standings.includes('open') ? 'unknown' : 'holds';
}

/** The verdict as for fixed numbers of copies: a question holds if the state in question exists. */
export function verdictOverAll(
  { kind }: OverAll,
  isQuestion: boolean,
): 'holds' | 'violated' | 'unknown' {
  if (kind === 'unknown') return 'unknown';
  return (kind === 'in') === isQuestion ? 'holds' : 'violated';
}
