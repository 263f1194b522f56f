import {
  explainedReport,
  explainReport,
  quoteName,
  type ResultOf,
  type Subject,
  witnessToDot,
  witnessToSvg,
} from '@fencewright/core';
import { subjectOf } from '../advice-in-words.js';
import { threadEngine } from '../options/engines.js';
import { against, eventOptions, eventWishes, shownAttack } from '../options/events.js';
import { reportOnCheck } from '../check-outcome.js';
import { exitCodes, worstOf } from '../exit-codes.js';
import { fileFenceFindings } from '../fence-findings.js';
import type { ReadFile } from '../finding.js';
import { advancedOptions, advancedWishes } from '../options/advanced.js';
import {
  answers,
  engineOfAny,
  hb,
  htmlReport,
  jobs,
  happensBeforeComplaint,
  searchOptions,
  timeoutsOption,
  timeoutsWish,
  watch,
} from '../options/common.js';
import { choice, common, conflicting, flag, report, type ValuesOf } from '../options/declare.js';
import { terminalPalette } from '../palette.js';
import { pictureComplaint } from '../pictures.js';
import { fileVerb } from '../file-verb.js';
import { version } from '../version.js';
import { writeWhole } from '../write-whole.js';

const options = {
  ...searchOptions,
  jobs,
  engine: engineOfAny,
  ...advancedOptions,
  hb,
  against,
  timeouts: timeoutsOption,
  ...eventOptions,
  attack: common(shownAttack),
  allAttacks: common(
    conflicting(
      flag(
        '--all-attacks',
        'show one execution for each feasible attack; the page has a menu of them',
      ),
      'attack',
    ),
  ),
  minimal: conflicting(
    choice(
      '--minimal <what>',
      'show an execution with the fewest delays of all: for each store, the actions of its thread before the store reaches memory',
      ['delays'],
    ),
    'attack',
    'allAttacks',
  ),
  answers,
  html: htmlReport('the execution step by step'),
  svg: report('svg', 'the happens-before graph as SVG'),
  dot: report('dot', 'that graph for Graphviz'),
  watch,
};

/** A picture with the file to write; without a text if there is nothing to draw. */
interface Picture {
  readonly what: string;
  readonly file: string;
  readonly text?: string;
}

async function pageOf(
  subject: Subject & ReadFile,
  { result, replay, fences, explained, answerRun }: ResultOf<'explain'>,
): Promise<string> {
  const { explainHtml } = await import('@fencewright/core/page');
  return explainHtml(subject, result, {
    ...(replay && { replay }),
    ...(explained && { explained }),
    ...(fences && { fences: fileFenceFindings(subject, fences) }),
    ...(answerRun && { answerRun }),
    diagnostics: subject.diagnostics,
    version,
  });
}

/** Draws the requested pictures. */
async function draw(
  subject: Subject & ReadFile,
  answer: ResultOf<'explain'>,
  { html, svg, dot }: ValuesOf<typeof options>,
): Promise<Picture[]> {
  const { program } = subject;
  const { result } = answer;
  const { verdict } = result;
  const first = answer.explained?.executions[0]?.witness;
  const witness = verdict.kind === 'not-robust' ? (first ?? verdict.witness) : undefined;
  const pictures: Picture[] = [];
  if (html !== undefined) {
    const text = await pageOf(subject, answer);
    pictures.push({ what: 'the page', file: html, text });
  }
  if (svg !== undefined) {
    const text = witness && witnessToSvg(subject, witness, result.happensBefore);
    pictures.push({ what: 'the graph', file: svg, ...(text !== undefined && { text }) });
  }
  if (dot !== undefined) {
    const text = witness && witnessToDot(program, witness, result.happensBefore);
    pictures.push({ what: 'the graph', file: dot, ...(text !== undefined && { text }) });
  }
  return pictures;
}

/**
 * Writes pictures to their files; returns a line about each file written, and the error messages.
 */
async function writePictures(
  pictures: readonly Picture[],
): Promise<{ readonly done: string[]; readonly failed: string[] }> {
  const done: string[] = [];
  const failed: string[] = [];
  for (const { what, file, text } of pictures) {
    if (text === undefined) {
      done.push(`${quoteName(file)} is not written: without an execution there is no graph`);
      continue;
    }
    if (file === '-') continue;
    const failure = await writeWhole(file, text);
    if (failure === undefined) done.push(`${what} is in ${quoteName(file)}`);
    else failed.push(failure);
  }
  return { done, failed };
}

/** The verb `explain`: shows the witness step by step, as text and as pictures. */
export const explainVerb = fileVerb<typeof options, 'explain' | 'event-check'>({
  name: 'explain',
  options,
  examples: [
    ['fencewright explain lock.fw', 'shows an execution that only store buffers allow'],
    [
      'fencewright explain --report html=lock.html lock.fw',
      'writes the execution as a page for the browser',
    ],
  ],
  complaint: (values, files) =>
    happensBeforeComplaint(values.hb, values.engine) ??
    (values.minimal === 'delays' && values.hb === 'value'
      ? '--minimal delays needs --hb standard: a violation by values may need delays of several threads'
      : pictureComplaint(values, files)),
  request: (values, files) => ({
    question: {
      kind: 'explain',
      ...timeoutsWish(values),
      ...advancedWishes(values),
      ...eventWishes({ ...values, attack: undefined }),
      ...threadEngine(values),
      happensBefore: values.hb,
      allAttacks: values.allAttacks ?? false,
      showsAttacks: values.allAttacks ?? false,
      ...(values.minimal === 'delays' && { fewestDelays: true }),
      ...(values.attack !== undefined && { attack: values.attack }),
      listsAttacks: values.json === true || values.html !== undefined,
      jobs: files.length === 1 ? values.jobs : 1,
      listsFences: values.html !== undefined,
      answers: values.answers ? 'full' : 'brief',
    },
  }),
  print: async (read, answer, run, values) => {
    if (answer.kind === 'event-check') {
      const { eventExplainFileReport } = await import('../event-reports.js');
      return eventExplainFileReport(read, answer, run, values);
    }
    const { about, result, replay, explained, answerRun } = answer;
    const subject = subjectOf(read, about, values);
    const pictures = await draw(subject, answer, values);
    const { done, failed } = await writePictures(pictures);
    const piped = pictures.find(({ file }) => file === '-');
    const palette = terminalPalette(piped ? run.colours.stderr : run.colours.stdout);
    const notes = done.length > 0 ? `\n${done.join('\n')}\n` : '';
    const style = { palette, width: run.width };
    const told = explained
      ? explainedReport(subject, result, explained, style)
      : explainReport(subject, result, replay, style, answerRun);
    const shown = told + notes;
    const text = piped ? (piped.text ?? '') : shown;
    const report = reportOnCheck(subject, result, run, text, replay, explained);
    return {
      ...report,
      exitCode: worstOf([report.exitCode, ...(failed.length > 0 ? [exitCodes.usage] : [])]),
      stderr: report.stderr + failed.join('') + (piped ? shown : ''),
    };
  },
});
