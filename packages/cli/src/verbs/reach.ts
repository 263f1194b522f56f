import {
  type Computation,
  type ResultOf,
  type Replay,
  replay,
  type ReachAllOutcome,
  reachAllOutcome,
  reachAllReport,
  reachAllToJson,
  reachOutcome,
  reachReport,
  reachToJson,
} from '@fencewright/core';
import { subjectOf } from '../advice-in-words.js';
import { type ExitCode, exitCodeOfReach, exitCodes } from '../exit-codes.js';
import { whyNoProof, withCertificate, withoutCertificate } from '../certificate-report.js';
import { diagnosticsOutput, type FileReport } from '../file-report.js';
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
import { pictureComplaint, withPictures } from '../pictures.js';
import { fileVerb } from '../file-verb.js';
import { version } from '../version.js';

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

const exitCodeOfAll: Readonly<Record<ReachAllOutcome, ExitCode>> = {
  holds: exitCodes.robust,
  'wrong-under-sc': exitCodes.robust,
  breaks: exitCodes.notRobust,
  hangs: exitCodes.notRobust,
  unknown: exitCodes.unknown,
  error: exitCodes.input,
};

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
    const draw = async (): Promise<string | undefined> => {
      if (!shown) return undefined;
      const { reachHtml } = await import('@fencewright/core/page');
      const replayed = (computation: Computation): Replay =>
        replay(shown.program, computation, shown.result.model);
      const of = { ...subject, program: shown.program };
      return reachHtml(of, shown.result, { replay: replayed, diagnostics, version });
    };
    // Any number of copies have no page if no instance shows a claim fail.
    const page = { what: 'the page', file: shown && values.html, draw };
    const note =
      shown || values.html === undefined
        ? ''
        : '\nthere is no page: no instance shows a claim fail\n';
    const own =
      answer.kind === 'reach'
        ? {
            exitCode: exitCodeOfReach[reachOutcome(answer.result)],
            json: reachToJson(file, program, answer.result, diagnostics),
          }
        : {
            exitCode: exitCodeOfAll[reachAllOutcome(program, answer.result)],
            json: reachAllToJson(file, program, answer.result, diagnostics),
          };
    const printed = {
      ...own,
      stdout: '',
      stderr: diagnosticsOutput(subject, answer.result.diagnostics, run),
    };
    const report = await withPictures(printed, [page], run, (palette) => {
      const text =
        answer.kind === 'reach'
          ? reachReport(subject, answer.result, palette)
          : reachAllReport(subject, answer.result, palette);
      return text + note;
    });
    return values.certificate === undefined || answer.kind !== 'reach'
      ? report
      : withProof(report, values.certificate, answer);
  },
});
