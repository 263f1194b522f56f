import type { Limits } from '@fencewright/ground/base/budget.js';
import {
  inspectedProgram,
  type ThreadModel,
  type UnboundedModel,
} from '@fencewright/model/program/model.js';
import { isOfC } from '@fencewright/model/program/of-c.js';
import type { Program } from '@fencewright/model/program/program.js';
import { answeredInstances } from '@fencewright/model/verdict/answer-over-all.js';
import { claimsOf } from '@fencewright/model/verdict/claims-of.js';
import { deadlocksIn } from '@fencewright/model/verdict/hang.js';
import type {
  CheckResult,
  ProgressPrice,
  UnknownReason,
} from '@fencewright/model/verdict/verdict.js';
import type { CheckQuestion } from './question.js';
import type { ReachAllOptions } from './reach-all.js';

/**
 * The maximum number of states of the exploration for a brief answer about claims. Small, so that a
 * fast check of robustness is not delayed.
 */
const briefStates = 50_000;

/**
 * The maximum number of states of the search for the number of fences that an answer also reports.
 */
const priceStates = 20_000;

/** The answer about claims and states under TSO, as fields of a check result. */
export type TsoAnswer = Pick<CheckResult, 'answer' | 'answered' | 'deadlocks' | 'progressPrice'>;

/**
 * Returns the answer about claims and states under TSO for a checked program, if the question asks
 * for such an answer; stays within `limits`.
 */
export async function answeredCheck(
  model: ThreadModel,
  { answers }: Pick<CheckQuestion, 'answers'>,
  { verdict, happensBefore }: Pick<CheckResult, 'verdict' | 'happensBefore'>,
  limits: Limits,
): Promise<TsoAnswer> {
  if (answers === undefined || model.kind === 'open') return {};
  const program = inspectedProgram(model);
  if (answers === 'brief' && claimsOf(program).length === 0) return {};
  const isDecided = verdict.kind === 'robust' || verdict.kind === 'not-robust';
  const goesOn: readonly UnknownReason[] = ['unsupported', 'several-delays', 'states'];
  if (verdict.kind === 'unknown' && !goesOn.includes(verdict.reason)) {
    const why = { kind: 'limit', reason: verdict.reason } as const;
    return { answer: { kind: 'unknown', open: 'claims', claims: [], why } };
  }
  const { maxStates = Number.POSITIVE_INFINITY } = limits;
  const cap = answers === 'brief' ? Math.min(maxStates, briefStates) : maxStates;
  const options = {
    limits: { ...limits, ...(cap < Number.POSITIVE_INFINITY && { maxStates: cap }) },
    ...(isDecided && happensBefore === 'standard' && { robustness: verdict.kind }),
  };
  if (model.kind === 'unbounded') return answeredOverAll(model, options);
  const { reachOutcomes } = await import('./reach-outcomes.js');
  const { about, result } = await reachOutcomes(model, options);
  const { answer } = result;
  const price =
    answer.kind === 'hangs' && about === program && !isOfC(program)
      ? await priceOf(about, limits)
      : undefined;
  return {
    ...{ answer, deadlocks: deadlocksIn(result.hangs), ...(price && { progressPrice: price }) },
    ...(about !== program && { answered: { templates: about, names: [] } }),
  };
}

/**
 * Returns the numbers of fences that progress and robustness need; `undefined` if a short search
 * does not find both. Fences in C are counted by places of the text, which the program does not
 * know.
 */
async function priceOf(program: Program, limits: Limits): Promise<ProgressPrice | undefined> {
  const { fence } = await import('./fence.js');
  const { maxStates = priceStates } = limits;
  const part = { ...limits, maxStates: Math.min(maxStates, priceStates) };
  const few = await fence(program, { rest: ['progress'], limits: part });
  if (few.verdict.kind !== 'found') return undefined;
  const all = await fence(program, { limits: part });
  if (all.verdict.kind !== 'found') return undefined;
  return { progress: few.verdict.repairs.length, robust: all.verdict.repairs.length };
}

/**
 * Returns the answer about claims for all instances of a model, as `answeredCheck` does for one
 * program.
 */
async function answeredOverAll(
  model: UnboundedModel,
  options: ReachAllOptions,
): Promise<TsoAnswer> {
  const { reachAll } = await import('./reach-all.js');
  const result = await reachAll(model, options);
  return { answer: result.answer, answered: answeredInstances(model.templates, result) };
}
