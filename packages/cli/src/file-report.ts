import {
  type BenchRow,
  diagnosticsText,
  diagnosticToJson,
  type JsonCheckResult,
  type JsonFenceResult,
  type JsonProveResult,
  type JsonReachResult,
  type ProofRow,
  type JsonTrfResult,
} from '@fencewright/core';
import {
  type CiFindings,
  findingsOfCancelled,
  findingsOfInputErrors,
  findingsOfInternalError,
} from './ci-findings.js';
import { type ExitCode, exitCodes } from './exit-codes.js';
import { internalErrorText } from './internal-error.js';
import type { LoadedFile } from './load-program.js';
import { terminalPalette } from './palette.js';
import type { Settings } from './settings.js';
import { writeWhole } from './write-whole.js';

/** All that a verb has to say about one file; plain data, so that a worker can send it. */
export interface FileReport {
  readonly exitCode: ExitCode;
  readonly stdout: string;
  readonly stderr: string;
  readonly json:
    JsonCheckResult | JsonReachResult | JsonFenceResult | JsonProveResult | JsonTrfResult;
  /** For `check`. */
  readonly ci?: CiFindings;
  /** For `bench`. */
  readonly row?: BenchRow;
  /** For `prove`, and `bench --suite reduction`. */
  readonly proofRow?: ProofRow;
}

/** The diagnostics of a file as text for stderr; none with `--json`, whose document has them. */
export function diagnosticsFor(
  { file, source, diagnostics }: LoadedFile,
  more: LoadedFile['diagnostics'],
  settings: Settings,
): string {
  if (settings.json) return '';
  const palette = terminalPalette(settings.colours.stderr);
  return diagnosticsText(file, source, [...diagnostics, ...more], palette);
}

/** The report on a file that cannot be checked because of errors in it. */
export function inputErrorReport(loaded: LoadedFile, settings: Settings): FileReport {
  const { file, diagnostics } = loaded;
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  return {
    exitCode: exitCodes.input,
    stdout: '',
    stderr: diagnosticsFor(loaded, [], settings),
    json: { file, verdict: 'error', diagnostics: diagnostics.map(diagnosticToJson) },
    ci: findingsOfInputErrors(loaded),
    row: { name: file, failure: errors === 1 ? '1 error' : `${errors} errors` },
  };
}

/** The report on a file that was not reached before the user stopped the run. */
export function cancelledReport(file: string): FileReport {
  return {
    exitCode: exitCodes.unknown,
    stdout: `${file} is undecided: the run was cancelled before it\n`,
    stderr: '',
    json: { file, verdict: 'unknown', reason: 'cancelled', diagnostics: [] },
    ci: findingsOfCancelled(file),
    row: { name: file, failure: 'cancelled' },
  };
}

/** The report on a file that made the tool fail. */
export function internalErrorReport(file: string, error: unknown): FileReport {
  const internalError = error instanceof Error ? error.message : String(error);
  return {
    exitCode: exitCodes.internal,
    stdout: '',
    stderr: internalErrorText(error, file),
    json: { file, verdict: 'error', diagnostics: [], internalError },
    ci: findingsOfInternalError(file, internalError),
    row: { name: file, failure: 'internal error' },
  };
}

/** Writes the certificate, and says so. */
export async function withCertificate(
  report: FileReport,
  output: string,
  certificate: object,
): Promise<FileReport> {
  const failure = await writeWhole(output, `${JSON.stringify(certificate, null, 1)}\n`);
  if (failure === undefined)
    return { ...report, stdout: `${report.stdout}\nthe certificate is in ${output}\n` };
  const stderr = `${report.stderr}fencewright: ${output} cannot be written: ${failure}\n`;
  return { ...report, exitCode: exitCodes.usage, stderr };
}
