import { quoteName, reasonInWords, type UnknownReason } from '@fencewright/core';
import { exitCodes } from './exit-codes.js';
import type { FileReport } from './file-report.js';
import { writeWhole } from './write-whole.js';

/** Returns the line with the reason for not writing a certificate to `output`. */
export function noCertificate(output: string, why: string): string {
  return `fencewright: ${quoteName(output)} is not written: ${why}\n`;
}

/** Returns the reason for a missing proof of an answer that could have one. */
export function whyNoProof(uncertified: UnknownReason | undefined): string {
  if (uncertified === 'effort') return 'the proof is too large';
  const reason = uncertified === undefined ? 'there is none for this' : reasonInWords[uncertified];
  return `no proof was found, ${reason}`;
}

/** Adds the reason for not writing the requested certificate to a report. */
export function withoutCertificate(
  report: FileReport,
  output: string,
  why: string,
  exitCode = report.exitCode,
): FileReport {
  return { ...report, exitCode, stderr: report.stderr + noCertificate(output, why) };
}

/** Writes the certificate, and reports the writing. */
export async function withCertificate(
  report: FileReport,
  output: string,
  certificate: object,
): Promise<FileReport> {
  const failure = await writeWhole(output, `${JSON.stringify(certificate, null, 1)}\n`);
  if (failure === undefined)
    return { ...report, stdout: `${report.stdout}\nthe certificate is in ${quoteName(output)}\n` };
  return { ...report, exitCode: exitCodes.usage, stderr: report.stderr + failure };
}
