import { isBlockAccess } from '@fencewright/model/program/block-access.js';
import { blockCellName } from '@fencewright/model/program/block-cell-name.js';
import type { Program } from '@fencewright/model/program/program.js';
import { compileExpression, compileRmw } from '@fencewright/model/program/evaluate.js';
import type { Computation } from '@fencewright/model/trace/computation.js';
import { findTransition } from './action-words.js';

/** A step on a block of allocated memory that is no access of the program. */
interface BlockStepWords {
  /** The verb of the step, `frees`. */
  readonly verb: 'frees' | 'allocates again' | 'reads' | 'writes';
  /** The name of the block or of the cell. */
  readonly target: string;
}

const verbs = {
  freed: 'frees',
  again: 'allocates again',
  loaded: 'reads',
  stored: 'writes',
} as const;

/**
 * Returns the values that the `assign` instructions of a computation write, by the index of the
 * action. Registers are followed without the states of a machine.
 */
function assignedValues(program: Program, computation: Computation): ReadonlyMap<number, number> {
  const { symbols, threads } = program;
  const registers = threads.map((thread) => thread.registers.map(() => 0));
  const values = new Map<number, number>();
  for (const [index, action] of computation.entries()) {
    const own = registers[action.thread];
    const instruction = threads[action.thread]?.transitions[action.transition]?.instruction;
    if (!own || !instruction) continue;
    if (instruction.kind === 'assign') {
      own[instruction.into] = compileExpression(instruction.value, symbols)(own, 0);
      values.set(index, own[instruction.into]!);
    } else if (instruction.kind === 'load' && action.kind === 'load') {
      own[instruction.into] = action.value;
    } else if (instruction.kind === 'havoc' && action.kind === 'local') {
      own[instruction.into] = action.choice ?? 0;
    } else if (instruction.kind === 'rmw' && action.kind === 'rmw') {
      const isStored = action.written !== undefined;
      const { result } = compileRmw(instruction.operation, symbols);
      if (instruction.into !== undefined)
        own[instruction.into] = result(isStored, action.value, own, 0);
    }
  }
  return values;
}

/**
 * Returns the steps of a computation that free a block, or allocate a freed block again, by the
 * index of the action. An access that is no step of the program counts only as the last action: the
 * use of a freed block.
 */
export function blockSteps(
  program: Program,
  computation: Computation,
): ReadonlyMap<number, BlockStepWords> {
  const found = computation.flatMap(({ thread, transition }, index) => {
    const block = findTransition(program, thread, transition)?.transition.origin.block;
    const isShown = block && (!isBlockAccess(block) || index === computation.length - 1);
    return isShown ? [{ index, block }] : [];
  });
  const steps = new Map<number, BlockStepWords>();
  if (found.length === 0) return steps;
  const values = assignedValues(program, computation);
  for (const { index, block } of found) {
    const address = values.get(index) ?? 0;
    if (address !== 0)
      steps.set(index, { verb: verbs[block], target: blockCellName(program, address) });
  }
  return steps;
}
