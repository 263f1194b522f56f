import {
  type BenchRow,
  type ErrorCause,
  diagnosticsText,
  diagnosticToJson,
  type JsonCheckResult,
  type JsonFenceResult,
  type JsonProveResult,
  type JsonReachResult,
  type ProofRow,
  type JsonTrfResult,
  nestedTooDeeply,
  quoteName,
  isRemark,
} from '@fencewright/core';
import {
  type CiFindings,
  findingsOfInputErrors,
  findingsOfInternalError,
  findingsOfUndecided,
} from './ci-findings.js';
import { type ExitCode, exitCodes } from './exit-codes.js';
import { internalErrorText, toFailure } from './internal-error.js';
import type { LoadedFile } from './load-program.js';
import { terminalPalette } from './palette.js';
import type { RunSettings } from './run-settings.js';

/** The complete output of a verb for one file, ready to print. */
export interface FileReport {
  readonly exitCode: ExitCode;
  readonly stdout: string;
  readonly stderr: string;
  readonly json:
    JsonCheckResult | JsonReachResult | JsonFenceResult | JsonProveResult | JsonTrfResult;
  /** The findings about the file for reports to continuous integration; only from `check`. */
  readonly ci?: CiFindings;
  /** The row of the table about the file; only from `bench`. */
  readonly row?: BenchRow;
  /** The row of the table about the proof; only from `prove` and `bench --suite reduction`. */
  readonly proofRow?: ProofRow;
}

/** The output of a verb for one file; `json` is absent for verbs without a JSON document. */
export type PrintedReport = Omit<FileReport, 'json'> & Partial<Pick<FileReport, 'json'>>;

/**
 * Returns the diagnostics of a file as text for stderr; an empty text with `--json`, as the JSON
 * document has the diagnostics.
 */
export function diagnosticsOutput(
  { file, source, diagnostics }: LoadedFile,
  more: LoadedFile['diagnostics'],
  settings: RunSettings,
): string {
  if (settings.json) return '';
  const palette = terminalPalette(settings.colours.stderr);
  const all = [...diagnostics, ...more];
  // A remark without a hint says nothing on which an answer rests.
  const told = all.filter((each) => !isRemark(each) || each.hint !== undefined);
  return diagnosticsText(file, source, told, palette);
}

/** Returns the report on a file that cannot be checked because of errors in the file. */
export function inputErrorReport(
  loaded: LoadedFile,
  settings: RunSettings,
  cause: ErrorCause = 'program',
): FileReport {
  const { file, diagnostics } = loaded;
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  return {
    exitCode: exitCodes.input,
    stdout: '',
    stderr: diagnosticsOutput(loaded, [], settings),
    json: { file, verdict: 'error', cause, diagnostics: diagnostics.map(diagnosticToJson) },
    ci: findingsOfInputErrors(loaded),
    row: { name: file, failure: errors === 1 ? '1 error' : `${errors} errors` },
  };
}

/** Returns the report on a file that was not begun before the user stopped the run. */
export function cancelledReport(file: string): FileReport {
  return {
    exitCode: exitCodes.unknown,
    stdout: `${quoteName(file)} is undecided: the run was cancelled before it\n`,
    stderr: '',
    json: { file, verdict: 'unknown', reason: 'cancelled', diagnostics: [] },
    ci: findingsOfUndecided(file, 'the run was cancelled before this file'),
    row: { name: file, failure: 'cancelled' },
  };
}

/** The messages for files whose work ended before the first result. */
export const reasonOfOverrun = {
  time: 'the time ran out before anything was found out; give it more with --timeout',
  work: 'the limit on work was reached before anything was found out; give it more with --effort',
  memory:
    'the limit on memory was reached before anything was found out; give it more with --max-memory',
  cancelled: 'the run was cancelled before anything was found out',
} as const;

/**
 * Returns the report on a file whose work was ended, for the given reason, before there was a
 * result.
 */
export function overrunReport(file: string, reason: keyof typeof reasonOfOverrun): FileReport {
  return {
    exitCode: exitCodes.unknown,
    stdout: `${quoteName(file)} is undecided: ${reasonOfOverrun[reason]}\n`,
    stderr: '',
    json: { file, verdict: 'unknown', reason, diagnostics: [] },
    ci: findingsOfUndecided(file, reasonOfOverrun[reason]),
    row: { name: quoteName(file), failure: 'unknown' },
  };
}

/** Returns the report on a file nested more deeply than the stack allows. */
export function tooDeepReport(file: string, settings: RunSettings): FileReport {
  return inputErrorReport({ file, diagnostics: [nestedTooDeeply()] }, settings);
}

/** Returns the report on a file that made the tool fail. */
export function internalErrorReport(file: string, error: unknown): FileReport {
  const { message: internalError } = toFailure(error);
  return {
    exitCode: exitCodes.internal,
    stdout: '',
    stderr: internalErrorText(error, file),
    json: { file, verdict: 'error', cause: 'tool', diagnostics: [], internalError },
    ci: findingsOfInternalError(file, internalError),
    row: { name: file, failure: 'internal error' },
  };
}
