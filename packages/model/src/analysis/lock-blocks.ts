import { fact } from '@fencewright/ground/base/fact.js';
import type { LocationId } from '../program/ids.js';
import type { Thread } from '../program/program.js';
import { computeControlFlow, computeReachableAvoiding } from './control-flow.js';

/**
 * For each location of the thread, the locations of the lock block (from `lock` to `unlock`) from
 * which control may have come, the location itself included; empty where the thread cannot hold the
 * bus lock. An over-approximation by control flow. If an access of a lock block is on a
 * happens-before path, so are all accesses leaving these locations (docs/adr/0007).
 */
export const computeLockBlocks = fact((thread: Thread) => {
  const flow = computeControlFlow(thread);
  const isLocked = thread.locations.map(() => false);
  for (const { to, instruction } of thread.transitions)
    if (instruction.kind === 'lock')
      computeReachableAvoiding(thread, to, (next) => next.instruction.kind === 'unlock')
        // The location behind the last unlock is not reached: its transition blocks.
        .forEach((isReached, at) => (isLocked[at] ||= isReached));
  const blocks: (readonly LocationId[] | undefined)[] = [];
  const blockBefore = (at: LocationId): readonly LocationId[] => {
    if (isLocked[at] !== true) return [];
    const block = new Set([at]);
    for (const location of block)
      for (const id of flow.incoming[location] ?? []) {
        const { from, instruction } = thread.transitions[id]!;
        const isInside = instruction.kind !== 'lock' && instruction.kind !== 'unlock';
        if (isInside && isLocked[from] === true) block.add(from);
      }
    return [...block];
  };
  return (at: LocationId) => (blocks[at] ??= blockBefore(at));
});
