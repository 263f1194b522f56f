import type { Expression } from '../program/expression.js';
import type { RegisterId } from '../program/ids.js';
import type {
  Block,
  BlockStep,
  InstrumentedInstruction,
  InstrumentedProgram,
} from '../program/instrumented.js';
import type { Thread } from '../program/program.js';
import { mapStepExpressions, substituteRegisters } from '../program/rewrite.js';

function writtenBy(step: BlockStep): RegisterId | undefined {
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

function isClear(step: BlockStep | undefined): boolean {
  return step?.kind === 'assign' && step.value.kind === 'constant' && step.value.value === 0;
}

/** Indexed by `RegisterId`: whether the register is 0 outside of blocks, since only blocks write it and each sets it back. */
function computeScratchRegisters(thread: Thread<InstrumentedInstruction>): readonly boolean[] {
  const isScratch = thread.registers.map(() => true);
  for (const { instruction } of thread.transitions) {
    const steps = instruction.kind === 'block' ? instruction.steps : [instruction];
    const last = new Map<RegisterId, BlockStep>();
    for (const step of steps) {
      const register = writtenBy(step);
      if (register !== undefined) last.set(register, step);
    }
    for (const [register, step] of last)
      if (instruction.kind !== 'block' || !isClear(step)) isScratch[register] = false;
  }
  return isScratch;
}

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

/** The steps of a block without what scratch registers do that constants can do. */
function foldBlock({ steps }: Block, isScratch: readonly boolean[]): readonly BlockStep[] {
  const known = new Map<RegisterId, Expression>();
  const written = new Set<RegisterId>();
  return steps.flatMap((step): readonly BlockStep[] => {
    const folded = mapStepExpressions(step, (expression) =>
      substituteRegisters(expression, (register) => known.get(register)),
    );
    const register = writtenBy(folded);
    if (register === undefined || !isScratch[register]) return [folded];
    known.delete(register);
    if (folded.kind !== 'assign' || !isConstant(folded.value)) {
      written.add(register);
      return [folded];
    }
    known.set(register, folded.value);
    // What was never written is 0 and will be again.
    return written.has(register) ? [folded] : [];
  });
}

/**
 * The program with constants written out where a scratch register of a block would hold them, and without the assignments that
 * nothing needs then; ids stay what they were.
 */
export function foldInstrumented(program: InstrumentedProgram): InstrumentedProgram {
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
