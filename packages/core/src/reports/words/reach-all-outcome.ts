import { claimsExistence } from '../../program/property.js';
import type { Program } from '../../program/program.js';
import {
  type AllInstancesReach,
  type ClaimOverAll,
  type OverAll,
  type StandingOverAll,
  standingOverAll,
} from '../../verdict/all-instances-reach.js';

/** What is claimed of all instances, together: the first that applies. */
export type ReachAllOutcome = 'error' | 'breaks' | 'wrong-under-sc' | 'unknown' | 'holds';

/** Whether a claim asks for a state, which is no fault of a program that has it. */
export function asksForState(program: Program, { claim }: Pick<ClaimOverAll, 'claim'>): boolean {
  const property = claim.kind === 'property' ? program.properties[claim.property] : undefined;
  return property !== undefined && claimsExistence(property);
}

/** What a claim comes to. */
export function standingIn(program: Program, one: ClaimOverAll): StandingOverAll {
  return standingOverAll(one, asksForState(program, one));
}

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

/** As of fixed numbers: a question holds where there is such a state. */
export function verdictOverAll(
  { kind }: OverAll,
  isQuestion: boolean,
): 'holds' | 'violated' | 'unknown' {
  if (kind === 'unknown') return 'unknown';
  return (kind === 'in') === isQuestion ? 'holds' : 'violated';
}
