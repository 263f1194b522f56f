import { quoteArgument } from '@fencewright/ground/source/quote-name.js';
import type { AnswerRun } from '@fencewright/model/verdict/replay.js';
import type { CheckResult } from '@fencewright/model/verdict/verdict.js';
import { answerRunWords } from '../text/answer-run.js';
import { pageData } from '../words/page-data.js';
import type { Subject } from '../words/subject.js';
import { isWithoutBuffers } from '../words/told-steps.js';
import { html, type Html } from './html-text.js';
import type { FenceMark } from './program-text.js';
import { stageContents } from './stage.js';

/** The execution that shows an answer about claims, waits, states or freed memory. */
export interface AnswerStage {
  /** The title of the execution, such as `How mutex fails`. */
  readonly title: string;
  /**
   * The HTML of the execution to step through; the script for stepping has to follow on the page.
   */
  readonly contents: Html;
  /** Whether every store of the execution reaches memory at once. */
  readonly isDirect: boolean;
}

/** The sentence below a time line with stores that wait in buffers. */
export const howBarsRead =
  'A bar is the time that a store waits in its buffer: only its own thread sees it, everybody else reads memory.';

/**
 * Returns the execution that shows the answer, as content to step through, followed by `more`;
 * `undefined` if no such execution is known, or if no execution shows the answer.
 */
export function answerStage(
  subject: Subject,
  result: CheckResult,
  run: AnswerRun | undefined,
  {
    marks,
    legend,
    more,
  }: { marks: readonly FenceMark[]; legend: Html | false; more: Html | false },
): AnswerStage | undefined {
  const words = run && answerRunWords(subject, result);
  if (!words || !run) return undefined;
  const isDirect = isWithoutBuffers(run.computation);
  const execution = { computation: run.computation, cycle: [] };
  const data = pageData(run.program, execution, run.replay);
  const contents = stageContents({ ...subject, program: run.program }, execution, data, {
    hint: `${isDirect ? 'Every store reaches memory at once.' : howBarsRead} ${words.end}`,
    ...(!isDirect && { marks, ...(legend && { legend }) }),
    more,
    command: `fencewright explain ${quoteArgument(subject.file)}`,
  });
  return {
    title: words.title,
    contents: html`<p class="lead">${words.title}</p>
      ${contents}`,
    isDirect,
  };
}
