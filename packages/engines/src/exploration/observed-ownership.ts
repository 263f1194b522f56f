import { computeCellOwnership, type CellOwnership } from '../automata/cell-ownership.js';
import type { Program } from '@fencewright/model/program/program.js';

/**
 * Returns the ownership of cells by single threads, like `computeCellOwnership`, except for the
 * cells in `seen`, on which an observation depends at every moment.
 */
export function unseenOwnership(program: Program, seen: ReadonlySet<number>): CellOwnership {
  const { owned, isConstant } = computeCellOwnership(program);
  const unseen = owned.map((slots) => {
    const kept = [...slots.keys()].filter((address) => !seen.has(address));
    return new Map(kept.map((address, slot) => [address, slot]));
  });
  return { owned: unseen, isConstant };
}
