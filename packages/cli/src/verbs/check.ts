import { checkReport, type ResultOf, type Subject } from '@fencewright/core';
import { subjectOf } from '../advice-in-words.js';
import { reportOnCheck } from '../check-outcome.js';
import { againstBaseline, baselineComplaint } from '../baseline.js';
import { pictureComplaint } from '../pictures.js';
import { findingsOfCheck } from '../ci-findings.js';
import { type ExitCode, exitCodes, worstOf } from '../exit-codes.js';
import { whyNoProof, withCertificate, withoutCertificate } from '../certificate-report.js';
import type { FileReport } from '../file-report.js';
import type { ReadFile } from '../finding.js';
import { advancedOptions, advancedWishes } from '../options/advanced.js';
import {
  answers,
  engineOfAny,
  hb,
  jobs,
  happensBeforeComplaint,
  htmlReport,
  searchOptions,
  timeoutsOption,
  timeoutsWish,
  watch,
} from '../options/common.js';
import { common, conflicting, flag, parsed, text, type ValuesOf } from '../options/declare.js';
import { askedReports, ciReportOptions } from '../options/ci-formats.js';
import { threadEngine } from '../options/engines.js';
import { isAboutC11, memoryModel } from '../options/memory-model.js';
import { against, attack, eventOptions, eventWishes } from '../options/events.js';
import { failOnHelp, failOnList } from '../options/fail-on.js';
import { terminalPalette } from '../palette.js';
import type { ConfiguredBy, RunSettings } from '../run-settings.js';
import { fileVerb } from '../file-verb.js';
import type { FileVerb } from '../verb.js';

const options = {
  ...searchOptions,
  jobs,
  model: memoryModel,
  engine: engineOfAny,
  ...advancedOptions,
  hb,
  against,
  timeouts: timeoutsOption,
  ...eventOptions,
  allAttacks: flag(
    '--all-attacks',
    'decide every attack instead of stopping at the first feasible one',
  ),
  attack: conflicting(attack, 'allAttacks'),
  failOn: common(conflicting(parsed('--fail-on <list>', failOnHelp, failOnList), 'prove')),
  answers,
  prove: flag('--prove', 'if the search has no answer, try a proof (see prove), then Horn clauses'),
  certificate: common(
    conflicting(
      text('--certificate <file>', 'file for the proof of robustness, for verify-certificate'),
      'prove',
    ),
  ),
  ...ciReportOptions,
  html: htmlReport('the execution that C11 allows, with --model c11'),
  baseline: text(
    '--baseline <file>',
    'the SARIF log of an earlier run; only new findings make the run fail',
  ),
  watch,
};

type CheckValues = ValuesOf<typeof options>;
type CheckAnswer = ResultOf<'check'>;

/** Returns the files named for reports to continuous integration. */
const reportFiles = (values: CheckValues): readonly string[] =>
  askedReports(values).map(([, file]) => file);

const wantsReports = (values: CheckValues): boolean =>
  reportFiles(values).length > 0 || values.baseline !== undefined;

/** Whether the exit status also depends on the answer about claims and final states. */
const wantsAnswers = ({ answers, failOn = [] }: CheckValues): boolean =>
  answers === true ||
  failOn.some((what) => ['violated', 'hangs', 'deadlocks', 'differs'].includes(what));

/** Whether a report for continuous integration goes to standard output. */
const takesStdout = (values: CheckValues): boolean => reportFiles(values).includes('-');

function complaint(values: CheckValues, files: readonly string[]): string | undefined {
  const { json, certificate } = values;
  const happensBefore = happensBeforeComplaint(values.hb, values.engine);
  if (happensBefore !== undefined) return happensBefore;
  if (reportFiles(values).filter((file) => file === '-').length > 1)
    return 'standard output has room for one report';
  if (takesStdout(values) && json) return '--json and a report cannot share standard output';
  if (certificate !== undefined && files.length > 1) return '--certificate is for one file';
  const unread = values.baseline !== undefined && baselineComplaint(values.baseline);
  if (unread) return unread;
  if (isAboutC11(values.model))
    return refusedBesidesModel(values) ?? pictureComplaint({ html: values.html, json }, files);
  return values.html === undefined
    ? undefined
    : '--report html is for --model c11; explain writes a page for TSO';
}

/**
 * Returns the complaint about a given option that is not supported with --model c11; `undefined` if
 * there is none.
 */
function refusedBesidesModel(values: CheckValues): string | undefined {
  const given = [
    values.prove && '--prove',
    values.attack !== undefined && '--attack',
    values.allAttacks && '--all-attacks',
    values.answers && '--answers',
    refusedReason(values.failOn),
    values.baseline !== undefined && '--baseline',
    wantsReports(values) && '--report',
  ].find((name) => name);
  return given ? `${given} is for --model tso` : undefined;
}

/**
 * Returns the first word of `--fail-on` that --model c11 does not support; `undefined` if there is
 * none.
 */
function refusedReason(failOn: CheckValues['failOn'] = []): string | undefined {
  const word = failOn.find((one) => !['violated', 'races', 'not-robust'].includes(one));
  return word && `--fail-on ${word}`;
}

