import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { certificateDigest, type Report, verifyCertificate } from '@fencewright/verifier';
import type { Templates } from '@fencewright/model/program/templates.js';
import { sealCertificate } from '@fencewright/model/program/seal-certificate.js';
import { openProgram } from '../../../proofs/test/proving.js';
import { unprovedClaims } from './unproved-claims.js';

/**
 * Returns a certificate with the strongest claims about a program, with the members in `change`
 * replaced.
 */
export async function claimed(
  text: string,
  change: object = {},
  properties: readonly string[] = [],
): Promise<object> {
  const open: Templates = openProgram(text);
  const sealed = await sealCertificate('proof', open, unprovedClaims(open, properties) ?? {});
  const certificate = { ...(JSON.parse(JSON.stringify(sealed)) as object), ...change };
  return { ...certificate, digest: certificateDigest(certificate) };
}

export const verify = (certificate: object, solvers: readonly string[] = ['z3']): Promise<Report> =>
  verifyCertificate(certificate, undefined, { solvers });

/**
 * Returns a fake z3. It answers `sat` to the question whether the premises can be satisfied, and
 * `says` to every other question; without `says`, it does not answer other questions.
 */
export function liar(says: string | undefined): string {
  const all = says === undefined ? '' : `for i in $(seq 2 $n); do printf '${says}\\n'; done\n`;
  const folder = mkdtempSync(path.join(tmpdir(), 'fencewright-liar-'));
  const command = path.join(folder, 'z3');
  writeFileSync(
    command,
    `#!/bin/sh\ngrep -c check-sat | while read n; do\nprintf 'sat\\n'\n${all}done\n`,
  );
  chmodSync(command, 0o755);
  return command;
}
