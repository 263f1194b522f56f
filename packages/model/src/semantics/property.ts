import type { Program, Property } from '../program/program.js';
import type { MachineState } from '../trace/machine-state.js';
import { ExecutionFault } from '../program/evaluate.js';
import { ConditionFault } from './condition-fault.js';
import { evaluateStateExpression } from './state-expression.js';

/** Whether the condition of a property holds in a state. Throws `ConditionFault`. */
export function conditionHolds(program: Program, property: Property, state: MachineState): boolean {
  try {
    return evaluateStateExpression(program, property.condition, state) !== 0;
  } catch (error) {
    throw error instanceof ExecutionFault ? new ConditionFault(error, property) : error;
  }
}

/**
 * Whether a state decides the property: violates a `never` or a `finally`, or is the state claimed
 * by an `exists` or a `stuck`. `final` says whether all threads have ended and all buffers are
 * empty; `isStuck` is called only if needed. No state alone decides a `progress`. Throws
 * `ConditionFault`.
 */
export function decidesProperty(
  program: Program,
  property: Property,
  state: MachineState,
  final: boolean,
  isStuck: () => boolean = () => false,
): boolean {
  const { kind } = property;
  if (kind === 'progress') return false;
  if ((kind === 'finally' || kind === 'exists') && !final) return false;
  const holds = conditionHolds(program, property, state);
  switch (kind) {
    case 'never':
    case 'exists':
      return holds;
    case 'finally':
      return !holds;
    case 'stuck':
      return holds && isStuck();
  }
}
