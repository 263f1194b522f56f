import { verifyCertificate } from '@fencewright/verifier';
import type { Proof } from '../../src/api/prove.js';
import { automataToJson } from '@fencewright/model/program/automata-json.js';
import { sealCertificate } from '@fencewright/model/program/seal-certificate.js';
import { openProgram } from '../../../proofs/test/proving.js';

/**
 * Returns the verifier's answer about the claims of a proof, after sealing and parsing the
 * certificate.
 */
export async function verifiedClaims(
  text: string,
  claims: NonNullable<Proof['claims']>,
  solvers: readonly string[],
): ReturnType<typeof verifyCertificate> {
  const sealed = await sealCertificate('proof', openProgram(text), claims);
  const given = automataToJson(openProgram(text));
  return verifyCertificate(JSON.parse(JSON.stringify(sealed)), given, { solvers });
}
