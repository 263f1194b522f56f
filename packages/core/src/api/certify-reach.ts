import type { Budget } from '@fencewright/ground/base/budget.js';
import { certifyUnreached } from '@fencewright/engines/load-buffers/state-certificate.js';
import { hasKind } from '@fencewright/model/program/has-kind.js';
import type { Program } from '@fencewright/model/program/program.js';
import { knowsAssertions, type ReachResult } from '@fencewright/model/verdict/reach-result.js';
import type { ResultOf } from './result.js';

/**
 * Returns the certificate of all claims that hold under TSO and that a certificate can contain:
 * `never`, `finally`, an unreached `exists`, and the assertions if none fails.
 */
export async function certifyReach(
  program: Program,
  { tso }: ReachResult,
  budget: Budget,
): Promise<Pick<ResultOf<'reach'>, 'certificate' | 'uncertified'>> {
  const properties = program.properties.filter(({ kind }, i) => {
    if (kind === 'stuck' || kind === 'progress') return false;
    return tso.properties[i]?.verdict === (kind === 'exists' ? 'violated' : 'holds');
  });
  const assertions =
    hasKind(program.threads, 'assert') && knowsAssertions(tso) && tso.failedAssertions.length === 0;
  if (properties.length === 0 && !assertions) return {};
  const proof = await certifyUnreached(program, { properties, assertions }, budget);
  return typeof proof === 'string' ? { uncertified: proof } : { certificate: proof };
}
