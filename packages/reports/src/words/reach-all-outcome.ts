import type { Program } from '@fencewright/model/program/program.js';
import type { AllInstancesReach, OverAll } from '@fencewright/model/verdict/all-instances-reach.js';
import { standingIn } from '@fencewright/model/verdict/answer-over-all.js';

/**
 * The answer on all claims of a program, decided for all numbers of copies: the first word that
 * applies.
 */
export type ReachAllOutcome = 'error' | 'breaks' | 'wrong-under-sc' | 'hangs' | 'unknown' | 'holds';

/**
 * Returns the answer on all claims, decided for all numbers of copies; `program` has one thread for
 * each template.
 */
export function reachAllOutcome(
  program: Program,
  { claims, diagnostics, answer }: AllInstancesReach,
): ReachAllOutcome {
  if (diagnostics.length > 0) return 'error';
  const standings = claims.map((one) => standingIn(program, one));
  if (standings.includes('breaks')) return 'breaks';
  if (standings.includes('wrong-under-sc')) return 'wrong-under-sc';
  if (answer.kind === 'hangs') return 'hangs';
  return standings.includes('open') ? 'unknown' : 'holds';
}

/**
 * Returns the verdict on a claim in the words for fixed numbers of copies: a question (`exists`,
 * with `isQuestion`) holds if the state in question is reached.
 */
export function verdictOverAll(
  { kind }: OverAll,
  isQuestion: boolean,
): 'holds' | 'violated' | 'unknown' {
  if (kind === 'unknown') return 'unknown';
  return (kind === 'in') === isQuestion ? 'holds' : 'violated';
}
