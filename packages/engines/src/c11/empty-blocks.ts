import { isLocal } from '@fencewright/model/program/instruction.js';
import type { Program, Thread, Transition } from '@fencewright/model/program/program.js';
import { transitionsOfBlock } from './block-transitions.js';

function blockOf({ transitions }: Thread, { to }: Transition): readonly Transition[] {
  return transitionsOfBlock(
    to,
    (location) => transitions.filter(({ from }) => from === location),
    (one) => one,
  );
}

const isUnlock = ({ instruction }: Transition): boolean => instruction.kind === 'unlock';

/**
 * Whether the block has an `unlock` and accesses no memory. No other thread notices such a block.
 */
function isEmpty(block: readonly Transition[]): boolean {
  return block.some(isUnlock) && block.every((one) => isUnlock(one) || isLocal(one.instruction));
}

function withoutEmpty(thread: Thread): Thread {
  const { transitions } = thread;
  const begins = transitions.filter(
    ({ instruction }) => instruction.kind === 'lock' && instruction.order !== undefined,
  );
  const blocks = begins.map((begin) => ({ begin, block: blockOf(thread, begin) }));
  const isOfOthers = new Set(
    blocks.filter(({ block }) => !isEmpty(block)).flatMap(({ block }) => block),
  );
  const left = new Set(
    blocks
      .filter(({ block }) => isEmpty(block) && !block.some((one) => isOfOthers.has(one)))
      .flatMap(({ begin, block }) => [begin, ...block.filter(isUnlock)]),
  );
  if (left.size === 0) return thread;
  return {
    ...thread,
    transitions: transitions.map((one) =>
      left.has(one) ? { ...one, instruction: { kind: 'skip' } } : one,
    ),
  };
}

/**
 * Returns the program with `skip` in place of the `lock` and the `unlock`s of empty blocks: blocks
 * that access no memory and begin with a `lock` with a memory order. An empty block comes from a
 * read-modify-write of a cell that only one thread accesses. Such a read-modify-write orders
 * nothing in C11. An empty block stays if one of the `unlock`s also ends a block with memory
 * accesses.
 */
export function withoutEmptyBlocks(program: Program): Program {
  const hasBlocks = ({ transitions }: Thread): boolean => transitions.some(isUnlock);
  if (!program.threads.some(hasBlocks)) return program;
  return {
    ...program,
    threads: program.threads.map((thread) => (hasBlocks(thread) ? withoutEmpty(thread) : thread)),
  };
}

/** Whether the block that begins with the `lock` accesses memory. */
export function accessesMemory(thread: Thread, begin: Transition): boolean {
  return blockOf(thread, begin).some(({ instruction }) => 'address' in instruction);
}
