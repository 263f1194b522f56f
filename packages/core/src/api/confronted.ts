import type { Limits } from '@fencewright/ground/base/budget.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import { plainPalette } from '@fencewright/reports/text/palette.js';
import { proveReport } from '@fencewright/reports/text/prove.js';
import { computationLines } from '@fencewright/reports/text/table.js';
import type { ProveResult } from '@fencewright/model/verdict/prove-result.js';
import { confrontProof, type ProofClaim } from '@fencewright/proofs/strategy/confront-proof.js';
import { check } from './check.js';

/**
 * Returns the result of a proof, after a search for an execution that refutes the proof. Throws
 * `InternalError` with the proof and the execution if there is one: the proof or the search is then
 * wrong.
 */
export async function confronted(
  result: ProveResult,
  claim: ProofClaim,
  limits: Limits,
): Promise<ProveResult> {
  const found = await confrontProof(claim, limits, check);
  if (!('because' in found)) return { ...result, confrontation: found };
  const { instance, computation, cycle, because } = found;
  const { original } = claim;
  const names = instance.threads.map(({ name }) => name).join(', ');
  throw new InternalError(
    `a proof is refuted by an execution: ${because}`,
    [
      'What is said to be proved:',
      '',
      proveReport({ file: original.templates.name, program: original }, result, plainPalette),
      `What refutes it, with the threads ${names}: ${because}`,
      '',
      ...computationLines(instance, computation, cycle, plainPalette),
    ].join('\n'),
  );
}
