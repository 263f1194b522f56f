import { unreachable } from '@fencewright/ground/base/unreachable.js';
import { decisive } from '@fencewright/model/verdict/event-check-result.js';
import type {
  EventFenceVerdict,
  EventFencesFound,
} from '@fencewright/model/verdict/event-fence-result.js';
import { whyEventsUnknown } from '../words/event-criteria.js';
import {
  type EventFenceFindings,
  placeLines,
  placeNoun,
  reasonFor,
} from '../words/event-fence-findings.js';
import type { EventSubject } from '../words/event-subject.js';
import { violationSentences } from '../words/event-violation-words.js';
import { countOf, enumerate, formatDuration } from '@fencewright/ground/base/number-words.js';
import { titleOf } from './check.js';
import { diffLines } from './diff-lines.js';
import { criteriaLines, eventWitnessLines } from './event-check.js';
import { headlineWords } from './event-check.js';
import { formatCost } from './fence-headline.js';
import { hintLines } from './hint-lines.js';
import type { Palette } from './palette.js';
import { sourceExcerpt } from './source-excerpt.js';

type Impossible = Extract<EventFenceVerdict, { kind: 'impossible' }>;

function headline(subject: EventSubject, { result }: EventFenceFindings, palette: Palette): string {
  const title = palette.strong(titleOf(subject));
  const { verdict, asIs } = result;
  const [goal] = headlineWords[decisive(asIs)];
  switch (verdict.kind) {
    case 'found': {
      const { fences, cost, reasons } = verdict;
      if (fences.length === 0)
        return `${title} is ${palette.good(`already ${goal}`)}: no fence needed`;
      const count = palette.good(countOf(fences.length, 'fence'));
      return `${title} becomes ${goal} with ${count} of cost ${formatCost(cost)}, provably cheapest: ${countOf(reasons.length, 'clause')}`;
    }
    case 'impossible':
      return `${title} cannot be made ${goal}: ${palette.bad('no fence set exists')}`;
    case 'unknown':
      return `${title} is ${palette.doubtful('undecided')}: ${whyEventsUnknown(subject.program, verdict.why)}; every sufficient set costs at least ${formatCost(verdict.bound)}`;
    case 'error':
      return `${title} ${palette.bad('cannot be decided')}: an execution of the program ends in a fault (see the messages)`;
    default:
      return unreachable(verdict);
  }
}

function fenceLines(
  { program, source }: EventSubject,
  { positionsOf }: EventFenceFindings,
  verdict: EventFencesFound,
  palette: Palette,
): string[] {
  return verdict.fences.flatMap((fence, i) => {
    const marks = positionsOf(fence).map((place) => ({
      span: { start: place, end: place },
      remark: 'a fence here',
      paint: palette.good,
    }));
    const reason = reasonFor(verdict, fence);
    const { run, violation } = reason?.witness ?? {};
    const sentences = run && violation ? violationSentences(program, run, violation) : [];
    return [
      `  ${i + 1}. ${placeNoun(program, fence, positionsOf)}, cost ${formatCost(fence.cost)}`,
      ...sourceExcerpt(source, marks, palette),
      ...(sentences.length > 0
        ? [
            '  Without the fence, delayed stores allow a cycle:',
            ...sentences.map(({ sentence }) => `    ${sentence}`),
          ]
        : []),
    ];
  });
}

function whyImpossible(
  { program }: EventSubject,
  { positionsOf }: EventFenceFindings,
  { why, passed }: Impossible,
): string {
  if (why === 'concurrency')
    return 'Several threads violate the criterion without store buffers, in a run that fences do not exclude.';
  const lines = passed.flatMap((place) => placeLines(program, place, positionsOf));
  const inOrder = [...new Set(lines)].sort((a, b) => a - b);
  return inOrder.length === 0
    ? 'At the places where a fence would exclude this run, no fence may stand.'
    : `At the places where a fence would exclude this run, no fence may stand or the text has no room: line${inOrder.length === 1 ? '' : 's'} ${enumerate(inOrder.map(String))}.`;
}

function detailLines(
  subject: EventSubject,
  findings: EventFenceFindings,
  palette: Palette,
): string[] {
  const { verdict } = findings.result;
  switch (verdict.kind) {
    case 'found':
      return verdict.fences.length === 0
        ? []
        : [
            '',
            palette.strong('What has to be done'),
            ...fenceLines(subject, findings, verdict, palette),
          ];
    case 'impossible':
      return [
        '',
        palette.strong(whyImpossible(subject, findings, verdict)),
        ...eventWitnessLines(subject, verdict.witness, palette),
      ];
    case 'unknown': {
      const { why } = verdict;
      const advice =
        why.kind === 'limit' ? subject.advise?.({ kind: 'go-on', reason: why.reason }) : undefined;
      return hintLines(advice, palette);
    }
    case 'error':
      return [];
    default:
      return unreachable(verdict);
  }
}

/**
 * Returns the report on fences for a program of events: the fences to insert and their cost, the
 * run that makes each fence necessary, and a diff; or a run that no fences prevent.
 */
export function eventFenceReport(
  subject: EventSubject,
  findings: EventFenceFindings,
  palette: Palette,
): string {
  const { result, costModel, diff = '' } = findings;
  const { rounds, clauses, states, milliseconds } = result.statistics;
  const effort =
    `costs by ${costModel}; ${countOf(clauses, 'clause')} in ${countOf(rounds, 'round')}, ` +
    `${countOf(states, 'state')} in ${formatDuration(milliseconds)}`;
  const lines = [
    headline(subject, findings, palette),
    palette.faint('  as it is:'),
    ...criteriaLines(subject, result.asIs, palette),
    `  ${palette.faint(effort)}`,
    ...(result.asIs.isPostingFenced
      ? [`  ${palette.faint('every posting waits for the store buffer of its thread')}`]
      : []),
    ...detailLines(subject, findings, palette),
    ...(diff === '' ? [] : ['', palette.strong('The change'), ...diffLines(diff, palette)]),
  ];
  return `${lines.join('\n')}\n`;
}
