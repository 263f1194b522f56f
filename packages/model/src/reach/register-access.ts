import { definedRegister, forEachUse, type RegisterAccess } from '../analysis/liveness.js';
import { forEachRegister } from '../program/expression.js';
import type { RegisterId } from '../program/ids.js';
import type { InstrumentedStep, InstrumentedInstruction } from '../instrumented/instrumented.js';

function forEachStepUse(step: InstrumentedStep, visit: (register: RegisterId) => void): void {
  if (step.kind === 'auxiliary-load') forEachRegister(step.address, visit);
  else if (step.kind === 'auxiliary-store') {
    forEachRegister(step.address, visit);
    forEachRegister(step.value, visit);
  } else forEachUse(step, visit);
}

function definedByStep(step: InstrumentedStep): RegisterId | undefined {
  if (step.kind === 'auxiliary-load') return step.into;
  return step.kind === 'auxiliary-store' ? undefined : definedRegister(step);
}

/**
 * Functions that return the registers that instructions of instrumented programs read and write: a
 * block reads a register unless a step of the block writes it first.
 */
export const instrumentedAccess: RegisterAccess<InstrumentedInstruction> = {
  forEachUse(instruction, visit) {
    const steps = instruction.kind === 'block' ? instruction.steps : [instruction];
    const defined = new Set<RegisterId>();
    for (const step of steps) {
      forEachStepUse(step, (register) => {
        if (!defined.has(register)) visit(register);
      });
      const register = definedByStep(step);
      if (register !== undefined) defined.add(register);
    }
  },
  defines(instruction, register) {
    const steps = instruction.kind === 'block' ? instruction.steps : [instruction];
    return steps.some((step) => definedByStep(step) === register);
  },
};
