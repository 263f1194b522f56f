import { writesCell } from '@fencewright/model/program/instruction.js';
import { fact } from '@fencewright/ground/base/fact.js';
import { addressOf, computeAddressSets } from '@fencewright/model/analysis/address-sets.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';

/**
 * The memory cells whose accesses no other thread can notice: only one thread uses the cell, or no
 * thread writes the cell. Accesses to these cells count as local steps.
 */
export interface CellOwnership {
  /**
   * Indexed by thread: the addresses that only this thread accesses, each with a slot, numbered in
   * the order of the thread's code.
   */
  readonly owned: readonly ReadonlyMap<number, number>[];
  /**
   * Whether no store of any thread can go to the address, so that the cell always holds the initial
   * value.
   */
  readonly isConstant: (address: number) => boolean;
}

/**
 * The `CellOwnership` without cells of single threads and without constant cells, for programs in
 * which every access may be visible to other threads.
 */
export function noOwnership(program: Program): CellOwnership {
  return { owned: program.threads.map(() => new Map<number, number>()), isConstant: () => false };
}

/**
 * Computes the cells accessed by only one thread, and the cells that no thread writes, from the
 * possible addresses of each instruction; accesses with unknown addresses may go anywhere.
 */
export const computeCellOwnership = fact((program: Program): CellOwnership => {
  const sets = computeAddressSets(program);
  const accessed = program.threads.map((thread, t) => {
    const own = new Set<number>();
    let anywhere = false;
    thread.transitions.forEach(({ instruction }, id) => {
      if (!addressOf(instruction)) return;
      const set = sets[t]?.[id] ?? 'any';
      if (set === 'any') anywhere = true;
      else for (const address of set) own.add(address);
    });
    return { own, anywhere };
  });
  const owned = accessed.map(({ own }, t: ThreadId) => {
    const others = accessed.filter((_, other) => other !== t);
    const slots = new Map<number, number>();
    if (!others.some(({ anywhere }) => anywhere))
      for (const address of own)
        if (!others.some((other) => other.own.has(address))) slots.set(address, slots.size);
    return slots;
  });
  return { owned, isConstant: constantCells(program, sets) };
});

function constantCells(
  program: Program,
  sets: ReturnType<typeof computeAddressSets>,
): CellOwnership['isConstant'] {
  const written = new Set<number>();
  let anywhere = false;
  program.threads.forEach((thread, t) => {
    thread.transitions.forEach(({ instruction }, id) => {
      if (!writesCell(instruction)) return;
      const set = sets[t]?.[id] ?? 'any';
      if (set === 'any') anywhere = true;
      else for (const address of set) written.add(address);
    });
  });
  return (address) => !anywhere && !written.has(address);
}
