import { explainedReport, explainReport, type ResultOf, type Subject } from '@fencewright/core';
import { subjectOf } from '../advice-in-words.js';
import { threadEngine } from '../options/engines.js';
import { against, eventOptions, eventWishes, shownAttack } from '../options/events.js';
import { reportOnCheck } from '../check-outcome.js';
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
import { choice, common, conflicting, flag, report } from '../options/declare.js';
import { pictureComplaint, withPictures } from '../pictures.js';
import { fileVerb } from '../file-verb.js';
import { version } from '../version.js';

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

/** The verb `explain`: shows the witness step by step, as text and as pictures. */
/** Returns the subject without the advice to run this verb. */
function withoutItself(subject: ReadFile & Subject): ReadFile & Subject {
  const { advise } = subject;
  return {
    ...subject,
    advise: (advice) => (advice.kind === 'show-failure' ? undefined : advise?.(advice)),
  };
}

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
    const subject = withoutItself(subjectOf(read, about, values));
    const { happensBefore, verdict } = result;
    const witness =
      verdict.kind === 'not-robust'
        ? (explained?.executions[0]?.witness ?? verdict.witness)
        : undefined;
    const svg = async () => {
      const { witnessToSvg } = await import('@fencewright/core/page');
      return witness && witnessToSvg(subject, witness, happensBefore);
    };
    const dot = async () => {
      const { witnessToDot } = await import('@fencewright/core/page');
      return witness && witnessToDot(about, witness, happensBefore);
    };
    const pictures = [
      { what: 'the page', file: values.html, draw: () => pageOf(subject, answer) },
      { what: 'the graph', noun: 'graph', file: values.svg, draw: svg },
      { what: 'the graph', noun: 'graph', file: values.dot, draw: dot },
    ];
    const report = reportOnCheck(subject, result, run, '', replay, explained);
    return withPictures(report, pictures, run, (palette) => {
      const style = { palette, width: run.width };
      return explained
        ? explainedReport(subject, result, explained, style)
        : explainReport(subject, result, replay, style, answerRun);
    });
  },
});
