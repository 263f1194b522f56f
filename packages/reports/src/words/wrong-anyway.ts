import { isWorseThanDeadlock } from '@fencewright/model/verdict/state-answer.js';
import type { CheckResult } from '@fencewright/model/verdict/verdict.js';

/**
 * Whether a program is wrong without weak memory, and the headline of a report says so: a claim
 * fails under SC, or threads deadlock.
 */
export function isWrongAnyway({
  answer,
  deadlocks,
}: Pick<CheckResult, 'answer' | 'deadlocks'>): boolean {
  if (answer?.kind === 'wrong-under-sc') return true;
  const waits = deadlocks?.kind === 'found' && deadlocks.waiting.length > 0;
  return waits && !(answer && isWorseThanDeadlock(answer));
}
