import {
  reach,
  type ReachOutcome,
  reachOutcome,
  reachReport,
  reachToJson,
} from '@fencewright/core';
import { type ExitCode, exitCodes } from '../exit-codes.js';
import { diagnosticsFor, type FileReport } from '../file-report.js';
import { terminalPalette } from '../palette.js';
import type { Hooks, Settings } from '../settings.js';
import type { CheckableFile } from '../load-program.js';

const exitCodeOf: Readonly<Record<ReachOutcome, ExitCode>> = {
  same: exitCodes.robust,
  different: exitCodes.notRobust,
  unknown: exitCodes.unknown,
  error: exitCodes.input,
};

/** `reach`: final states and properties under SC and under TSO. */
export async function reachFile(
  subject: CheckableFile,
  settings: Settings,
  hooks: Hooks,
): Promise<FileReport> {
  const { file, program, diagnostics } = subject;
  const result = await reach(program, {
    limits: { ...settings.limits, ...hooks },
    ...(settings.buffer !== undefined && { buffer: settings.buffer }),
  });
  return {
    exitCode: exitCodeOf[reachOutcome(result)],
    stdout: reachReport(subject, result, terminalPalette(settings.colours.stdout)),
    stderr: diagnosticsFor(subject, result.diagnostics, settings),
    json: reachToJson(file, program, result, diagnostics),
  };
}
