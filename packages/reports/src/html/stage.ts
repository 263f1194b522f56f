import type { Table } from '../words/document.js';
import type { ShownExecution } from '../words/shown-execution.js';
import type { Subject } from '../words/subject.js';
import { embeddedJson, html, type Html, trusted } from './html-text.js';
import { machinePanel, player } from './machine-panel.js';
import { pageScript } from './page-assets.js';
import type { PageData } from '../words/page-data.js';
import { type FenceMark, programText } from './program-text.js';
import { setUpSteps } from './set-up-steps.js';
import { stepTable } from '../words/step-table.js';
import { tableHtml } from './blocks-html.js';
import { timeLine } from './time-line.js';
import { countOf } from '@fencewright/ground/base/number-words.js';

/** The texts, marks and sections that a page shows around an execution to step through. */
export interface Surroundings {
  readonly hint: string;
  /** The text that explains how places are marked in the program text. */
  readonly legend?: Html;
  readonly marks?: readonly FenceMark[];
  /** The sections of the page after the execution; absent or false without sections. */
  readonly more?: Html | false;
  /** The command that prints all steps, for the case that the page cannot show so many. */
  readonly command: string;
}

/** The maximum number of steps in a table: a longer table is of no use, and makes the page slow. */
const mostRows = 400;

/**
 * Returns all steps as a table for the reader to open; with too many steps, the command that shows
 * them.
 */
export function allSteps(table: Table, id: string, title: string, command: string): Html {
  return table.rows.length <= mostRows
    ? html`<details id="${id}">
        <summary>${title}</summary>
        ${tableHtml(table, title)}
      </details>`
    : html`<p class="hint">${title}:</p>
        <pre class="command" tabindex="0">${command}</pre>`;
}

/** Returns the button that shows or hides the steps before the attack; false if there are none. */
function foldButton(setUp: number): Html | false {
  return (
    setUp > 0 &&
    html`<button
      type="button"
      id="fold"
      class="fold"
      aria-expanded="false"
      aria-controls="time-line"
      title="Show or fold what only leads to where the attack begins"
    >
      ${countOf(setUp, 'step')} of set-up
    </button>`
  );
}

/** The script for stepping through the execution that precedes the script on the page. */
export const stageScript: Html = html`<script id="stage-script">
  ${trusted(pageScript)};
</script>`;

/**
 * Returns an execution to step through, beside the program. A page has at most one, since the
 * script finds its parts by their ids.
 */
export function stage(
  subject: Subject,
  execution: ShownExecution,
  data: PageData,
  surroundings: Surroundings,
): Html {
  return html`${stageContents(subject, execution, data, surroundings)}${stageScript}`;
}

/**
 * Returns an execution to step through, without the script; the script has to follow on the page.
 */
export function stageContents(
  { program, source }: Subject,
  execution: ShownExecution,
  data: PageData,
  { hint, legend, marks = [], more = false, command }: Surroundings,
): Html {
  return html`<div class="stage">
      <section class="execution" aria-labelledby="execution-title">
        <h2 id="execution-title">The execution</h2>
        ${player(data)} ${machinePanel(data)} ${foldButton(setUpSteps(program, execution))}
        <div class="scroller" id="time-scroller">${timeLine(program, execution, data)}</div>
        <p class="hint">${hint}</p>
        ${allSteps(stepTable(data), 'all-steps', 'All steps as a table', command)}
      </section>
      <section class="program" aria-labelledby="program-title">
        <h2 id="program-title">The program</h2>
        ${legend ?? false}
        <div
          class="scroller"
          id="source-scroller"
          tabindex="0"
          role="region"
          aria-label="Program text"
        >
          ${programText(program, source, execution, marks)}
        </div>
      </section>
      ${more}
    </div>
    <script type="application/json" id="data">
      ${embeddedJson(data)}
    </script>`;
}
