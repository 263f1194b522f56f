import type { Model } from '@fencewright/model/program/model.js';
import type { WhyEnded } from './known.js';
import type { Question } from './question.js';
import type { Result } from './result.js';

/**
 * Returns the answer to a question whose work was ended early. `result` is the part that was known
 * at the end. Open parts are marked `unknown`, for the given reason.
 */
export async function endedEarly(
  model: Model,
  question: Question,
  result: Result,
  reason: WhyEnded,
): Promise<Result> {
  // Loaded on demand: few questions are ended early.
  const { endResult } = await import('./end-result.js');
  return endResult(model, question, result, reason);
}
