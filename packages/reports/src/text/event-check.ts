import { unreachable } from '@fencewright/ground/base/unreachable.js';
import { actionsInViolation } from '@fencewright/model/trace/event-violation.js';
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
import type { EventSubject } from '../words/event-subject.js';
import { violationSentences, whyNotSerial } from '../words/event-violation-words.js';
import { countOf, formatDuration } from '@fencewright/ground/base/number-words.js';
import { faultCaveat, notLookedAtLine, titleOf } from './check.js';
import { eventAttackLines } from './event-attack-table.js';
import { eventRunTable } from './event-run-table.js';
import { hintLines } from './hint-lines.js';
import type { Palette } from './palette.js';

/** The words of a headline about a criterion: satisfied, and violated. */
export const headlineWords: Readonly<Record<Criterion, readonly [good: string, bad: string]>> = {
  determinism: ['deterministic inside of events', 'not deterministic inside of events'],
  serialisability: ['serialisable event by event', 'not serialisable event by event'],
  concurrency: ['robust against concurrency', 'not robust against concurrency'],
  tso: ['robust against TSO', 'not robust against TSO'],
  tsoSerial: ['robust', 'not robust'],
};

/** Returns the answer to the question asked, in one line. */
function eventVerdictLine(
  subject: EventSubject,
  result: EventCheckResult,
  palette: Palette,
): string {
  const title = palette.strong(titleOf(subject));
  const criterion = decisive(result);
  const verdict = result.criteria[criterion];
  const [good, bad] = headlineWords[criterion];
  switch (verdict.kind) {
    case 'robust':
      return `${title} is ${palette.good(good)}: ${criterionMeanings[criterion].robust}`;
    case 'not-robust':
      return `${title} is ${palette.bad(bad)}: ${criterionMeanings[criterion]['not-robust']}`;
    case 'unknown':
      return `${title} is ${palette.doubtful('undecided')}: ${whyEventsUnknown(subject.program, verdict.why)}`;
    case 'error':
      return `${title} ${palette.bad('cannot be decided')}: an execution of the program ends in a fault (see the messages)`;
    case 'not-asked':
      return `${title} is ${palette.doubtful('undecided')}: the question was not asked`;
    default:
      return unreachable(verdict);
  }
}

function paintOf(verdict: CriterionVerdict, palette: Palette): (text: string) => string {
  switch (verdict.kind) {
    case 'robust':
      return palette.good;
    case 'not-robust':
    case 'error':
      return palette.bad;
    case 'unknown':
      return palette.doubtful;
    case 'not-asked':
      return palette.faint;
    default:
      return unreachable(verdict);
  }
}

/**
 * Returns one line for each question of robustness that was asked. The reason of the unknown
 * verdict `told`, given elsewhere, is left out.
 */
export function criteriaLines(
  { program }: EventSubject,
  { criteria }: EventCheckResult,
  palette: Palette,
  told?: CriterionVerdict,
): string[] {
  const names = askedCriteria(criteria);
  const width = Math.max(...names.map((name) => criterionNames[name].length));
  const above = told?.kind === 'unknown' ? criterionVerdictWord(program, told) : undefined;
  return names.map((name) => {
    const verdict = criteria[name];
    const word = criterionVerdictWord(program, verdict);
    const shown = paintOf(verdict, palette)(word === above ? 'unknown' : word);
    return `  ${criterionNames[name].padEnd(width)}  ${shown}`;
  });
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

/**
 * Returns remarks on the size of the program, the effort of the answer, and questions not examined.
 */
export function eventNotes(subject: EventSubject, result: EventCheckResult): string[] {
  const { faults, isPostingFenced } = result;
  return [
    eventStatisticsLine(subject, result),
    ...(isPostingFenced ? ['every posting waits for the store buffer of its thread'] : []),
    ...(eventVerdict(result).kind === 'robust' ? faultCaveat(faults) : []),
  ];
}

/** Returns the lines on a run, and the reasons why no serial order explains the run. */
export function eventWitnessLines(
  { program }: EventSubject,
  { run, violation, semantics }: EventWitness,
  palette: Palette,
): string[] {
  const sentences = violationSentences(program, run, violation);
  const kind = semantics === 'multi-tso' ? 'with store buffers' : 'without store buffers';
  return [
    '',
    palette.strong(`An execution on several threads, ${kind}`),
    ...eventRunTable(program, run, actionsInViolation(violation), palette),
    '',
    palette.strong(
      violation.kind === 'happens-before'
        ? 'Why it is not sequentially consistent'
        : 'Why no serial order explains it',
    ),
    ...sentences.map(({ sentence, relation, from, to }, i) => {
      const steps = palette.faint(`(${relation}, step ${from + 1} to step ${to + 1})`);
      return `  ${i + 1}. ${sentence} ${steps}`;
    }),
    `  ${whyNotSerial(program, run, violation)}`,
  ];
}

/** Returns the headline, the answers to the questions of robustness, and the effort. */
export function eventCheckSummary(
  subject: EventSubject,
  result: EventCheckResult,
  palette: Palette,
): string[] {
  const { file, advise } = subject;
  const verdict = eventVerdict(result);
  const lines = [eventVerdictLine(subject, result, palette)];
  const hint = (words: string | undefined): void => {
    lines.push(...hintLines(words, palette));
  };
  if (verdict.kind === 'not-robust') {
    const fences =
      decisive(result) === 'tsoSerial'
        ? advise?.({ kind: 'find-fences', file, happensBefore: 'standard' })
        : undefined;
    hint(fences && `${fences} finds the cheapest fences that repair it`);
    const states = advise?.({ kind: 'compare-states', file });
    hint(states && `${states} tells whether final states and properties show it`);
  }
  if (verdict.kind === 'unknown' && verdict.why.kind === 'limit')
    hint(advise?.({ kind: 'go-on', reason: verdict.why.reason }));
  return [
    ...lines,
    ...criteriaLines(subject, result, palette, verdict),
    ...eventNotes(subject, result).map((note) => `  ${palette.faint(note)}`),
  ];
}

/** Returns the report on a check of a program of events. */
export function eventCheckReport(
  subject: EventSubject,
  result: EventCheckResult,
  palette: Palette,
): string {
  const verdict = eventVerdict(result);
  const lines = [
    ...eventCheckSummary(subject, result, palette),
    ...notLookedAtLine(subject).map((note) => `  ${palette.faint(note)}`),
  ];
  if (verdict.kind === 'not-robust')
    lines.push(...eventWitnessLines(subject, verdict.witness, palette));
  if (result.attacks)
    lines.push(
      '',
      palette.strong('Attacks one by one'),
      ...eventAttackLines(subject, result.attacks, palette),
    );
  return `${lines.join('\n')}\n`;
}
