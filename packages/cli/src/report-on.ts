import { copiesInWords } from './copies-in-words.js';
import { exitCodes } from './exit-codes.js';
import {
  cancelledReport,
  type FileReport,
  inputErrorReport,
  internalErrorReport,
  overrunReport,
  tooDeepReport,
} from './file-report.js';
import type { Finding } from './finding.js';
import type { Settings } from './settings.js';
import { isTooDeep } from './too-deep.js';
import type { FileVerb } from './file-verb.js';
import { printAnswer } from './verbs/print-answer.js';

/** The report on one of the instances that `--threads` asks for: that, and only that, was looked at. */
function forInstance(report: FileReport, { copies }: Pick<Settings, 'copies'>): FileReport {
  if (!copies) return report;
  const heading = `With ${copiesInWords(copies)}; nothing is said about other numbers.\n`;
  return {
    ...report,
    stdout: report.stdout === '' ? '' : heading + report.stdout,
    json: { ...report.json, copies },
  };
}

/** The report on an answer, or on why there is none. */
async function reportOnAnswer(
  verb: FileVerb,
  { read, result }: Extract<Finding, { kind: 'answer' }>,
  settings: Settings,
): Promise<FileReport> {
  if (result.kind !== 'refused') return printAnswer(read, result, settings);
  const { refusal } = result;
  const { refusalInWords } = await import('./refusal-in-words.js');
  const diagnostics = refusalInWords(refusal, verb, settings);
  if (refusal.kind === 'costs') {
    const { costs } = settings.fence ?? {};
    const file = costs?.kind === 'file' ? costs.file : read.file;
    const report = inputErrorReport({ file, source: refusal.text, diagnostics }, settings);
    return { ...report, json: { ...report.json, file: read.file } };
  }
  const all = refusal.kind === 'missing' ? [...read.diagnostics, ...diagnostics] : diagnostics;
  const cause = refusal.kind === 'properties' ? 'program' : 'tool';
  const report = inputErrorReport({ ...read, diagnostics: all }, settings, cause);
  return refusal.kind === 'no-choice' ? { ...report, exitCode: exitCodes.usage } : report;
}

/** What is said of a file and written, given what was found out about it. Never throws. */
export async function reportOn(
  verb: FileVerb,
  file: string,
  finding: Finding,
  settings: Settings,
): Promise<FileReport> {
  try {
    switch (finding.kind) {
      case 'answer':
        return forInstance(
          await reportOnAnswer(verb, finding, settings),
          verb === 'prove' || finding.read.model.kind !== 'finite' ? {} : settings,
        );
      case 'unread':
        return inputErrorReport(finding.loaded, settings);
      case 'unread-costs': {
        const report = inputErrorReport(finding.loaded, settings);
        return { ...report, json: { ...report.json, file } };
      }
      case 'too-deep':
        return tooDeepReport(file, settings);
      case 'cancelled':
        return cancelledReport(file);
      case 'overrun':
        return overrunReport(file, finding.reason);
      case 'failed':
        return internalErrorReport(file, finding.failure);
    }
  } catch (error) {
    return isTooDeep(error) ? tooDeepReport(file, settings) : internalErrorReport(file, error);
  }
}
