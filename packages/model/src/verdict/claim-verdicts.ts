import type { Program } from '../program/program.js';
import type { Computation } from '../trace/computation.js';
import { claimsOf } from './claims-of.js';
import { compareAssertions, knowsAssertions, type ReachResult } from './reach-result.js';
import type { Claim } from './state-answer.js';

/** Whether a claim holds under one memory model. */
export type ClaimTruth = 'holds' | 'violated' | 'unknown';

/** The verdicts of SC and TSO on a claim, with computations that show them, if any. */
export interface ClaimVerdict {
  readonly claim: Claim;
  readonly sc: ClaimTruth;
  readonly tso: ClaimTruth;
  readonly underSc?: Computation;
  readonly underTso?: Computation;
}

/** Returns the verdicts on all claims of the program, in the order of `claimsOf`. */
export function claimVerdicts(
  program: Program,
  { sc, tso }: Pick<ReachResult, 'sc' | 'tso'>,
): readonly ClaimVerdict[] {
  const compared = compareAssertions({ sc, tso });
  const unfailing = knowsAssertions(sc) && knowsAssertions(tso) ? 'holds' : 'unknown';
  return claimsOf(program).map((claim): ClaimVerdict => {
    if (claim.kind === 'property') {
      const [one, other] = [sc.properties[claim.property], tso.properties[claim.property]];
      return {
        ...{ claim, sc: one?.verdict ?? 'unknown', tso: other?.verdict ?? 'unknown' },
        ...(one?.computation && { underSc: one.computation }),
        ...(other?.computation && { underTso: other.computation }),
      };
    }
    const isIt = (one: { readonly thread: number; readonly transition: number }): boolean =>
      one.thread === claim.thread && one.transition === claim.transition;
    const found = compared.find(isIt);
    if (!found) return { claim, sc: unfailing, tso: unfailing };
    const underSc = sc.failedAssertions.find(isIt)?.computation;
    const underTso = tso.failedAssertions.find(isIt)?.computation;
    return {
      claim,
      sc: found.sc === 'fails' ? 'violated' : found.sc,
      tso: found.tso === 'fails' ? 'violated' : found.tso,
      ...(underSc && { underSc }),
      ...(underTso && { underTso }),
    };
  });
}