/** Returns the exit status for an answer about claims, waiting threads, or states. */
function codeOfAnswer(
  what: 'violated' | 'hangs' | 'differs',
  answer: NonNullable<CheckAnswer['result']>['answer'],
): ExitCode {
  switch (answer?.kind) {
    case 'breaks':
    case 'wrong-under-sc':
      return what === 'differs' ? exitCodes.robust : exitCodes.notRobust;
    case 'hangs':
      return what === 'violated' ? exitCodes.robust : exitCodes.notRobust;
    case 'differs':
      if (what === 'differs') return exitCodes.notRobust;
      return what === 'hangs' && answer.openHangs ? exitCodes.unknown : exitCodes.robust;
    case 'stricter':
    case 'robust':
      return exitCodes.robust;
    case 'unknown':
      if (answer.open === 'traces' && what === 'hangs') return exitCodes.robust;
      return what === 'violated' && answer.open !== 'claims' ? exitCodes.robust : exitCodes.unknown;
    case undefined:
      return exitCodes.unknown;
  }
}

/**
 * Returns the exit status for deadlocks without store buffers; `unknown` for any number of copies.
 */
function codeOfDeadlocks(deadlocks: NonNullable<CheckAnswer['result']>['deadlocks']): ExitCode {
  if (deadlocks?.kind !== 'found') return exitCodes.unknown;
  return deadlocks.waiting.length > 0 ? exitCodes.notRobust : exitCodes.robust;
}

/** Returns the exit status for the data races; success for programs outside C, which have none. */
function codeOfRaces(races: NonNullable<CheckAnswer['result']>['races']): ExitCode {
  if (!races) return exitCodes.robust;
  if (races.races.length > 0 || races.freedUses[0]) return exitCodes.notRobust;
  return (races.incomplete ?? races.freedIncomplete) ? exitCodes.unknown : exitCodes.robust;
}

/**
 * Returns the exit status for uses of freed memory; success for programs outside C, which have
 * none.
 */
function codeOfFreed({ races }: NonNullable<CheckAnswer['result']>): ExitCode {
  if (races?.freedUses[0]) return exitCodes.notRobust;
  return races?.freedIncomplete ? exitCodes.unknown : exitCodes.robust;
}

/**
 * Whether a program needs no further fence although it is not robust: robustness is stricter than
 * needed, no thread waits for ever, and a complete search found no use of freed memory.
 */
function needsNoFence(result: NonNullable<CheckAnswer['result']>): boolean {
  const isRight = codeOfDeadlocks(result.deadlocks) === exitCodes.robust;
  return result.answer?.kind === 'stricter' && isRight && codeOfFreed(result) === exitCodes.robust;
}

/**
 * Returns the exit status of `check`, with the outcomes named by `--fail-on`. With `--answers`, the
 * answer about claims and states excuses a program that is not robust, unless `--fail-on` names
 * `not-robust`, or reports for CI are written, which count such a program as a failure. With
 * `vacuous`, a program fails if it is robust only because some code never runs; without a search
 * for such code the outcome is unknown.
 */
function exitCodeFor(
  ofVerdict: ExitCode,
  result: NonNullable<CheckAnswer['result']>,
  values: CheckValues,
): ExitCode {
  const { verdict, vacuity, races, answer, deadlocks } = result;
  const { answers: asksForAnswers, failOn = [] } = values;
  const isExcused = asksForAnswers === true && !wantsReports(values) && needsNoFence(result);
  const codes = failOn.map((what) => {
    if (what === 'not-robust') return ofVerdict;
    if (what === 'vacuous') return exitCodes.robust;
    if (what === 'deadlocks') return codeOfDeadlocks(deadlocks);
    if (what === 'races') return codeOfRaces(races);
    const ofAnswer = codeOfAnswer(what, answer);
    return what === 'violated' ? worstOf([codeOfFreed(result), ofAnswer]) : ofAnswer;
  });
  const exitCode = worstOf([isExcused ? exitCodes.robust : ofVerdict, ...codes]);
  if (verdict.kind !== 'robust' || !failOn.includes('vacuous')) return exitCode;
  if (vacuity?.kind !== 'looked-for') return exitCodes.unknown;
  return vacuity.neverRun.length + vacuity.neverEnd.length > 0 ? exitCodes.notRobust : exitCode;
}

/**
 * Writes the certificate and adds a line to the report, or adds the reason why there is no
 * certificate.
 */
async function withProof(
  report: FileReport,
  output: string,
  { certificate, uncertified, result }: CheckAnswer | ResultOf<'c11'>,
): Promise<FileReport> {
  if (result?.verdict.kind !== 'robust')
    return withoutCertificate(report, output, 'only robustness has a proof');
  if (uncertified !== undefined || !certificate)
    return withoutCertificate(report, output, whyNoProof(uncertified), exitCodes.unknown);
  return withCertificate(report, output, certificate);
}

