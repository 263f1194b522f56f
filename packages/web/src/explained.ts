import {
  type CheckResult,
  explainReport,
  plainPalette,
  replay,
  type ResultOf,
} from '@fencewright/core';
import type { ResultPart } from './messages.js';
import { adviceInTabs, type Read } from './read.js';
import { version } from './version.js';

/** The answer about claims and states, in the form that `explain` accepts. */
export type ExplainedAnswer = Pick<CheckResult, 'answer' | 'answered' | 'deadlocks'>;

type AnswerRun = NonNullable<ResultOf<'explain'>['answerRun']>;

/** Returns the execution that shows an answer; `undefined` if the answer has no execution. */
function runOf(
  { about }: ResultOf<'explain'>,
  { answer, answered }: ExplainedAnswer,
): AnswerRun | undefined {
  if (!answer || !('computation' in answer) || !answer.computation) return undefined;
  const { computation } = answer;
  const program = answered?.shown?.program ?? answered?.templates ?? about;
  return { program, computation, replay: replay(program, computation) };
}

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
  const { explainHtml } = await import('@fencewright/core/page');
  const { about, replay: replayed } = explained;
  const result = { ...explained.result, ...known };
  const answerRun = runOf(explained, known);
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
