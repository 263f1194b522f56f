import type { ProveResult, ProveVerdict, ResultOf } from '@fencewright/core';
import { proveReport, proveToJson } from '@fencewright/core/prove';
import { adviceInWords } from './advice-in-words.js';
import { type ExitCode, exitCodes } from './exit-codes.js';
import { diagnosticsOutput, type FileReport } from './file-report.js';
import type { ReadFile } from './finding.js';
import { terminalPalette } from './palette.js';
import type { RunSettings } from './run-settings.js';

const exitCodeOf: Readonly<Record<ProveVerdict['kind'], ExitCode>> = {
  proved: exitCodes.robust,
  'not-robust': exitCodes.notRobust,
  unknown: exitCodes.unknown,
};

/**
 * Returns the outcome of an attempted proof, for all verbs that try proofs; `canInfer`: the user
 * can still ask for inference.
 */
export async function reportOnProof(
  read: ReadFile,
  { about: program, result }: ResultOf<'prove'>,
  run: RunSettings,
  canInfer = false,
): Promise<FileReport> {
  const { file, diagnostics } = read;
  const subject = { file, program, advise: adviceInWords, ...(canInfer && { canInfer }) };
  const report = proveReport(subject, result, terminalPalette(run.colours.stdout));
  const isUnanswered = result.properties.some(({ verdict }) => verdict === 'unknown');
  return {
    exitCode: isUnanswered ? exitCodes.unknown : exitCodeOf[result.verdict.kind],
    stdout: report + (await abstractedProgram(result)),
    stderr: diagnosticsOutput(read, result.diagnostics, run),
    json: proveToJson(file, program, result, diagnostics),
    proofRow: { name: program.templates.name, result },
  };
}

/**
 * Returns the text of the program with the abstractions found by inference, for further work by the
 * user.
 */
async function abstractedProgram({ abstraction }: ProveResult): Promise<string> {
  if (!abstraction) return '';
  const { printNative } = await import('@fencewright/core/native');
  return `\n${printNative(abstraction)}`;
}
