import {
  type CheckResult,
  checkToJson,
  type ExplainedAttacks,
  type Replay,
  type Subject,
} from '@fencewright/core';
import { type ExitCode, exitCodes } from './exit-codes.js';
import { diagnosticsOutput, type FileReport } from './file-report.js';
import type { ReadFile } from './finding.js';
import type { RunSettings } from './run-settings.js';

const exitCodeOf: Readonly<Record<CheckResult['verdict']['kind'], ExitCode>> = {
  robust: exitCodes.robust,
  'not-robust': exitCodes.notRobust,
  unknown: exitCodes.unknown,
  error: exitCodes.input,
};

/**
 * Returns the outcome of a check of robustness, for all verbs that make a check; `stdout` is the
 * report.
 */
export function reportOnCheck(
  subject: Subject & ReadFile,
  result: CheckResult,
  run: RunSettings,
  stdout: string,
  replayed?: Replay,
  explained?: ExplainedAttacks,
): FileReport {
  const { file, program, diagnostics } = subject;
  return {
    exitCode: exitCodeOf[result.verdict.kind],
    stdout,
    stderr: diagnosticsOutput(subject, result.diagnostics, run),
    json: checkToJson(file, program, result, diagnostics, replayed, explained),
  };
}
