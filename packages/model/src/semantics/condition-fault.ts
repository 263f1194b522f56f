import { ExecutionFault } from '../program/evaluate.js';
import type { Program, Property } from '../program/program.js';
import type { MachineState } from '../trace/machine-state.js';
import { evaluateStateExpression } from './state-expression.js';

/** Thrown if the condition of a property has no value in a state, as its evaluation faults. */
export class ConditionFault extends ExecutionFault {
  constructor(
    { kind }: ExecutionFault,
    readonly property: Property,
  ) {
    super(kind);
  }
}

/** Whether the condition of a property holds in a state. Throws `ConditionFault`. */
export function conditionHolds(program: Program, property: Property, state: MachineState): boolean {
  try {
    return evaluateStateExpression(program, property.condition, state) !== 0;
  } catch (error) {
    throw error instanceof ExecutionFault ? new ConditionFault(error, property) : error;
  }
}
