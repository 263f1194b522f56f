import type { Expression } from '../program/expression.js';
import type { BlockStep } from './instrumented.js';
import { mapInstruction } from '../program/rewrite.js';

/**
 * Returns the step with `value` applied to its expressions for values, and `address` applied to its
 * expressions for addresses.
 */
export function mapBlockStep(
  step: BlockStep,
  value: (expression: Expression) => Expression,
  address = value,
): BlockStep {
  switch (step.kind) {
    case 'auxiliary-store':
      return { ...step, address: address(step.address), value: value(step.value) };
    case 'auxiliary-load':
      return { ...step, address: address(step.address) };
    default:
      return mapInstruction(step, value, address);
  }
}
