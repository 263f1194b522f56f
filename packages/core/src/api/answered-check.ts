import type { Limits } from '@fencewright/ground/base/budget.js';
import {
  inspectedProgram,
  type ThreadModel,
  type UnboundedModel,
} from '@fencewright/model/program/model.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import { ConditionFault } from '@fencewright/model/semantics/condition-fault.js';
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
 * The maximum number of states that are explored for a `brief` answer about claims. The number is
 * small, so that a fast check of robustness is not delayed.
 */
const briefStates = 50_000;

/**
 * The maximum number of states of each search that counts fences for an answer about threads that
 * wait for ever.
 */
const priceStates = 20_000;

/** The answer about claims and states under TSO, as fields of a check result. */
export type TsoAnswer = Pick<CheckResult, 'answer' | 'answered' | 'deadlocks' | 'progressPrice'> & {
  /**
   * The diagnostics of the check, and one about the claim whose condition has no value in a
   * reachable state. Absent if there is no such claim.
   */
  readonly diagnostics?: readonly Diagnostic[];
};

/** The part of a check on which the answer about claims and states depends. */
type Checked = Pick<CheckResult, 'verdict' | 'happensBefore'> &
  Partial<Pick<CheckResult, 'diagnostics'>>;

/**
 * Returns the answer about claims and states under TSO for a checked program, if the question asks
 * for such an answer; stays within `limits`.
 */
export async function answeredCheck(
  model: ThreadModel,
  question: Pick<CheckQuestion, 'answers'>,
  checked: Checked,
  limits: Limits,
): Promise<TsoAnswer> {
  try {
    return await answerOf(model, question, checked, limits);
  } catch (error) {
    if (!(error instanceof ConditionFault)) throw error;
    const { conditionDiagnostic } = await import('./fault-diagnostics.js');
    const why = { kind: 'faults' } as const;
    const property = inspectedProgram(model).properties.findIndex(
      ({ name }) => name === error.property.name,
    );
    return {
      answer: {
        kind: 'unknown',
        open: 'claims',
        claims: property < 0 ? [] : [{ kind: 'property', property }],
        why,
      },
      diagnostics: [...(checked.diagnostics ?? []), conditionDiagnostic(error)],
    };
  }
}

async function answerOf(
  model: ThreadModel,
  { answers }: Pick<CheckQuestion, 'answers'>,
  { verdict, happensBefore }: Checked,
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
 * does not find both numbers. Not for programs in C: their fences are counted by places of the
 * text, which the program does not contain.
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
