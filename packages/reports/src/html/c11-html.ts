import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import { countOf, formatDuration } from '@fencewright/ground/base/number-words.js';
import type { ExecutionGraph } from '@fencewright/model/c11/execution-graph.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { C11Result } from '@fencewright/model/verdict/c11-result.js';
import {
  graphRows,
  modelNames,
  preventionLine,
  raceInWords,
  violationInWords,
} from '../text/c11.js';
import { c11InOneLine } from '../words/c11-line.js';
import { assumptionsAboutC11 } from '../words/c11-words.js';
import { leadOf } from '../words/headline.js';
import { sentence } from '../words/sentence.js';
import type { Subject } from '../words/subject.js';
import { html, type Html } from './html-text.js';
import { pageHtml } from './page-frame.js';
import { programText } from './program-text.js';

/** Returns the events of a graph as a table, those of a thread together; `marked` stand out. */
function graphTable(program: Program, graph: ExecutionGraph, marked: readonly number[]): Html {
  return html`<div class="scroller" tabindex="0" role="region" aria-label="Execution">
    <table class="steps">
      <thead>
        <tr>
          ${['thread', 'line', 'event', 'store read'].map(
            (name) => html`<th scope="col">${name}</th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${graphRows(program, graph, marked).map(
          ({ cells, isMarked }) =>
            html`<tr>
              ${cells.map((cell) =>
                isMarked ? html`<td><strong>${cell}</strong></td>` : html`<td>${cell}</td>`,
              )}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** Returns the section on an execution; `after` is what follows from it. */
function executionSection(
  program: Program,
  { graph, marked }: { readonly graph: ExecutionGraph; readonly marked: readonly number[] },
  what: string,
  after?: string,
): Html {
  return html`<section aria-labelledby="execution-title">
    <h2 id="execution-title">An execution</h2>
    <p>${sentence(what)}</p>
    ${graphTable(program, graph, marked)} ${after !== undefined && html`<p>${after}</p>`}
  </section>`;
}

/** Returns the execution that shows the answer: of a failing assertion, a violation, or a race. */
function shownExecution(program: Program, { verdict, effect, race }: C11Result): Html | false {
  const isFailing = effect?.kind === 'assertion-fails';
  const violation = verdict.kind === 'not-robust' ? verdict.violation : undefined;
  const shown = isFailing ? effect.execution : violation;
  if (shown) {
    const marked = isFailing ? effect.oldReads : [shown.event];
    const what = violationInWords(program, shown);
    return executionSection(program, { ...shown, marked }, what, preventionLine(program, shown));
  }
  if (typeof race !== 'object') return false;
  const marked = [race.first, race.second];
  return executionSection(program, { graph: race.graph, marked }, raceInWords(program, race));
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
  const { program, source } = subject;
  const headline = c11InOneLine(program, result);
  const { tone, words } = headline;
  return pageHtml(subject, {
    heading: {
      ...{ tone, words: `${words} against ${modelNames[result.model]}` },
      lead: leadOf(headline),
      grounds: assumptionsAboutC11(program, result).map(({ text }) => `Assumed: ${text}.`),
    },
    contents: html`${shownExecution(program, result)} ${programText(program, source, undefined, [])}`,
    diagnostics: [...diagnostics, ...result.diagnostics],
    effort: [`${countOf(result.states, 'state')} in ${formatDuration(result.milliseconds)}`],
    verb: 'check',
    version,
  });
}
