import { Budget, type Limits } from '@fencewright/ground/base/budget.js';
import { isOfC } from '@fencewright/model/program/of-c.js';
import { observedProgram, type ThreadModel } from '@fencewright/model/program/model.js';
import type { CheckResult } from '@fencewright/model/verdict/verdict.js';
import { defaults } from './defaults.js';
import type { CheckQuestion } from './question.js';

/**
 * Returns whether a program in C is also robust against C11, as a field of the check's result, if
 * the question asks for all answers. The search uses few states, which the result does not count.
 */
export async function portableCheck(
  model: ThreadModel,
  { answers }: Pick<CheckQuestion, 'answers'>,
  limits: Limits,
): Promise<Pick<CheckResult, 'portable'>> {
  if (answers !== 'full' || model.kind !== 'finite' || !isOfC(model.program)) return {};
  const { maxStates = Number.POSITIVE_INFINITY } = limits;
  const { checkC11 } = await import('@fencewright/engines/c11/check-c11.js');
  const budget = new Budget({ ...limits, maxStates: Math.min(maxStates, defaults.portableStates) });
  return {
    portable: await checkC11(model.program, 'c11', budget, 'effects', observedProgram(model)),
  };
}
