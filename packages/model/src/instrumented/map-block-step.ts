import type { Expression } from '../program/expression.js';
import type { InstrumentedStep } from './instrumented.js';
import { mapInstruction } from '../program/rewrite.js';

/** Returns the step with `map` applied to its expressions. */
export function mapBlockStep(
  step: InstrumentedStep,
  map: (expression: Expression) => Expression,
): InstrumentedStep {
  switch (step.kind) {
    case 'auxiliary-store':
      return { ...step, address: map(step.address), value: map(step.value) };
    case 'auxiliary-load':
      return { ...step, address: map(step.address) };
    default:
      return mapInstruction(step, map);
  }
}
