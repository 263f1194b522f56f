import type { Budget } from '@fencewright/ground/base/budget.js';
import { checkC11, isDoubt } from '@fencewright/engines/c11/check-c11.js';
import type { C11Model } from '@fencewright/model/c11/execution-graph.js';
import type { Assumption } from '@fencewright/model/program/assumption.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { C11Refusal, C11Result } from '@fencewright/model/verdict/c11-result.js';
import type { OrdersGoal, OrderViolation } from '@fencewright/model/verdict/orders-result.js';
import type { UnknownReason } from '@fencewright/model/verdict/unknown-reason.js';

/** Whether the orders of a program meet a goal. */
export type OrderAnswer =
  | { readonly kind: 'enough'; readonly assumptions: readonly Assumption[] }
  | { readonly kind: 'too-weak'; readonly fault: OrderViolation }
  /**
   * Robustness is in doubt; or the program is not robust, and the assertions are undecided. With
   * stronger orders that exclude the execution in `fault`, the answer may be definite.
   */
  | { readonly kind: 'doubtful'; readonly fault: OrderViolation }
  | ({ readonly kind: 'unknown'; readonly reason: UnknownReason } & C11Refusal);

function answerOf(
  program: Program,
  goal: OrdersGoal,
  { verdict, race, effect, assertions, assumptions = [] }: C11Result,
): OrderAnswer {
  if (goal === 'assertions') {
    if (effect?.kind === 'assertion-fails')
      return { kind: 'too-weak', fault: { kind: 'assertion', failure: effect, program } };
    if (assertions === 'fail')
      return { kind: 'too-weak', fault: { kind: 'assertion-under-sc', program } };
    if (typeof race === 'object')
      return { kind: 'too-weak', fault: { kind: 'race', race, program } };
    if (assertions === 'hold' && race === 'none') return { kind: 'enough', assumptions };
  }
  switch (verdict.kind) {
    case 'not-robust': {
      const { violation } = verdict;
      const kind = goal === 'assertions' ? 'doubtful' : 'too-weak';
      return { kind, fault: { kind: 'violation', violation, program } };
    }
    case 'robust':
      return typeof race === 'object'
        ? { kind: 'too-weak', fault: { kind: 'race', race, program } }
        : { kind: 'enough', assumptions };
    case 'unknown':
      return isDoubt(verdict)
        ? { kind: 'doubtful', fault: { kind: 'doubt', doubt: verdict, program } }
        : verdict;
  }
}

/**
 * Decides whether the orders of a program are enough: for robustness against C11, or for its
 * assertions; and without data races. A data race has no defined behaviour, so that assertions with
 * a data race do not hold.
 */
export async function checkOrders(
  program: Program,
  { model, goal }: { readonly model: C11Model; readonly goal: OrdersGoal },
  budget: Budget,
): Promise<{ readonly answer: OrderAnswer; readonly states: number }> {
  const interest = goal === 'assertions' ? 'effects' : 'robustness';
  const result = await checkC11(program, model, budget, interest);
  return { answer: answerOf(program, goal, result), states: result.states };
}
