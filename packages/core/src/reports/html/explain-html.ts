import { printableLine, quoteArgument, quoteName } from '../../source/quote-name.js';
import { unreachable } from '../../base/unreachable.js';
import type { Diagnostic } from '../../source/diagnostic.js';
import type { HappensBefore } from '../../trace/trace.js';
import type { Replay } from '../../verdict/replay.js';
import type { CheckResult, Witness } from '../../verdict/verdict.js';
import { attackSentence } from '../attack-in-words.js';
import {
  adviceFor,
  meaningOf,
  reasonInWords,
  scopeInWords,
  statisticsLines,
  titleOf,
} from '../check.js';
import type { FenceFindings } from '../fence-findings.js';
import type { Subject } from '../subject.js';
import { cycleSection } from './cycle-section.js';
import { fenceMarks, fenceSection } from './fence-section.js';
import { embeddedJson, html, type Html, trusted } from './html-text.js';
import { machinePanel, player } from './machine-panel.js';
import { pageScript, pageStyle } from './page-assets.js';
import { type PageData, pageData } from './page-data.js';
import { programText } from './program-text.js';
import { stepTable } from './step-table.js';
import { timeLine } from './time-line.js';
import { messageSection, robustSection } from './verdict-sections.js';

/** What the page is made from besides the check. */
export interface ExplainPage {
  /** Of the witness. */
  readonly replay?: Replay;
  /** What `fence` found; only for a program that is not robust. */
  readonly fences?: FenceFindings;
  /** Those of reading the file. */
  readonly diagnostics: readonly Diagnostic[];
  readonly version: string;
}

interface Headline {
  readonly className: 'good' | 'bad' | 'doubtful';
  readonly verdict: string;
  readonly meaning: string;
}

const sentence = (words: string): string => `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;

function headlineOf({ verdict, notion, scope }: CheckResult): Headline {
  const under = (notion === 'value' ? ' by values' : '') + (scope ? ` ${scopeInWords(scope)}` : '');
  switch (verdict.kind) {
    case 'robust':
      return {
        className: 'good',
        verdict: `robust${under}`,
        meaning: sentence(meaningOf[notion].robust),
      };
    case 'not-robust':
      return {
        className: 'bad',
        verdict: `not robust${under}`,
        meaning: sentence(meaningOf[notion]['not-robust']),
      };
    case 'unknown':
      return {
        className: 'doubtful',
        verdict: `undecided${under}`,
        meaning: `It may be robust or not: ${verdict.detail || reasonInWords[verdict.reason]}.`,
      };
    case 'error':
      return {
        className: 'doubtful',
        verdict: 'cannot be decided',
        meaning: 'One of its executions is at fault: see the messages.',
      };
    default:
      return unreachable(verdict);
  }
}

/** Steps of a table that still is of use, and does not make the page heavy. */
const mostRows = 400;

function allSteps(data: PageData): Html {
  return html`<details id="all-steps">
    <summary>All steps as a table</summary>
    <div class="scroller" tabindex="0" role="region" aria-label="All steps">${stepTable(data)}</div>
  </details>`;
}

function tooManySteps({ file }: Subject): Html {
  return html`<p class="hint">For all steps as a table:</p>
    <pre class="command" tabindex="0">fencewright explain ${quoteArgument(file)}</pre>`;
}

/** A violation, and what is known about it. */
interface Execution {
  readonly witness: Witness;
  readonly replay: Replay;
  readonly notion: HappensBefore;
  readonly fences?: FenceFindings;
}

function witnessSections(subject: Subject, { witness, replay, notion, fences }: Execution): Html {
  const { program, source } = subject;
  const data = pageData(program, witness, replay);
  const marks = fences ? fenceMarks(program, fences) : [];
  return html`<div class="stage">
      <section class="execution" aria-labelledby="execution-title">
        <h2 id="execution-title">The execution</h2>
        ${player(data)} ${machinePanel(data)}
        <div class="scroller" id="time-scroller">${timeLine(program, witness, data)}</div>
        <p class="hint">
          A bar is the time that a store waits in its buffer: only its own thread sees it, everybody
          else reads memory. Red frames are the accesses of the cycle, dashed ones are still to
          come.
        </p>
        ${data.steps.length <= mostRows ? allSteps(data) : tooManySteps(subject)}
      </section>
      <section class="program" aria-labelledby="program-title">
        <h2 id="program-title">The program</h2>
        <p class="legend">
          <span class="at store">the store that waits</span>
          <span class="at load">the load that overtakes it</span
          >${marks.length > 0 && html` <ins class="fence">fence</ins> <span>would stop it</span>`}
        </p>
        <div
          class="scroller"
          id="source-scroller"
          tabindex="0"
          role="region"
          aria-label="Program text"
        >
          ${programText(program, source, witness, marks)}
        </div>
      </section>
      ${cycleSection(subject, witness, notion)}
      ${
        fences &&
        html`<section aria-labelledby="fences-title">
          <h2 id="fences-title">The fences that would stop it</h2>
          ${fenceSection(subject, fences)}
        </section>`
      }
    </div>
    <script type="application/json" id="data">
      ${embeddedJson(data)}
    </script>
    <script>
      ${trusted(pageScript)};
    </script>`;
}

function body(subject: Subject, result: CheckResult, page: ExplainPage): Html {
  const { verdict, notion } = result;
  if (verdict.kind === 'not-robust' && page.replay) {
    const { replay, fences } = page;
    const { witness } = verdict;
    return witnessSections(subject, { witness, replay, notion, ...(fences && { fences }) });
  }
  const advice = verdict.kind === 'unknown' ? adviceFor[verdict.reason] : undefined;
  return html`${verdict.kind === 'robust' && robustSection(result)}${advice !== undefined && html`<p>To go further, ${advice}.</p>`}
    <section class="program" aria-labelledby="program-title">
      <h2 id="program-title">The program</h2>
      <div class="scroller" tabindex="0" role="region" aria-label="Program text">
        ${programText(subject.program, subject.source, undefined, [])}
      </div>
    </section>`;
}

/**
 * A check as one page of HTML that needs nothing else: the program with the attack marked, the execution step by step with store
 * buffers and memory, the happens-before graph with the cycle, the fences. For other verdicts, what is known and why.
 */
export function explainHtml(subject: Subject, result: CheckResult, page: ExplainPage): string {
  const { verdict } = result;
  const { className, verdict: word, meaning } = headlineOf(result);
  const title = titleOf(subject);
  const policy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";
  const attack =
    verdict.kind === 'not-robust' ? attackSentence(subject.program, verdict.witness) : undefined;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} - ${word}</title>
        <link rel="icon" href="data:," />
        <style>
          ${trusted(pageStyle)}
        </style>
      </head>
      <body>
        <header>
          <h1>
            ${printableLine(subject.program.name) || title}
            <span class="verdict ${className}">${word}</span>
          </h1>
          <p class="file">${quoteName(subject.file)}</p>
          <p class="lead">${attack !== undefined && html`<strong>${attack}</strong> `}${meaning}</p>
        </header>
        <main>
          ${body(subject, result, page)}
          ${messageSection(subject.file, [...page.diagnostics, ...result.diagnostics])}
        </main>
        <footer>
          <p>
            ${statisticsLines(result).join('. ')}. Made by
            <code>fencewright explain</code> ${page.version}.
          </p>
        </footer>
      </body>
    </html> `.html;
}
