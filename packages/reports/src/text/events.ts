import type { EventCheckResult } from '@fencewright/model/verdict/event-check-result.js';
import { decisive } from '@fencewright/model/verdict/event-check-result.js';
import type { EventReachResult } from '@fencewright/model/verdict/event-reach-result.js';
import type { EventSubject } from '../words/event-subject.js';
import { eventsFindings } from '../words/events-findings.js';
import { eventCheckSummary, eventWitnessLines } from './event-check.js';
import { eventFinalLines } from './event-reach.js';
import type { Palette } from './palette.js';

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
  const findings = eventsFindings(subject.program, check, reach);
  const verdict = check.criteria[decisive(check)];
  const lines = [
    ...eventCheckSummary(subject, check, palette),
    '',
    palette.strong('What follows'),
    ...findings.map(({ text, tone }) => `  - ${palette[tone](text)}`),
    '',
    palette.strong('Final states'),
    ...eventFinalLines(subject, reach, palette),
    ...(verdict.kind === 'not-robust' ? eventWitnessLines(subject, verdict.witness, palette) : []),
  ];
  return `${lines.join('\n')}\n`;
}
