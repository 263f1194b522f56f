import { at } from '@fencewright/ground/base/at.js';
import { unreachable } from '@fencewright/ground/base/unreachable.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import type { EventRun } from '@fencewright/model/trace/event-run.js';
import {
  actionsInViolation,
  type EventViolation,
} from '@fencewright/model/trace/event-violation.js';
import {
  type Criterion,
  type CriterionVerdict,
  decisive,
  type EventCheckResult,
  eventVerdict,
  type EventWitness,
} from '@fencewright/model/verdict/event-check-result.js';
import {
  askedCriteria,
  criterionMeanings,
  criterionNames,
  criterionVerdictWord,
  whyEventsUnknown,
} from '../words/event-criteria.js';
import { eventStepNumbers } from '../words/event-step-numbers.js';
import type { EventSubject } from '../words/event-subject.js';
import { violationSentences, whyNotSerial } from '../words/event-violation-words.js';
import { countOf, formatDuration } from '@fencewright/ground/base/number-words.js';
import { faultCaveat, notLookedAtLine, titleOf } from './check.js';
import { eventAttackBlocks } from './event-attack-table.js';
import { eventRun } from '../words/run.js';
import { advice, inToneOf, notes, say, section } from '../words/blocks.js';
import type { Block, TonedText } from '../words/document.js';
import { faultHeadline, type Headline, said } from '../words/headline.js';
import type { Palette } from './palette.js';
import { printText } from './print-text.js';

/**
 * By criterion of robustness, the words of a headline if it is satisfied, and if it is violated.
 */
export const criterionWords: Readonly<Record<Criterion, readonly [good: string, bad: string]>> = {
  determinism: ['deterministic inside of events', 'not deterministic inside of events'],
  serialisability: ['serialisable event by event', 'not serialisable event by event'],
  concurrency: ['robust against concurrency', 'not robust against concurrency'],
  tso: ['robust against TSO', 'not robust against TSO'],
  tsoSerial: ['robust', 'not robust'],
};

/** Returns the answer to the question, as words that follow the program's name. */
export function eventHeadline({ program }: EventSubject, result: EventCheckResult): Headline {
  const criterion = decisive(result);
  const verdict = result.criteria[criterion];
  const [good, bad] = criterionWords[criterion];
  switch (verdict.kind) {
    case 'robust':
      return said('good', 'is ', good, `: ${criterionMeanings[criterion].robust}`);
    case 'not-robust':
      return said('bad', 'is ', bad, `: ${criterionMeanings[criterion]['not-robust']}`);
    case 'unknown':
      return said('doubtful', 'is ', 'undecided', `: ${whyEventsUnknown(program, verdict.why)}`);
    case 'error':
      return faultHeadline;
    case 'not-asked':
      return said('doubtful', 'is ', 'undecided', ': the question was not asked');
    default:
      return unreachable(verdict);
  }
}

/**
 * Returns a table of the questions of robustness that were asked, without the reason of the unknown
 * verdict `told`, which the report gives elsewhere.
 */
export function criteriaTable(
  { program }: EventSubject,
  { criteria }: EventCheckResult,
  told?: CriterionVerdict,
): Block {
  const above = told?.kind === 'unknown' ? criterionVerdictWord(program, told) : undefined;
  const rows = askedCriteria(criteria).map((name): TonedText[] => {
    const verdict = criteria[name];
    const word = criterionVerdictWord(program, verdict);
    return [criterionNames[name], inToneOf(verdict.kind, word === above ? 'unknown' : word)];
  });
  const columns = [{ title: 'question' }, { title: 'answer' }];
  return { kind: 'table', isUntitled: true, columns, rows };
}

