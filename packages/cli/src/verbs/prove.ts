import { type ProveResult, type ProveVerdict, quoteName, type ResultOf } from '@fencewright/core';
import { certificateScript, proveReport, proveToJson } from '@fencewright/core/prove';
import { type ExitCode, exitCodes } from '../exit-codes.js';
import { diagnosticsFor, type FileReport } from '../file-report.js';
import type { ReadFile } from '../finding.js';
import { terminalPalette } from '../palette.js';
import type { ProofSettings, Settings } from '../settings.js';
import { writeWhole } from '../write-whole.js';

const exitCodeOf: Readonly<Record<ProveVerdict['kind'], ExitCode>> = {
  proved: exitCodes.robust,
  'not-robust': exitCodes.notRobust,
  unknown: exitCodes.unknown,
};

/** `prove`: write-atomicity by movers, for unbounded data and any number of copies. */
export async function printProof(
  read: ReadFile,
  answer: ResultOf<'prove'>,
  settings: Settings,
): Promise<FileReport> {
  const { file, diagnostics } = read;
  const { about: program, result } = answer;
  const problem = await writeProof(file, answer, settings.proof ?? {});
  if (problem !== undefined) return failure(file, problem);
  const report = proveReport({ file, program }, result, terminalPalette(settings.colours.stdout));
  return {
    exitCode: isUnanswered(result.properties) ? exitCodes.unknown : exitCodeOf[result.verdict.kind],
    stdout: report + (await abstractedProgram(result)),
    stderr: diagnosticsFor(read, result.diagnostics, settings),
    json: proveToJson(file, program, result, diagnostics),
    proofRow: { name: program.templates.name, result },
  };
}

/** Writes what was asked for of a proof; gives what went wrong. */
async function writeProof(
  file: string,
  { about, certificate: sealed, questions }: ResultOf<'prove'>,
  { certificate, script }: ProofSettings,
): Promise<string | undefined> {
  if (certificate !== undefined && sealed) {
    const problem = await writeWhole(certificate, `${JSON.stringify(sealed, undefined, 1)}\n`);
    if (problem !== undefined) return problem;
  }
  if (script === undefined || !questions) return undefined;
  const head = [`${about.templates.name} (${quoteName(file)})`, 'verdict: proved'];
  return writeWhole(script, certificateScript(questions, head));
}

/** The program with the abstractions that were found, for who wants to go on with it. */
async function abstractedProgram({ abstraction }: ProveResult): Promise<string> {
  if (!abstraction) return '';
  const { printNative } = await import('@fencewright/core/native');
  return `\n${printNative(abstraction)}`;
}

function isUnanswered(properties: readonly { readonly verdict: string }[]): boolean {
  return properties.some(({ verdict }) => verdict === 'unknown');
}

function failure(file: string, message: string): FileReport {
  return {
    exitCode: exitCodes.usage,
    stdout: '',
    stderr: message,
    json: { file, verdict: 'error', cause: 'tool', diagnostics: [] },
  };
}
