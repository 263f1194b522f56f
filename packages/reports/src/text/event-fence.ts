import { unreachable } from '@fencewright/ground/base/unreachable.js';
import { decisive } from '@fencewright/model/verdict/event-check-result.js';
import type {
  EventFenceVerdict,
  EventFencesFound,
} from '@fencewright/model/verdict/event-fence-result.js';
import { provenBy } from '../words/provably-cheapest.js';
import { whyEventsUnknown } from '../words/event-criteria.js';
import {
  type EventFenceFindings,
  placeLines,
  placeNoun,
  reasonFor,
} from '../words/event-fence-findings.js';
import { advice, changeSection, notes, numbered, say, section } from '../words/blocks.js';
import type { Block, Item } from '../words/document.js';
import { faultHeadline, type Headline, said } from '../words/headline.js';
import type { EventSubject } from '../words/event-subject.js';
import { violationSentences } from '../words/event-violation-words.js';
import { countOf, enumerate, formatDuration } from '@fencewright/ground/base/number-words.js';
import { titleOf } from './check.js';
import { criteriaTable, eventWitnessBlocks, criterionWords, postingFenced } from './event-check.js';
import { formatCost } from './fence-headline.js';
import type { Palette } from './palette.js';
import { printText } from './print-text.js';

type Impossible = Extract<EventFenceVerdict, { kind: 'impossible' }>;

function headline({ program }: EventSubject, { result }: EventFenceFindings): Headline {
  const { verdict, asIs } = result;
  const [goal] = criterionWords[decisive(asIs)];
  switch (verdict.kind) {
    case 'found': {
      const { fences, cost, reasons } = verdict;
      if (fences.length === 0) return said('good', 'is ', `already ${goal}`, ': no fence needed');
      const proof = ` of cost ${formatCost(cost)}, provably cheapest: ${provenBy(reasons.length)}`;
      return said('good', `becomes ${goal} with `, countOf(fences.length, 'fence'), proof);
    }
    case 'impossible':
      return said('bad', `cannot be made ${goal}: `, 'no fence set exists');
    case 'unknown': {
      const bound = `every sufficient set costs at least ${formatCost(verdict.bound)}`;
      const why = `: ${whyEventsUnknown(program, verdict.why)}; ${bound}`;
      return said('doubtful', 'is ', 'undecided', why);
    }
    case 'error':
      return faultHeadline;
    default:
      return unreachable(verdict);
  }
}

function fenceItems(
  { program, source }: EventSubject,
  { positionsOf }: EventFenceFindings,
  verdict: EventFencesFound,
): readonly Item[] {
  return verdict.fences.map((fence) => {
    const marks = positionsOf(fence).map((place) => ({
      ...{ span: { start: place, end: place }, remark: 'a fence here', tone: 'good' as const },
    }));
    const { run, violation } = reasonFor(verdict, fence)?.witness ?? {};
    const sentences = run && violation ? violationSentences(program, run, violation) : [];
    const why = 'Without the fence, delayed stores allow a cycle:';
    const blocks: readonly Block[] = [
      { kind: 'excerpt', source, marks },
      ...(sentences.length > 0 ? [say(why)] : []),
      ...sentences.map(({ sentence }) => say(sentence, 2)),
    ];
    const place = placeNoun(program, fence, positionsOf);
    return { words: `${place}, cost ${formatCost(fence.cost)}`, blocks };
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

function details(subject: EventSubject, findings: EventFenceFindings): readonly Block[] {
  const { verdict } = findings.result;
  switch (verdict.kind) {
    case 'found':
      return section('What has to be done', numbered(fenceItems(subject, findings, verdict)));
    case 'impossible':
      return [
        { kind: 'section', title: whyImpossible(subject, findings, verdict), blocks: [] },
        ...eventWitnessBlocks(subject, verdict.witness),
      ];
    case 'unknown': {
      const { why } = verdict;
      return why.kind === 'limit'
        ? advice(subject.advise?.({ kind: 'go-on', reason: why.reason }))
        : [];
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
  const { result, costModel, diff } = findings;
  const { states, milliseconds } = result.statistics;
  const effort = `costs by ${costModel}; ${countOf(states, 'state')} in ${formatDuration(milliseconds)}`;
  const blocks: readonly Block[] = [
    { kind: 'headline', title: titleOf(subject), headline: headline(subject, findings) },
    ...notes(['as it is:']),
    criteriaTable(subject, result.asIs),
    ...notes([effort, ...(result.asIs.isPostingFenced ? [postingFenced] : [])]),
    ...details(subject, findings),
    ...changeSection(diff),
  ];
  return printText(blocks, palette);
}
