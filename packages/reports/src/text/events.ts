import type { EventCheckResult } from '@fencewright/model/verdict/event-check-result.js';
import { decisive } from '@fencewright/model/verdict/event-check-result.js';
import type { EventReachResult } from '@fencewright/model/verdict/event-reach-result.js';
import type { EventSubject } from '../words/event-subject.js';
import { eventsFindings } from '../words/events-findings.js';
import { section } from '../words/blocks.js';
import type { Block } from '../words/document.js';
import { eventCheckSummary, eventWitnessBlocks } from './event-check.js';
import { eventFinalBlocks } from './event-reach.js';
import type { Palette } from './palette.js';
import { printText } from './print-text.js';

/** Returns the facts about the real program as a list. */
export function findingsList(
  { program }: EventSubject,
  check: EventCheckResult,
  reach: EventReachResult,
): Block {
  const items = eventsFindings(program, check, reach).map((words) => ({ words }));
  return { kind: 'list', isOrdered: false, items };
}

/**
 * Returns the report on all questions about a program of events: the answers, their meaning for the
 * real program, and the final states.
 */
export function eventsReport(
  subject: EventSubject,
  check: EventCheckResult,
  reach: EventReachResult,
  palette: Palette,
): string {
  const verdict = check.criteria[decisive(check)];
  const blocks = [
    ...eventCheckSummary(subject, check),
    ...section('What follows', [findingsList(subject, check, reach)]),
    ...section('Final states', eventFinalBlocks(subject, reach)),
    ...(verdict.kind === 'not-robust' ? eventWitnessBlocks(subject, verdict.witness) : []),
  ];
  return printText(blocks, palette);
}
