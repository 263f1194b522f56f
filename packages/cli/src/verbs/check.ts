import {
  check,
  checkReport,
  type CheckResult,
  checkToJson,
  type Diagnostic,
  explainReport,
  type Program,
  type Replay,
  replay,
  type Subject,
} from '@fencewright/core';
import { type ExitCode, exitCodes } from '../exit-codes.js';
import { diagnosticsFor, type FileReport } from '../file-report.js';
import { terminalPalette } from '../palette.js';
import type { Hooks, Settings } from '../settings.js';

/** A file that has been read without errors. */
export interface CheckableFile extends Subject {
  readonly diagnostics: readonly Diagnostic[];
}

const exitCodeOf: Readonly<Record<CheckResult['verdict']['kind'], ExitCode>> = {
  robust: exitCodes.robust,
  'not-robust': exitCodes.notRobust,
  unknown: exitCodes.unknown,
  error: exitCodes.input,
};

function decide(program: Program, settings: Settings, hooks: Hooks): Promise<CheckResult> {
  const { engine, allAttacks } = settings;
  return check(program, { engine, allAttacks, limits: { ...settings.limits, ...hooks } });
}

function reportOn(
  subject: CheckableFile,
  result: CheckResult,
  settings: Settings,
  stdout: string,
  replayed?: Replay,
): FileReport {
  const { file, program, diagnostics } = subject;
  return {
    exitCode: exitCodeOf[result.verdict.kind],
    stdout,
    stderr: diagnosticsFor(subject, result.diagnostics, settings),
    json: checkToJson(file, program, result, diagnostics, replayed),
  };
}

/** `check`: the verdict with its evidence. */
export async function checkFile(
  subject: CheckableFile,
  settings: Settings,
  hooks: Hooks,
): Promise<FileReport> {
  const result = await decide(subject.program, settings, hooks);
  const palette = terminalPalette(settings.colours.stdout);
  const text = checkReport(subject, result, { palette, listAttacks: settings.allAttacks });
  return reportOn(subject, result, settings, text);
}

/** `explain`: the witness step by step. */
export async function explainFile(
  subject: CheckableFile,
  settings: Settings,
  hooks: Hooks,
): Promise<FileReport> {
  const { program } = subject;
  const result = await decide(program, settings, hooks);
  const { verdict } = result;
  const replayed =
    verdict.kind === 'not-robust' ? replay(program, verdict.witness.computation) : undefined;
  const palette = terminalPalette(settings.colours.stdout);
  const text = explainReport(subject, result, replayed, { palette, width: settings.width });
  return reportOn(subject, result, settings, text, replayed);
}

/** `bench`: a row of the table; every attack is decided, as in the paper. */
export async function benchFile(
  subject: CheckableFile,
  settings: Settings,
  hooks: Hooks,
): Promise<FileReport> {
  const result = await decide(subject.program, { ...settings, allAttacks: true }, hooks);
  const name = subject.program.name === '' ? subject.file : subject.program.name;
  return { ...reportOn(subject, result, settings, ''), row: { name, result } };
}
