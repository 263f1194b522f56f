import { isBlockAccess } from '@fencewright/model/program/block-access.js';
import { blockCellName } from '@fencewright/model/program/block-cell-name.js';
import type { Program } from '@fencewright/model/program/program.js';
import { replayStates } from '@fencewright/model/semantics/replay.js';
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
 * Returns the frees and repeated allocations of blocks in a computation, by the index of the
 * action. Of the accesses that are no steps of the program, the last action of the computation is one of
 * them only where the computation shows the use of a freed block.
 */
export function blockSteps(
  program: Program,
  computation: Computation,
): ReadonlyMap<number, BlockStepWords> {
  const found = computation.flatMap(({ thread, transition }, index) => {
    const { origin, instruction } = findTransition(program, thread, transition)?.transition ?? {};
    const block = origin?.block;
    if (block === undefined || instruction?.kind !== 'assign') return [];
    const isShown = !isBlockAccess(block) || index === computation.length - 1;
    return isShown ? [{ index, block, thread, into: instruction.into }] : [];
  });
  const steps = new Map<number, BlockStepWords>();
  const states = found.length === 0 ? undefined : replayStates(program, computation);
  for (const { index, block, thread, into } of found) {
    const address = states?.[index + 1]?.registers[thread]?.[into] ?? 0;
    if (address !== 0)
      steps.set(index, { verb: verbs[block], target: blockCellName(program, address) });
  }
  return steps;
}
