import {
  checkReport,
  type CheckResult,
  checkToJson,
  quoteName,
  reasonInWords,
  type Replay,
  type ResultOf,
  type Subject,
} from '@fencewright/core';
import { findingsOfCheck } from '../ci-findings.js';
import { type ExitCode, exitCodes } from '../exit-codes.js';
import { diagnosticsFor, type FileReport, withCertificate } from '../file-report.js';
import type { ReadFile } from '../finding.js';
import { terminalPalette } from '../palette.js';
import type { Settings } from '../settings.js';

const exitCodeOf: Readonly<Record<CheckResult['verdict']['kind'], ExitCode>> = {
  robust: exitCodes.robust,
  'not-robust': exitCodes.notRobust,
  unknown: exitCodes.unknown,
  error: exitCodes.input,
};

/** With `--fail-on vacuous`, a program that is robust for lack of executions fails; where this was not looked for, nothing is known. */
function exitCodeFor({ verdict, vacuity }: CheckResult, { failOn = [] }: Settings): ExitCode {
  if (verdict.kind !== 'robust' || !failOn.includes('vacuous')) return exitCodeOf[verdict.kind];
  if (vacuity?.kind !== 'looked-for') return exitCodes.unknown;
  return vacuity.neverRun.length + vacuity.neverEnd.length > 0
    ? exitCodes.notRobust
    : exitCodes.robust;
}

/** What a check comes to; `stdout` is its report. */
export function reportOnCheck(
  subject: Subject & ReadFile,
  result: CheckResult,
  settings: Settings,
  stdout: string,
  replayed?: Replay,
): FileReport {
  const { file, program, diagnostics } = subject;
  return {
    exitCode: exitCodeFor(result, settings),
    stdout,
    stderr: diagnosticsFor(subject, result.diagnostics, settings),
    json: checkToJson(file, program, result, diagnostics, replayed),
  };
}

/** Writes the certificate, and says so; or says why there is none. */
async function withProof(
  report: FileReport,
  output: string,
  { certificate, uncertified }: ResultOf<'check'>,
  verdict: CheckResult['verdict'],
): Promise<FileReport> {
  const complaint = (exitCode: ExitCode, text: string): FileReport => {
    return { ...report, exitCode, stderr: `${report.stderr}fencewright: ${text}\n` };
  };
  if (verdict.kind !== 'robust')
    return complaint(
      report.exitCode,
      `${quoteName(output)} is not written: only robustness has a proof`,
    );
  if (uncertified !== undefined || !certificate) {
    const reason = uncertified === undefined ? 'there is none' : reasonInWords[uncertified];
    return complaint(
      exitCodes.unknown,
      `${quoteName(output)} is not written: no proof was found, ${reason}`,
    );
  }
  return withCertificate(report, output, certificate);
}

/** `check`: the verdict with its evidence; and what a proof has to say, where one was tried. */
export async function printCheck(
  read: ReadFile,
  answer: ResultOf<'check'>,
  settings: Settings,
): Promise<FileReport> {
  const report = await searchReport(read, answer, settings);
  const { settlement } = answer;
  if (!settlement) return report;
  const { settledReport } = await import('./settled-check.js');
  return settledReport(read, report, settlement, settings);
}

async function searchReport(
  read: ReadFile,
  answer: ResultOf<'check'>,
  settings: Settings,
): Promise<FileReport> {
  const { about, result } = answer;
  if (!result) return unsearchedReport(read, about.name);
  const { certificate: output } = settings;
  const subject = { ...read, program: about };
  const palette = terminalPalette(settings.colours.stdout);
  const text = checkReport(subject, result, { palette, listAttacks: settings.allAttacks });
  const checked = reportOnCheck(subject, result, settings, text);
  const report =
    output === undefined ? checked : await withProof(checked, output, answer, result.verdict);
  return settings.ci ? { ...report, ci: findingsOfCheck(subject, result) } : report;
}

/** What is to be said of a program that no search can treat, before a proof was tried. */
function unsearchedReport({ file }: ReadFile, program: string): FileReport {
  const json = { file, program, verdict: 'unknown' as const, diagnostics: [] };
  return { exitCode: exitCodes.unknown, stdout: '', stderr: '', json };
}
