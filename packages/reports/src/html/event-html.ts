import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import { formatDuration } from '@fencewright/ground/base/number-words.js';
import { decisive, type EventCheckResult } from '@fencewright/model/verdict/event-check-result.js';
import type { EventReachResult } from '@fencewright/model/verdict/event-reach-result.js';
import { criteriaTable, eventHeadline, eventNotes } from '../text/event-check.js';
import { eventFinalBlocks, eventReachDetails, shownRuns } from '../text/event-reach.js';
import { findingsList } from '../text/events.js';
import { section } from '../words/blocks.js';
import type { EventSubject } from '../words/event-subject.js';
import { eventReachOutcome } from '../words/event-reach-outcome.js';
import { sentence } from '../words/sentence.js';
import { blocksHtml } from './blocks-html.js';
import { eventRunSection } from './event-run-section.js';
import { html, type Html } from './html-text.js';
import { type PageHeading, pageHtml } from './page-frame.js';

/** The data for a page on a program of events, besides the result. */
export interface EventPage {
  /** The diagnostics from reading the file. */
  readonly diagnostics: readonly Diagnostic[];
  readonly version: string;
}

function programSection(source: string): Html {
  const lines = source.split('\n');
  return html`<section class="program" aria-labelledby="program-title">
    <h2 id="program-title">The program</h2>
    <div class="scroller" tabindex="0" role="region" aria-label="Program text">
      <pre class="command" tabindex="0">
${lines.map((line, i) => `${String(i + 1).padStart(4)}  ${line}\n`).join('')}</pre>
    </div>
  </section>`;
}

/**
 * Returns the page on a check, with the parts that all such pages share; `answers` is the content
 * before the run.
 */
function checkPage(
  subject: EventSubject,
  result: EventCheckResult,
  { diagnostics, version }: EventPage,
  verb: string,
  answers: Html,
): string {
  const headline = eventHeadline(subject, result);
  const { tone, words, rest } = headline;
  return pageHtml(subject, {
    heading: { tone, words, lead: sentence(rest.replace(/^: /, '')) },
    contents: html`${answers} ${witnessSection(subject, result)} ${programSection(subject.source)}`,
    diagnostics: [...diagnostics, ...result.diagnostics],
    effort: eventNotes(subject, result),
    verb,
    version,
  });
}

/** Returns the section on the run that shows the answer; false without such a run. */
function witnessSection({ program }: EventSubject, result: EventCheckResult): Html | false {
  const verdict = result.criteria[decisive(result)];
  if (verdict.kind !== 'not-robust') return false;
  const { run, violation, semantics } = verdict.witness;
  const kind = semantics === 'multi-tso' ? 'with store buffers' : 'without store buffers';
  return eventRunSection(program, run, {
    id: 'run-title',
    title: `A run on several threads, ${kind}`,
    violation,
  });
}

/** Returns a self-contained HTML page on a check of a program of events. */
export function eventExplainHtml(
  subject: EventSubject,
  result: EventCheckResult,
  page: EventPage,
): string {
  const answers = section('What it is robust against', [criteriaTable(subject, result)]);
  return checkPage(subject, result, page, 'explain', blocksHtml(answers));
}

const reachHeadlines: Readonly<Record<ReturnType<typeof eventReachOutcome>, PageHeading>> = {
  same: {
    tone: 'good',
    words: 'nothing new on several threads',
    lead: 'Whatever it ends in on several threads, it ends in on a single one.',
  },
  different: {
    tone: 'bad',
    words: 'different on several threads',
    lead: 'On several threads it does what a single thread does not.',
  },
  unknown: {
    tone: 'doubtful',
    words: 'undecided',
    lead: 'Not all states were explored; what is shown here was found.',
  },
  error: {
    tone: 'doubtful',
    words: 'cannot be decided',
    lead: 'An execution of the program ends in a fault: see the messages.',
  },
};

/** Returns a self-contained HTML page on the final states of a program of events. */
export function eventReachHtml(
  subject: EventSubject,
  result: EventReachResult,
  { diagnostics, version }: EventPage,
): string {
  const runs = shownRuns(subject, result).map(({ title, run }, i) =>
    eventRunSection(subject.program, run, { id: `run-${i}`, title }),
  );
  return pageHtml(subject, {
    heading: reachHeadlines[eventReachOutcome(result)],
    contents: html`${blocksHtml(eventReachDetails(subject, result))} ${runs}
    ${programSection(subject.source)}`,
    diagnostics,
    effort: [formatDuration(result.milliseconds)],
    verb: 'reach',
    version,
  });
}

/** Returns a self-contained HTML page on the results of all questions about a program of events. */
export function eventsHtml(
  subject: EventSubject,
  { check, reach }: { readonly check: EventCheckResult; readonly reach: EventReachResult },
  page: EventPage,
): string {
  const answers = [
    ...section('What follows', [
      findingsList(subject, check, reach),
      criteriaTable(subject, check),
    ]),
    ...section('Final states', eventFinalBlocks(subject, reach)),
  ];
  return checkPage(subject, check, page, 'events', blocksHtml(answers));
}
