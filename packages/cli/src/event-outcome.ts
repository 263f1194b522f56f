import type {
  CriterionVerdict,
  EventCheckResult,
  EventProgram,
  EventSubject,
} from '@fencewright/core';
import { eventVerdict } from '@fencewright/core/event-verdict';
import { eventCheckToJson } from '@fencewright/core/events';
import { adviceInWords } from './advice-in-words.js';
import { type ExitCode, exitCodes } from './exit-codes.js';
import { diagnosticsOutput, type FileReport } from './file-report.js';
import type { ReadFile } from './finding.js';
import type { RunSettings } from './run-settings.js';

const exitCodeOf: Readonly<Record<CriterionVerdict['kind'], ExitCode>> = {
  robust: exitCodes.robust,
  'not-robust': exitCodes.notRobust,
  unknown: exitCodes.unknown,
  'not-asked': exitCodes.unknown,
  error: exitCodes.input,
};

/** Returns a file and its program of events in the form that reports expect. */
export function eventSubjectOf(read: ReadFile, program: EventProgram): ReadFile & EventSubject {
  return { ...read, program, advise: adviceInWords };
}

/** Returns the outcome of checking a program of events; `stdout` is the report. */
export function reportOnEventCheck(
  subject: EventSubject & ReadFile,
  result: EventCheckResult,
  run: RunSettings,
  stdout: string,
): FileReport {
  const { file, program, diagnostics } = subject;
  return {
    exitCode: exitCodeOf[eventVerdict(result).kind],
    stdout,
    stderr: diagnosticsOutput(subject, result.diagnostics, run),
    json: eventCheckToJson(file, program, result, diagnostics),
  };
}
