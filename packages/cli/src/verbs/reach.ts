import {
  type Computation,
  quoteName,
  type ReachResult,
  type ResultOf,
  type Replay,
  replay,
  type Program,
  type ReachAllOutcome,
  reachAllOutcome,
  reachAllReport,
  reachAllToJson,
  type ReachOutcome,
  reachOutcome,
  reachReport,
  reachToJson,
  type Subject,
} from '@fencewright/core';
import { subjectOf } from '../advice-in-words.js';
import { type ExitCode, exitCodes, worstOf } from '../exit-codes.js';
import { whyNoProof, withCertificate, withoutCertificate } from '../certificate-report.js';
import { diagnosticsOutput, type FileReport } from '../file-report.js';
import { terminalPalette } from '../palette.js';
import type { ReadFile } from '../finding.js';
import {
  htmlReport,
  jobs,
  searchOptions,
  timeoutsOption,
  timeoutsWish,
  watch,
} from '../options/common.js';
import { common, parsed, text, underHeading } from '../options/declare.js';
import { comparedModel, modelWish } from '../options/memory-model.js';
import { eventOptions, eventWishes, semanticsList } from '../options/events.js';
import { wholeFrom } from '../options/values.js';
import { pictureComplaint } from '../pictures.js';
import { fileVerb } from '../file-verb.js';
import { version } from '../version.js';
import { writeWhole } from '../write-whole.js';

const options = {
  ...searchOptions,
  model: comparedModel,
  jobs,
  buffer: common(
    parsed(
      '--buffer <n>',
      'maximal number of stores in a buffer, for programs with infinitely many states',
      wholeFrom(1),
    ),
  ),
  timeouts: timeoutsOption,
  ...eventOptions,
  semantics: underHeading(
    'Programs of events:',
    parsed(
      '--semantics <list>',
      'the semantics to explore, separated by commas: single, multi-sc, multi-tso (default: all)',
      semanticsList,
    ),
  ),
  certificate: common(
    text(
      '--certificate <file>',
      'file for the proof of the claims that hold under TSO, for verify-certificate',
    ),
  ),
  html: htmlReport('an execution for each failure step by step'),
  watch,
};

const exitCodeOf: Readonly<Record<ReachOutcome, ExitCode>> = {
  same: exitCodes.robust,
  different: exitCodes.notRobust,
  unknown: exitCodes.unknown,
  error: exitCodes.input,
};

const exitCodeOfAll: Readonly<Record<ReachAllOutcome, ExitCode>> = {
  holds: exitCodes.robust,
  'wrong-under-sc': exitCodes.robust,
  breaks: exitCodes.notRobust,
  hangs: exitCodes.notRobust,
  unknown: exitCodes.unknown,
  error: exitCodes.input,
};

/**
 * Returns the page that the user asked for; `undefined` if there is none, for example for any
 * number of copies.
 */
async function drawPage(
  read: Subject & ReadFile,
  shown: { readonly program: Program; readonly result: ReachResult } | undefined,
  file: string | undefined,
): Promise<{ readonly piped?: string; readonly note: string; readonly failure?: string }> {
  if (file === undefined) return { note: '' };
  if (!shown) return { note: '\nthere is no page: no instance shows a claim fail\n' };
  const { program, result } = shown;
  const { diagnostics } = read;
  const subject = { ...read, program };
  const { reachHtml } = await import('@fencewright/core/page');
  const replayed = (computation: Computation): Replay => replay(program, computation, result.model);
  const page = reachHtml(subject, result, { replay: replayed, diagnostics, version });
  if (file === '-') return { piped: page, note: '' };
  const failure = await writeWhole(file, page);
  return failure === undefined
    ? { note: `\nthe page is in ${quoteName(file)}\n` }
    : { note: '', failure };
}

/**
 * Writes the certificate and adds a line to the report, or adds the reason why there is no
 * certificate.
 */
async function withProof(
  report: FileReport,
  output: string,
  { certificate, uncertified }: ResultOf<'reach'>,
): Promise<FileReport> {
  if (certificate) return withCertificate(report, output, certificate);
  if (uncertified !== undefined)
    return withoutCertificate(report, output, whyNoProof(uncertified), exitCodes.unknown);
  const why = 'no claim that a certificate can prove is known to hold under TSO';
  return withoutCertificate(report, output, why);
}

/** The verb `reach`: finds final states and properties under SC and under TSO, with executions. */
export const reachVerb = fileVerb<typeof options, 'reach' | 'reach-all' | 'event-reach'>({
  name: 'reach',
  options,
  examples: [
    ['fencewright reach lock.fw', 'compares the final states under SC and TSO'],
    ['fencewright reach --copies t=1..4 lock.fw', 'the same for one to four copies of thread t[*]'],
  ],
  complaint: (values, files) =>
    values.certificate !== undefined && files.length > 1
      ? '--certificate is for one file'
      : pictureComplaint(values, files),
  request: (values) => ({
    question: {
      kind: 'reach',
      ...eventWishes(values),
      ...timeoutsWish(values),
      ...modelWish(values),
      ...(values.buffer !== undefined && { buffer: values.buffer }),
      ...(values.certificate !== undefined && { certify: true }),
    },
  }),
  print: async (read, answer, run, values) => {
    if (answer.kind === 'event-reach') {
      const { eventReachFileReport } = await import('../event-reports.js');
      return eventReachFileReport(read, answer, run, values);
    }
    const { about: program } = answer;
    const { file, diagnostics } = read;
    const subject = subjectOf(read, program, values);
    const shown =
      answer.kind === 'reach' ? { program, result: answer.result } : answer.result.shown;
    const { piped, note, failure } = await drawPage(subject, shown, values.html);
    const { stdout, stderr } = run.colours;
    const palette = terminalPalette(piped === undefined ? stdout : stderr);
    const own =
      answer.kind === 'reach'
        ? {
            code: exitCodeOf[reachOutcome(answer.result)],
            text: reachReport(subject, answer.result, palette),
            json: reachToJson(file, program, answer.result, diagnostics),
          }
        : {
            code: exitCodeOfAll[reachAllOutcome(program, answer.result)],
            text: reachAllReport(subject, answer.result, palette),
            json: reachAllToJson(file, program, answer.result, diagnostics),
          };
    const said = own.text + note;
    const report: FileReport = {
      exitCode: worstOf([own.code, ...(failure === undefined ? [] : [exitCodes.usage])]),
      stdout: piped ?? said,
      stderr:
        diagnosticsOutput(subject, answer.result.diagnostics, run) +
        (failure ?? '') +
        (piped === undefined ? '' : said),
      json: own.json,
    };
    return values.certificate === undefined || answer.kind !== 'reach'
      ? report
      : withProof(report, values.certificate, answer);
  },
});
