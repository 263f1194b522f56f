import {
  type NoRepairProof,
  quoteName,
  reasonInWords,
  type UnknownReason,
} from '@fencewright/core';
import { exitCodes } from './exit-codes.js';
import type { FileReport } from './file-report.js';
import { writeWhole } from './write-whole.js';

/** Returns the message that no certificate was written to `output`, with the reason. */
export function noCertificate(output: string, why: string): string {
  return `fencewright: ${quoteName(output)} is not written: ${why}\n`;
}

/** Returns the reason, in words, why an answer that could have a proof has none. */
export function whyNoProof(uncertified: UnknownReason | NoRepairProof | undefined): string {
  if (typeof uncertified === 'object') return whyNoRepairProof(uncertified);
  if (uncertified === 'effort') return 'the proof is too large';
  const reason =
    uncertified === undefined ? 'this kind of answer has no proof' : reasonInWords[uncertified];
  return `no proof was found, ${reason}`;
}

function whyNoRepairProof(why: NoRepairProof): string {
  switch (why.kind) {
    case 'goal':
      return `there are no certificates for --for ${why.goal}`;
    case 'process-end':
      return 'there are no certificates for progress if the process may end before its threads';
    case 'created':
      return 'there are no certificates for progress if threads are created during the execution';
    case 'places':
      return 'certificates are about places between statements of the file, and these fences have none';
  }
}

/** Returns the report with the reason why the requested certificate was not written. */
export function withoutCertificate(
  report: FileReport,
  output: string,
  why: string,
  exitCode = report.exitCode,
): FileReport {
  return { ...report, exitCode, stderr: report.stderr + noCertificate(output, why) };
}

/** Writes the certificate to a file, and adds a line about the file to the report. */
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