/** Returns a line on the size of the program, and the effort of the answer. */
function eventStatisticsLine({ program }: EventSubject, result: EventCheckResult): string {
  const { bodies, instances } = program;
  const events = bodies.filter(({ role }) => role === 'event').length;
  const isAny = instances.some(({ count }) => count === 'any');
  const count = instances.reduce((sum, each) => sum + (each.count === 'any' ? 0 : each.count), 0);
  const numbers = isAny
    ? count > 0
      ? `${countOf(count, 'instance')} and any number of others`
      : 'any number of instances'
    : countOf(count, 'instance');
  const size = `${countOf(events, 'event')}, ${countOf(bodies.length - events, 'procedure')}, ${numbers}`;
  const { states, milliseconds } = result.statistics;
  return `${size}; ${countOf(states, 'state')} in ${formatDuration(milliseconds)}`;
}

/** The remark that the user declared every posting as a fence. */
export const postingFenced = 'every posting waits for the store buffer of its thread';

/**
 * Returns remarks on the size of the program, the effort of the answer, and questions not examined.
 */
export function eventNotes(subject: EventSubject, result: EventCheckResult): string[] {
  const { faults, isPostingFenced } = result;
  return [
    eventStatisticsLine(subject, result),
    ...(isPostingFenced ? [postingFenced] : []),
    ...(eventVerdict(result).kind === 'robust' ? faultCaveat(faults) : []),
  ];
}

/** Returns a run, and the reasons why no serial order explains the run. */
export function eventWitnessBlocks(
  { program }: EventSubject,
  { run, violation, semantics }: EventWitness,
): readonly Block[] {
  const kind = semantics === 'multi-tso' ? 'with store buffers' : 'without store buffers';
  const shown = eventRun(program, run, actionsInViolation(violation));
  return [
    ...section(`An execution on several threads, ${kind}`, [{ kind: 'run', run: shown }]),
    ...section(
      violation.kind === 'happens-before'
        ? 'Why it is not sequentially consistent'
        : 'Why no serial order explains it',
      eventViolationBlocks(program, run, violation),
    ),
  ];
}

/** Returns the steps that no serial order explains, and the reason. */
export function eventViolationBlocks(
  program: EventProgram,
  run: EventRun,
  violation: EventViolation,
): readonly Block[] {
  const numbers = eventStepNumbers(run);
  const items = violationSentences(program, run, violation).map(
    ({ sentence, relation, from, to }) => ({
      ...{
        words: sentence,
        note: `${relation}, step ${at(numbers, from)} to step ${at(numbers, to)}`,
      },
    }),
  );
  return [{ kind: 'list', isOrdered: true, items }, say(whyNotSerial(program, run, violation))];
}

/** Returns the headline, the answers to the questions of robustness, and the effort. */
export function eventCheckSummary(
  subject: EventSubject,
  result: EventCheckResult,
): readonly Block[] {
  const { file, advise } = subject;
  const verdict = eventVerdict(result);
  const isBad = verdict.kind === 'not-robust';
  const fences =
    isBad && decisive(result) === 'tsoSerial'
      ? advise?.({ kind: 'find-fences', file, happensBefore: 'standard' })
      : undefined;
  const states = isBad ? advise?.({ kind: 'compare-states', file }) : undefined;
  return [
    { kind: 'headline', title: titleOf(subject), headline: eventHeadline(subject, result) },
    ...advice(fences && `${fences} finds the cheapest fences that repair it`),
    ...advice(states && `${states} tells whether final states and properties show it`),
    ...(verdict.kind === 'unknown' && verdict.why.kind === 'limit'
      ? advice(advise?.({ kind: 'go-on', reason: verdict.why.reason }))
      : []),
    criteriaTable(subject, result, verdict),
    ...notes(eventNotes(subject, result)),
  ];
}

/** Returns the report on a check of a program of events. */
export function eventCheckReport(
  subject: EventSubject,
  result: EventCheckResult,
  palette: Palette,
): string {
  const verdict = eventVerdict(result);
  const { attacks } = result;
  const blocks = [
    ...eventCheckSummary(subject, result),
    ...notes(notLookedAtLine(subject)),
    ...(verdict.kind === 'not-robust' ? eventWitnessBlocks(subject, verdict.witness) : []),
    ...(attacks ? section('Attacks one by one', eventAttackBlocks(subject, attacks)) : []),
  ];
  return printText(blocks, palette);
}