/**
 * Returns the subject, with the advice that robustness alone decides the exit code unless
 * `--fail-on` is given; the subject unchanged if the user gave `--fail-on`.
 */
function withExitCode(subject: ReadFile & Subject, { failOn }: CheckValues): ReadFile & Subject {
  const { advise } = subject;
  if (failOn) return subject;
  return {
    ...subject,
    advise: (advice) =>
      advice.kind === 'fail-on-claims'
        ? `robustness alone decides the exit code; with --fail-on ${advice.what} it is 10`
        : advise?.(advice),
  };
}

async function searchReport(
  read: ReadFile,
  answer: CheckAnswer,
  run: RunSettings,
  values: CheckValues,
): Promise<FileReport> {
  const { about, result } = answer;
  if (!result) return unsearchedReport(read, about.name);
  const { certificate: output, allAttacks: listAttacks = false } = values;
  const subject = withExitCode(subjectOf(read, about, values), values);
  const palette = terminalPalette(run.colours.stdout);
  const checked = reportOnCheck(
    subject,
    result,
    run,
    run.json ? '' : checkReport(subject, result, { palette, listAttacks }),
  );
  const coded = { ...checked, exitCode: exitCodeFor(checked.exitCode, result, values) };
  const report = output === undefined ? coded : await withProof(coded, output, answer);
  return wantsReports(values) ? { ...report, ci: findingsOfCheck(subject, result) } : report;
}

/** Returns the beginning of the report on a program that only a proof can treat. */
function unsearchedReport({ file }: ReadFile, program: string): FileReport {
  const json = { file, program, verdict: 'unknown' as const, diagnostics: [] };
  return { exitCode: exitCodes.unknown, stdout: '', stderr: '', json };
}

/** Returns the report on an answer, without regard to a baseline. */
async function reportOnAnswer(
  read: ReadFile,
  answer: ResultOf<'check' | 'event-check'>,
  run: RunSettings,
  values: CheckValues,
): Promise<FileReport> {
  if (answer.kind === 'event-check') {
    const { eventCheckFileReport } = await import('../event-reports.js');
    return eventCheckFileReport(read, answer, run, wantsReports(values));
  }
  const report = await searchReport(read, answer, run, values);
  const { settlement } = answer;
  if (!settlement) return report;
  const { settledReport } = await import('../settled-check.js');
  return settledReport(read, report, settlement, values.hb, run);
}

/** The verb `check`. */
export const checkOfFiles: FileVerb<typeof options, 'check' | 'event-check' | 'c11'> = {
  name: 'check',
  options,
  examples: [
    [
      'fencewright check queue.c -- -Iinclude -DNDEBUG',
      'decides robustness, compiled with these arguments',
    ],
    [
      "fencewright check --fail-on violated --report sarif=out.sarif 'src/**/*.c'",
      'fails only if an assertion can fail; writes findings for code scanning',
    ],
  ],
  complaint,
  takesStdout,
  subjectOf: ({ model }) => (isAboutC11(model) ? `'check --model ${model}'` : "'check'"),
  request: (values, files) => {
    if (isAboutC11(values.model)) {
      const certify = values.certificate !== undefined;
      return { question: { kind: 'c11', model: values.model, certify } };
    }
    return {
      question: {
        kind: 'check',
        ...timeoutsWish(values),
        ...advancedWishes(values),
        ...eventWishes(values),
        ...threadEngine(values),
        happensBefore: values.hb,
        // With a baseline, all attacks are listed: a single attack depends on the order of the
        // search.
        allAttacks: values.allAttacks ?? values.baseline !== undefined,
        listsAttacks: (values.allAttacks ?? values.json ?? false) || wantsReports(values),
        jobs: files.length === 1 ? values.jobs : 1,
        certify: values.certificate !== undefined,
        answers: wantsAnswers(values) ? 'full' : 'brief',
        // With `--threads`, the question is about single instances, which a search decides.
        triesProof: values.prove === true && values.threads === undefined,
        searchesOnly: values.failOn !== undefined || wantsReports(values),
      },
    };
  },
  announce: (answer) => {
    const kind = answer.kind === 'check' ? answer.result?.verdict.kind : undefined;
    if (kind === 'robust') return 'robust';
    return kind === 'not-robust' ? 'not robust' : undefined;
  },
  print: async (read, answer, run, values) => {
    if (answer.kind === 'c11') {
      const { c11FileReport } = await import('../c11-outcome.js');
      const report = await c11FileReport(read, answer, run, values);
      return values.certificate === undefined
        ? report
        : withProof(report, values.certificate, answer);
    }
    const report = await reportOnAnswer(read, answer, run, values);
    const { baseline } = values;
    return baseline === undefined ? report : againstBaseline(report, baseline);
  },
  conclude: async (reports, _, values) => {
    if (!wantsReports(values)) return {};
    const { writeCiReports } = await import('../ci-reports.js');
    return writeCiReports(
      values,
      reports.flatMap(({ ci }) => ci ?? []),
      (values as { readonly configured?: ConfiguredBy }).configured,
    );
  },
};

export const checkVerb = fileVerb(checkOfFiles);
