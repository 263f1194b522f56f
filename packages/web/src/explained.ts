import { type CheckResult, explainReport, plainPalette, type ResultOf } from '@fencewright/core';
import type { ResultPart } from './messages.js';
import { adviceInTabs, type Read } from './read.js';
import { version } from './version.js';

/** The answer about claims and states, in the form that `explain` accepts. */
export type ExplainedAnswer = Pick<CheckResult, 'answer' | 'answered' | 'deadlocks'>;

/** The maximum time, in milliseconds, for finding an execution to a state of TSO alone. */
const timeForRun = 1_000;

/**
 * Returns the page and the text of `explain`. With `known`, the answer about claims and states is
 * their headline, as elsewhere in the page.
 */
export async function explainedPart(
  { file, text: source, diagnostics }: Read,
  explained: ResultOf<'explain'>,
  known: ExplainedAnswer = {},
): Promise<ResultPart> {
  // The code that draws the page is loaded after the verdict, which must not wait.
  const { explainHtml, runOfAnswer } = await import('@fencewright/core/page');
  const { about, replay: replayed } = explained;
  const result = { ...explained.result, ...known };
  const answerRun = await runOfAnswer(about, result, { timeout: timeForRun });
  const subject = { file, source, program: about };
  const page = explainHtml(subject, result, {
    ...{ diagnostics, version },
    ...(replayed && { replay: replayed }),
    ...(answerRun && { answerRun }),
  });
  const advised = { ...subject, advise: adviceInTabs };
  const style = { palette: plainPalette, width: 100 };
  return {
    kind: 'execution',
    page,
    text: explainReport(advised, result, replayed, style, answerRun),
  };
}
