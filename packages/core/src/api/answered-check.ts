import type { Limits } from '../base/budget.js';
import { inspectedProgram, type ThreadModel } from '../program/model.js';
import { claimsOf } from '../verdict/claims-of.js';
import type { StateAnswer } from '../verdict/state-answer.js';
import type { CheckResult } from '../verdict/verdict.js';
import type { CheckQuestion } from './question.js';

/** States that a brief answer may take: a check that is done at once shall not wait for it. */
const briefStates = 50_000;

/**
 * What TSO makes of the claims and states of a program that was checked, if it was asked for;
 * within `limits`.
 */
export async function answeredCheck(
  model: ThreadModel,
  { answers }: Pick<CheckQuestion, 'answers'>,
  { verdict, happensBefore }: CheckResult,
  limits: Limits,
): Promise<StateAnswer | undefined> {
  if (answers === undefined || model.kind === 'unbounded' || model.kind === 'open')
    return undefined;
  const program = inspectedProgram(model);
  if (answers === 'brief' && claimsOf(program).length === 0) return undefined;
  const isDecided = verdict.kind === 'robust' || verdict.kind === 'not-robust';
  const isCut = verdict.kind === 'unknown' && verdict.reason !== 'unsupported';
  if (isCut && verdict.reason !== 'states') {
    const why = { kind: 'limit', reason: verdict.reason } as const;
    return { kind: 'unknown', open: 'claims', claims: [], why };
  }
  const { maxStates = Number.POSITIVE_INFINITY } = limits;
  const cap = answers === 'brief' ? Math.min(maxStates, briefStates) : maxStates;
  const { reach } = await import('./reach.js');
  const { answer } = await reach(program, {
    limits: { ...limits, ...(cap < Number.POSITIVE_INFINITY && { maxStates: cap }) },
    ...(isDecided && happensBefore === 'standard' && { robustness: verdict.kind }),
  });
  return answer;
}
