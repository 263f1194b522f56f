import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import { countOf, formatDuration } from '@fencewright/ground/base/number-words.js';
import type { ExecutionGraph } from '@fencewright/model/c11/execution-graph.js';
import { cycleThrough, type GraphArrow } from '@fencewright/model/c11/graph-arrows.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { C11Result } from '@fencewright/model/verdict/c11-result.js';
import {
  graphTable,
  modelNames,
  raceInWords,
  sentencesBelow,
  violationInWords,
} from '../text/c11.js';
import { c11Graph } from '../graph/c11-graph.js';
import { graphInPage } from '../graph/graph-svg.js';
import { cycleOf, type HappensBeforeGraph } from '../graph/happens-before-graph.js';
import { c11InOneLine } from '../words/c11-line.js';
import { arrowInWords, assumptionsAboutC11 } from '../words/c11-words.js';
import { leadOf } from '../words/headline.js';
import { sentence } from '../words/sentence.js';
import type { Subject } from '../words/subject.js';
import { tableHtml } from './blocks-html.js';
import { html, type Html, trusted } from './html-text.js';
import { pageHtml } from './page-frame.js';
import { programText } from './program-text.js';

/** An execution shown on the page, and the marked events. */
interface ShownGraph {
  readonly graph: ExecutionGraph;
  readonly marked: readonly number[];
  readonly cycle: readonly GraphArrow[];
  /** What the execution shows, in words. */
  readonly what: string;
  /** The memory orders that exclude the execution, in words. */
  readonly after?: string;
  /**
   * The suffix of the HTML ids of the execution's sections; empty for the first execution of the
   * page.
   */
  readonly suffix: string;
}

/** Returns the cycle of the execution as a list in HTML, with an item for each arrow. */
function cycleList(program: Program, { graph, cycle }: ShownGraph): Html {
  const items = cycle.map(
    (arrow) =>
      html`<li>
        ${sentence(arrowInWords(program, graph, arrow))} <small>${arrow.relation}</small>
      </li>`,
  );
  return html`<ol class="cycle-words">
      ${items}
    </ol>
    <p>Going round, each of these events would come before itself.</p>`;
}

function titleOfPicture({ cycle, suffix }: ShownGraph): string {
  if (cycle.length === 0) return 'The two accesses';
  const title = 'Why it is not sequentially consistent';
  return suffix === '' ? title : `Beside that: ${title.charAt(0).toLowerCase()}${title.slice(1)}`;
}

/** Returns the section on the execution: a picture, and the cycle in words. */
function pictureSection(program: Program, shown: ShownGraph): Html {
  const { graph, cycle, marked, what, after, suffix } = shown;
  const isCyclic = cycle.length > 0;
  const whole = c11Graph(program, graph, cycle, isCyclic ? [] : marked);
  const alone = cycleOf(whole);
  const columns = new Set(alone.nodes.map(({ thread }) => thread)).size;
  const picture = (of: HappensBeforeGraph): Html =>
    html`<div class="graph" tabindex="0" role="region" aria-label="Execution graph${suffix}">
      ${trusted(graphInPage(program, of, 'execution graph'))}
    </div>`;
  return html`<section class="cycle-section" aria-labelledby="graph-title${suffix}">
    <h2 id="graph-title${suffix}">${titleOfPicture(shown)}</h2>
    <p>${sentence(what)}</p>
    <div class="cycle-parts${columns < 3 && ' beside'}">
      ${picture(alone)}
      <div>
        ${isCyclic && cycleList(program, shown)} ${after !== undefined && html`<p>${after}</p>`}
        ${
          (alone.edges.length > 0 || alone.leftOut > 0) &&
          html`<p>
            An arrow says that one event comes before another: <b>po</b> by the order of the
            program, <b>rf</b> as the store that was read, <b>sw</b> as a release that an acquire
            sees, <b>mo</b> as the earlier store to the cell, <b>fr</b> as a read of what was there
            before the store.
          </p>`
        }
      </div>
    </div>
    ${
      alone.leftOut > 0 &&
      whole.leftOut === 0 &&
      html`<details>
        <summary>The graph with all events</summary>
        ${picture(whole)}
      </details>`
    }
  </section>`;
}

/** Returns the sections on an execution. */
function executionSections(program: Program, shown: ShownGraph): Html {
  const { graph, marked, suffix } = shown;
  const title = suffix === '' ? 'The execution' : 'The second execution';
  const label = suffix === '' ? 'Execution' : 'Second execution';
  return html`${pictureSection(program, shown)}
    <section aria-labelledby="execution-title${suffix}">
      <h2 id="execution-title${suffix}">${title}</h2>
      ${tableHtml(graphTable(program, graph, marked), label)}
    </section>`;
}

/**
 * Returns the executions that show the answer, the most important first: of a race, which leaves
 * the program undefined; of a failing assertion, a wait, or a violation.
 */
function shownExecutions(
  program: Program,
  { verdict, effect, race }: C11Result,
): readonly ShownGraph[] {
  const shown: Omit<ShownGraph, 'suffix'>[] = [];
  if (typeof race === 'object') {
    const { graph, first, second } = race;
    shown.push({ graph, marked: [first, second], cycle: [], what: raceInWords(program, race) });
  }
  const isFailing = effect?.kind === 'assertion-fails' || effect?.kind === 'waits';
  const violation = verdict.kind === 'not-robust' ? verdict.violation : undefined;
  const weak = isFailing ? effect.execution : violation;
  if (weak) {
    const { graph, event, kind } = weak;
    shown.push({
      ...{ graph, marked: isFailing ? effect.oldReads : [event] },
      cycle: cycleThrough(graph, event, kind === 'old-store'),
      what: violationInWords(program, weak),
      after: sentencesBelow(program, weak),
    });
  }
  return shown.map((one, i) => ({ ...one, suffix: i === 0 ? '' : `-${i + 1}` }));
}

/** Returns the program, with the accesses of the execution marked. */
function programSection({ program, source }: Subject, shown: ShownGraph | undefined): Html {
  const computation = (shown?.graph.events ?? []).flatMap(({ thread, transition }) =>
    thread === undefined || transition === undefined ? [] : [{ thread, transition }],
  );
  return html`<section class="program" aria-labelledby="program-title">
    <h2 id="program-title">The program</h2>
    <div class="scroller" tabindex="0" role="region" aria-label="Program text">
      ${programText(program, source, { computation }, [])}
    </div>
  </section>`;
}

/** Returns a self-contained HTML page on the robustness of a program against C11. */
export function c11Html(
  subject: Subject,
  result: C11Result,
  {
    diagnostics,
    version,
  }: { readonly diagnostics: readonly Diagnostic[]; readonly version: string },
): string {
  const { program } = subject;
  const shown = shownExecutions(program, result);
  const headline = c11InOneLine(program, result);
  const { tone, words } = headline;
  const isUndefined = typeof result.race === 'object' || result.freedUse !== undefined;
  return pageHtml(subject, {
    heading: {
      ...{ tone, words: `${words} ${isUndefined ? 'in' : 'against'} ${modelNames[result.model]}` },
      lead: leadOf(headline),
      grounds: assumptionsAboutC11(program, result).map(({ text }) => `Assumed: ${text}.`),
    },
    contents: html`${shown.map((one) => executionSections(program, one))}
    ${programSection(subject, shown[0])}`,
    diagnostics: [...diagnostics, ...result.diagnostics],
    effort: [`${countOf(result.states, 'state')} in ${formatDuration(result.milliseconds)}`],
    verb: 'check',
    version,
  });
}
