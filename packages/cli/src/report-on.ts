import { type Model, quoteName, type Refusal, type Result, type ResultOf } from '@fencewright/core';
import { copiesInWords } from './copies-in-words.js';
import { exitCodes } from './exit-codes.js';
import {
  cancelledReport,
  inputErrorReport,
  internalErrorReport,
  overrunReport,
  type PrintedReport,
  reasonOfOverrun,
  tooDeepReport,
} from './file-report.js';
import type { FileFinding } from './finding.js';
import { type ErrorData, internalErrorText } from './internal-error.js';
import type { RunSettings } from './run-settings.js';
import type { Wishes } from './refusal-in-words.js';
import { isTooDeep } from './too-deep.js';
import type { FileOptions, FileVerb } from './verb.js';
import type { ValuesOf } from './options/declare.js';

/** The question of a verb about files, with its options and the settings for output. */
export interface Asking<O extends FileOptions = FileOptions, K extends Result['kind'] = never> {
  readonly verb: FileVerb<O, K>;
  readonly values: ValuesOf<O>;
  readonly run: RunSettings;
}

/** Adds the numbers of copies of the chosen instance to a report. */
function forInstance(
  report: PrintedReport,
  { kind }: Model,
  { copies }: Pick<RunSettings, 'copies'>,
): PrintedReport {
  if (!copies) return report;
  const heading = `With ${copiesInWords(copies, kind === 'events' ? 'instances' : 'threads')}; nothing is said about other numbers.\n`;
  return {
    ...report,
    stdout: report.stdout === '' ? '' : heading + report.stdout,
    ...(report.json && { json: { ...report.json, copies } }),
  };
}

/** Whether a question was refused because of an option, and not because of the question itself. */
function isMisused(refusal: Refusal): boolean {
  switch (refusal.kind) {
    case 'no-choice':
    case 'not-of-events':
    case 'only-against-tso':
      return true;
    case 'only-events':
      return refusal.wishes.length > 0;
    default:
      return false;
  }
}

/** Returns the report on an answer, or on the refusal to answer. */
async function reportOnAnswer<O extends FileOptions, K extends Result['kind']>(
  { verb, values, run }: Asking<O, K>,
  { read, result }: Extract<FileFinding, { kind: 'answer' }>,
): Promise<PrintedReport> {
  // A result other than a refusal answers the verb's question.
  if (result.kind !== 'refused') return verb.print(read, result as ResultOf<K>, run, values);
  const { refusal } = result;
  const { refusalInWords } = await import('./refusal-in-words.js');
  const subject = verb.subjectOf?.(values) ?? `'${verb.name}'`;
  const diagnostics = refusalInWords(refusal, subject, values as Wishes);
  if (refusal.kind === 'costs') {
    const { cost: file = read.file } = values as { readonly cost?: string };
    const report = inputErrorReport({ file, source: refusal.text, diagnostics }, run);
    return { ...report, json: { ...report.json, file: read.file } };
  }
  const tellsAll = refusal.kind === 'missing' || verb.makesText === true;
  const all = tellsAll ? [...read.diagnostics, ...diagnostics] : diagnostics;
  const cause = ['properties', 'condition'].includes(refusal.kind) ? 'program' : 'tool';
  const report = inputErrorReport({ ...read, diagnostics: all }, run, cause);
  const stderr = report.stderr + (verb.remark?.(refusal, read.file, values) ?? '');
  const exitCode = isMisused(refusal) ? exitCodes.usage : report.exitCode;
  return { ...report, stderr, exitCode };
}

/** Adds an internal error that occurred after the answer to a report. */
function withFailure(report: PrintedReport, file: string, failure?: ErrorData): PrintedReport {
  if (!failure) return report;
  return {
    ...report,
    exitCode: exitCodes.internal,
    stderr: report.stderr + internalErrorText(failure, file),
    ...(report.json && { json: { ...report.json, internalError: failure.message } }),
  };
}

/** Returns the report on a file from the finding, and writes the output files. Never throws. */
export async function reportOn<O extends FileOptions, K extends Result['kind']>(
  asking: Asking<O, K>,
  file: string,
  finding: FileFinding,
): Promise<PrintedReport> {
  const { verb, run } = asking;
  try {
    switch (finding.kind) {
      case 'answer': {
        const report = await reportOnAnswer(asking, finding);
        const { model } = finding.read;
        const isOne = verb.name !== 'prove' && ['finite', 'events'].includes(model.kind);
        return withFailure(isOne ? forInstance(report, model, run) : report, file, finding.failure);
      }
      case 'unread':
        return inputErrorReport(finding.loaded, run);
      case 'unread-costs': {
        const report = inputErrorReport(finding.loaded, run);
        return { ...report, json: { ...report.json, file } };
      }
      case 'too-deep':
        return tooDeepReport(file, run);
      case 'cancelled':
        return cancelledReport(file);
      case 'overrun': {
        const report = overrunReport(file, finding.reason);
        const line = `fencewright: ${quoteName(file)}: ${reasonOfOverrun[finding.reason]}\n`;
        return verb.makesText ? { ...report, stdout: '', stderr: line } : report;
      }
      case 'failed':
        return internalErrorReport(file, finding.failure);
    }
  } catch (error) {
    return isTooDeep(error) ? tooDeepReport(file, run) : internalErrorReport(file, error);
  }
}
