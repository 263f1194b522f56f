import { ExecutionFault } from '../program/evaluate.js';
import type { Property } from '../program/program.js';

/** Thrown if the condition of a property has no value in a state, as its evaluation faults. */
export class ConditionFault extends ExecutionFault {
  constructor(
    { kind }: ExecutionFault,
    readonly property: Property,
  ) {
    super(kind);
  }
}
