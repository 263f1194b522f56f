import {
  check,
  type CheckOptions,
  checkParameterized,
  checkReport,
  type CheckResult,
  checkToJson,
  notSupported,
  optionsWithout,
  type Program,
  quoteName,
  reasonInWords,
  type Replay,
  type SealedCertificate,
  type UnknownReason,
} from '@fencewright/core';
import { createAttackerPool } from '../attacker-pool.js';
import { findingsOfCheck } from '../ci-findings.js';
import { type ExitCode, exitCodes } from '../exit-codes.js';
import {
  diagnosticsFor,
  type FileReport,
  inputErrorReport,
  withCertificate,
} from '../file-report.js';
import type { CheckableFile } from '../load-program.js';
import { mebibyte } from '../option-values.js';
import { terminalPalette } from '../palette.js';
import type { Hooks, Settings } from '../settings.js';

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

/** Checks a program as the settings say. */
export async function decide(
  program: Program,
  settings: Settings,
  hooks: Hooks,
): Promise<CheckResult> {
  const { engine, notion, allAttacks, without, search } = settings;
  const limits = { ...settings.limits, ...hooks };
  const options = { ...search, ...optionsWithout(without), engine, notion, allAttacks, limits };
  if (engine === 'spin') return check(program, { ...options, ...(await spinOptions(settings)) });
  if (engine === 'search' && settings.queryJobs > 1) {
    const attackerPool = createAttackerPool(settings.queryJobs, settings.handOverAfter);
    try {
      return await check(program, { ...options, attackerPool });
    } finally {
      await attackerPool.close();
    }
  }
  if (engine !== 'chc') return check(program, options);
  const { chooseSmtSolver } = await import('@fencewright/core/node');
  const smtSolver = chooseSmtSolver(settings.solver, settings.limits.maxMemory);
  try {
    return await check(program, { ...options, smtSolver });
  } finally {
    await smtSolver.close();
  }
}

/** The engine's programs run outside of Node.js; nobody else shall load what starts them. */
async function spinOptions({
  limits: { maxMemory },
  queryJobs,
}: Settings): Promise<Pick<CheckOptions, 'modelChecker' | 'jobs'>> {
  const { createSpin } = await import('@fencewright/core/node');
  const megabytes = maxMemory !== undefined && { megabytes: Math.ceil(maxMemory / mebibyte) };
  return { modelChecker: createSpin({ ...megabytes }), jobs: queryJobs };
}

/** Checks what was read from a file; the result is about the program of the subject that is returned. */
export async function decideSubject(
  subject: CheckableFile,
  settings: Settings,
  hooks: Hooks,
): Promise<{
  readonly about: CheckableFile;
  readonly result: CheckResult;
  /** The proof, where it was asked for and all instances are robust. */
  readonly certificate?: SealedCertificate;
  /** Why there is none then. */
  readonly uncertified?: UnknownReason;
}> {
  const { model } = subject;
  if (model.kind !== 'unbounded')
    return { about: subject, result: await decide(subject.program, settings, hooks) };
  const { engine, notion, allAttacks, without, search } = settings;
  const { program, ...found } = await checkParameterized(model, {
    ...search,
    ...optionsWithout(without),
    engine,
    notion,
    allAttacks,
    certify: settings.certificate !== undefined,
    limits: { ...settings.limits, ...hooks },
  });
  return { about: { ...subject, program }, ...found };
}

/** What a check comes to; `stdout` is its report. */
export function reportOn(
  subject: CheckableFile,
  result: CheckResult,
  settings: Settings,
  stdout: string,
  replayed?: Replay,
): FileReport {
  const { file, program, diagnostics } = subject;
  // There may be millions of attacks, which only a document lists.
  const documented = settings.json ? result : { ...result, attacks: [] };
  return {
    exitCode: exitCodeFor(result, settings),
    stdout,
    stderr: diagnosticsFor(subject, result.diagnostics, settings),
    json: checkToJson(file, program, documented, diagnostics, replayed),
  };
}

/** Writes the certificate, and says so; or says why there is none. */
async function withProof(
  report: FileReport,
  output: string,
  { result: { verdict }, certificate, uncertified }: Awaited<ReturnType<typeof decideSubject>>,
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

/** `check`: the verdict with its evidence. */
export async function checkFile(
  subject: CheckableFile,
  settings: Settings,
  hooks: Hooks,
): Promise<FileReport> {
  const { certificate: output } = settings;
  if (output !== undefined && subject.model.kind !== 'unbounded') {
    const hint = 'without --certificate it is decided all the same';
    const message = 'certificates are for threads in any number of copies: [*]';
    const refusal = notSupported(undefined, message, hint);
    return inputErrorReport({ ...subject, diagnostics: [refusal] }, settings);
  }
  const decided = await decideSubject(subject, settings, hooks);
  const { about, result } = decided;
  const palette = terminalPalette(settings.colours.stdout);
  const text = checkReport(about, result, { palette, listAttacks: settings.allAttacks });
  const checked = reportOn(about, result, settings, text);
  const report = output === undefined ? checked : await withProof(checked, output, decided);
  return settings.ci ? { ...report, ci: findingsOfCheck(about, result) } : report;
}
