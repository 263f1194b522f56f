import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import { quoteArgument } from '@fencewright/ground/source/quote-name.js';
import type { Computation } from '@fencewright/model/trace/computation.js';
import type { Replay } from '@fencewright/model/verdict/replay.js';
import { deadlocksIn } from '@fencewright/model/verdict/hang.js';
import type { ModelReach, ReachResult } from '@fencewright/model/verdict/reach-result.js';
import { answerLine } from '../words/answer-in-words.js';
import { headlineInWords } from '../words/headline.js';
import { differenceOf } from '../words/opening.js';
import { countOf, formatDuration } from '@fencewright/ground/base/number-words.js';
import { reachOutcome } from '../words/reach-outcome.js';
import { reachDetails, reachHeadline } from '../text/reach.js';
import { executionTitle, type ReachExecution, reachExecutions } from '../text/reach-executions.js';
import type { Subject } from '../words/subject.js';
import { howBarsRead } from './answer-stage.js';
import { blocksHtml } from './blocks-html.js';
import { html, type Html } from './html-text.js';
import { pageData } from '../words/page-data.js';
import { stepTable } from '../words/step-table.js';
import { headingOf, type PageHeading, pageHtml } from './page-frame.js';
import { programText } from './program-text.js';
import { allSteps, stage } from './stage.js';

/** The data for a page on a comparison of SC and TSO, besides the result. */
export interface ReachPage {
  /** Returns the states through which a computation runs. */
  readonly replay: (computation: Computation) => Replay;
  /** The diagnostics from reading the file. */
  readonly diagnostics: readonly Diagnostic[];
  readonly version: string;
}

/** Returns the main sentence of the answer; if the answer is unknown, the outcome. */
function headingOfReach(subject: Subject, result: ReachResult): PageHeading {
  const { program } = subject;
  const { answer, races, model, hangs } = result;
  const outcome = reachHeadline(subject, result);
  const isOpen = ['unknown', 'error'].includes(reachOutcome(result));
  const headline = isOpen
    ? undefined
    : headlineInWords(program, answer, undefined, races, { model, deadlocks: deadlocksIn(hangs) });
  const known = answerLine(program, answer, undefined, model);
  if (!headline) return headingOf({ headline: outcome, difference: [], grounds: [known] });
  const difference = differenceOf(program, answer);
  return headingOf({
    headline,
    difference,
    grounds: [{ ...outcome, before: `it ${outcome.before}` }],
  });
}

/**
 * Compares two executions for sorting: failures under TSO alone come first, then other failures,
 * then the rest.
 */
function byWeight(a: ReachExecution, b: ReachExecution): number {
  const weight = ({ isFailure, models }: ReachExecution): number =>
    (isFailure ? 0 : 2) + (models.includes('SC') ? 1 : 0);
  return weight(a) - weight(b);
}

function body(
  subject: Subject,
  executions: readonly ReachExecution[],
  { replay }: ReachPage,
): Html {
  const { program } = subject;
  const [first, ...others] = executions;
  const command = `fencewright reach ${quoteArgument(subject.file)}`;
  if (!first)
    return html`<section class="program" aria-labelledby="program-title">
      <h2 id="program-title">The program</h2>
      <div class="scroller" tabindex="0" role="region" aria-label="Program text">
        ${programText(program, subject.source, undefined, [])}
      </div>
    </section>`;
  const more = html`${
    others.length > 0 &&
    html`<section aria-labelledby="others-title">
      <h2 id="others-title">More executions</h2>
      ${others.map((execution, i) => {
        const table = stepTable(pageData(program, execution, replay(execution.computation)));
        return allSteps(table, `execution-${i + 2}`, executionTitle(execution), command);
      })}
    </section>`
  }`;
  return stage(
    subject,
    { ...first, cycle: [] },
    pageData(program, first, replay(first.computation)),
    {
      hint: howBarsRead,
      more,
      command,
    },
  );
}

function modelInWords(name: string, { states, finalStates, incomplete }: ModelReach): string {
  const ends = countOf(finalStates.length, 'final state');
  return `${name}: ${countOf(states, 'state')}, ${ends}${incomplete === undefined ? '' : ', not all explored'}`;
}

/**
 * Returns a self-contained HTML page on a comparison of SC and TSO. One execution that fails a
 * property or an assertion, or reaches a requested state, is shown step by step with store buffers
 * and memory; the other executions are shown as tables.
 */
export function reachHtml(subject: Subject, result: ReachResult, page: ReachPage): string {
  const executions = reachExecutions(subject, result).sort(byWeight);
  const [first] = executions;
  const heading = headingOfReach(subject, result);
  const shown = first ? [`Shown: ${executionTitle(first)}.`] : [];
  return pageHtml(subject, {
    heading: { ...heading, grounds: [...(heading.grounds ?? []), ...shown] },
    contents: html`${body(subject, executions, page)} ${blocksHtml(reachDetails(subject, result))}`,
    diagnostics: [...page.diagnostics, ...result.diagnostics],
    effort: [
      modelInWords('SC', result.sc),
      modelInWords(result.model, result.tso),
      formatDuration(result.milliseconds),
    ],
    verb: 'reach',
    version: page.version,
  });
}
