import { computeScratchRegisters, registerWrittenBy } from './scratch-registers.js';
import type { Expression } from '../program/expression.js';
import type { RegisterId } from '../program/ids.js';
import type {
  InstrumentedBlock,
  InstrumentedStep,
  InstrumentedInstruction,
  InstrumentedProgram,
} from '../instrumented/instrumented.js';
import type { Thread } from '../program/program.js';
import { mapBlockStep } from '../instrumented/map-block-step.js';
import { substituteRegisters } from '../program/rewrite.js';

function isConstant(expression: Expression): boolean {
  switch (expression.kind) {
    case 'constant':
    case 'address':
      return true;
    case 'element':
      return expression.index.kind === 'constant';
    default:
      return false;
  }
}

/**
 * Returns the steps of a block, with constants in place of scratch registers (registers used only
 * within blocks) where possible.
 */
function foldBlock(
  { steps }: InstrumentedBlock,
  isScratch: readonly boolean[],
): readonly InstrumentedStep[] {
  const known = new Map<RegisterId, Expression>();
  const written = new Set<RegisterId>();
  return steps.flatMap((step): readonly InstrumentedStep[] => {
    const folded = mapBlockStep(step, (expression) =>
      substituteRegisters(expression, (register) => known.get(register)),
    );
    const register = registerWrittenBy(folded);
    if (register === undefined || !isScratch[register]) return [folded];
    known.delete(register);
    if (folded.kind !== 'assign' || !isConstant(folded.value)) {
      written.add(register);
      return [folded];
    }
    known.set(register, folded.value);
    // A register never written in the block is 0 already, so resetting is redundant.
    return written.has(register) ? [folded] : [];
  });
}

/**
 * Returns the program with constants in place of the scratch registers of blocks (registers used
 * only within blocks) where possible, and without the assignments made redundant thereby. The ids
 * of threads, locations and transitions do not change.
 */
export function foldBlocks(program: InstrumentedProgram): InstrumentedProgram {
  const fold = (thread: Thread<InstrumentedInstruction>): Thread<InstrumentedInstruction> => {
    const isScratch = computeScratchRegisters(thread);
    const transitions = thread.transitions.map((transition) => {
      const { instruction } = transition;
      if (instruction.kind !== 'block') return transition;
      return {
        ...transition,
        instruction: { ...instruction, steps: foldBlock(instruction, isScratch) },
      };
    });
    return { ...thread, transitions };
  };
  return { ...program, threads: program.threads.map(fold) };
}
