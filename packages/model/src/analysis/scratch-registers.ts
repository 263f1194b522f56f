import type { RegisterId } from '../program/ids.js';
import type { InstrumentedStep, InstrumentedInstruction } from '../instrumented/instrumented.js';
import type { Thread } from '../program/program.js';

/** Returns the register that the step writes, if any. */
export function registerWrittenBy(step: InstrumentedStep): RegisterId | undefined {
  switch (step.kind) {
    case 'assign':
    case 'load':
    case 'havoc':
    case 'auxiliary-load':
    case 'rmw':
      return step.into;
    default:
      return undefined;
  }
}

function isClear(step: InstrumentedStep): boolean {
  return step.kind === 'assign' && step.value.kind === 'constant' && step.value.value === 0;
}

/**
 * Returns whether each register is 0 outside of blocks (sequences of steps executed atomically),
 * because only blocks write the register and each block resets it. Indexed by `RegisterId`.
 */
export function computeScratchRegisters(
  thread: Thread<InstrumentedInstruction>,
): readonly boolean[] {
  const isScratch = thread.registers.map(() => true);
  for (const { instruction } of thread.transitions) {
    const steps = instruction.kind === 'block' ? instruction.steps : [instruction];
    const last = new Map<RegisterId, InstrumentedStep>();
    for (const step of steps) {
      const register = registerWrittenBy(step);
      if (register !== undefined) last.set(register, step);
    }
    for (const [register, step] of last)
      if (instruction.kind !== 'block' || !isClear(step)) isScratch[register] = false;
  }
  return isScratch;
}
