import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import { unreachable } from '@fencewright/ground/base/unreachable.js';
import { decisive, type EventCheckResult } from '@fencewright/model/verdict/event-check-result.js';
import type { EventReachResult } from '@fencewright/model/verdict/event-reach-result.js';
import { eventNotes } from '../text/event-check.js';
import { eventFinals, shownRuns, sideNames } from '../text/event-reach.js';
import {
  askedCriteria,
  criterionMeanings,
  criterionNames,
  criterionVerdictWord,
  whyEventsUnknown,
} from '../words/event-criteria.js';
import type { EventSubject } from '../words/event-subject.js';
import { eventReachOutcome } from '../words/event-reach-outcome.js';
import { formatDuration } from '@fencewright/ground/base/number-words.js';
import { sentence } from '../words/sentence.js';
import { eventRunSection } from './event-run-section.js';
import { html, type Html } from './html-text.js';
import { stepsTable } from './steps-table.js';
import { type PageHeading, pageHtml } from './page-frame.js';

/** The inputs of a page on a program of events, besides the result. */
export interface EventPage {
  /** The diagnostics of reading the file. */
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

function headlineOf({ program }: EventSubject, result: EventCheckResult): PageHeading {
  const criterion = decisive(result);
  const verdict = result.criteria[criterion];
  switch (verdict.kind) {
    case 'robust':
      return {
        tone: 'good',
        words: criterionNames[criterion],
        lead: sentence(criterionMeanings[criterion].robust),
      };
    case 'not-robust':
      return {
        tone: 'bad',
        words: `not ${criterionNames[criterion]}`,
        lead: sentence(criterionMeanings[criterion]['not-robust']),
      };
    case 'unknown':
      return {
        tone: 'doubtful',
        words: 'undecided',
        lead: `Undecided: ${whyEventsUnknown(program, verdict.why)}.`,
      };
    case 'not-asked':
    case 'error':
      return {
        tone: 'doubtful',
        words: 'cannot be decided',
        lead: 'An execution of the program ends in a fault: see the messages.',
      };
    default:
      return unreachable(verdict);
  }
}

/** Returns a table of the answers to the questions about robustness. */
function criteriaTable({ program }: EventSubject, { criteria }: EventCheckResult): Html {
  const names = askedCriteria(criteria);
  const rows = names.map(
    (name) =>
      html`<tr>
        <th scope="row">${criterionNames[name]}</th>
        <td>${criterionVerdictWord(program, criteria[name])}</td>
      </tr>`,
  );
  return stepsTable(['question', 'answer'], rows);
}

/** Returns a table of the final states under all semantics. */
function finalsTable({ program }: EventSubject, result: EventReachResult): Html {
  const { cells, finals } = eventFinals(program, result);
  const sides = (['single', 'sc', 'tso'] as const).filter(
    (side) => result[side].incomplete !== 'not-asked',
  );
  const rows = finals.map(
    ({ values, sides: reached }) =>
      html`<tr>
        ${values.map((value) => html`<td>${value}</td>`)}
        ${sides.map((side) => html`<td>${reached.includes(side) ? 'yes' : '-'}</td>`)}
      </tr>`,
  );
  return stepsTable([...cells, ...sides.map((side) => sideNames[side])], rows);
}

/** Returns the section on the run that shows the answer; false if there is none. */
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
  { diagnostics, version }: EventPage,
): string {
  return pageHtml(subject, {
    heading: headlineOf(subject, result),
    contents: html`<section aria-labelledby="criteria-title">
        <h2 id="criteria-title">What it is robust against</h2>
        ${criteriaTable(subject, result)}
      </section>
      ${witnessSection(subject, result)} ${programSection(subject.source)}`,
    diagnostics: [...diagnostics, ...result.diagnostics],
    effort: eventNotes(subject, result),
    verb: 'explain',
    version,
  });
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
  return pageHtml(subject, {
    heading: reachHeadlines[eventReachOutcome(result)],
    contents: html`<section aria-labelledby="finals-title">
        <h2 id="finals-title">Final states</h2>
        ${finalsTable(subject, result)}
      </section>
      ${shownRuns(subject, result).map(({ title, run }, i) =>
        eventRunSection(subject.program, run, { id: `run-${i}`, title }),
      )}
      ${programSection(subject.source)}`,
    diagnostics,
    effort: [formatDuration(result.milliseconds)],
    verb: 'reach',
    version,
  });
}

/**
 * Returns a self-contained HTML page on the results of all questions about a program of events;
 * `findings` are its sentences.
 */
export function eventsHtml(
  subject: EventSubject,
  { check, reach }: { readonly check: EventCheckResult; readonly reach: EventReachResult },
  findings: readonly string[],
  { diagnostics, version }: EventPage,
): string {
  return pageHtml(subject, {
    heading: headlineOf(subject, check),
    contents: html`<section aria-labelledby="findings-title">
        <h2 id="findings-title">What follows</h2>
        <ul>
          ${findings.map((finding) => html`<li>${finding}</li>`)}
        </ul>
        ${criteriaTable(subject, check)}
        <h3>Final states</h3>
        ${finalsTable(subject, reach)}
      </section>
      ${witnessSection(subject, check)} ${programSection(subject.source)}`,
    diagnostics: [...diagnostics, ...check.diagnostics],
    effort: eventNotes(subject, check),
    verb: 'events',
    version,
  });
}
