import { at } from '@fencewright/ground/base/at.js';
import { computeAddressSets } from '@fencewright/model/analysis/address-sets.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import { initialState, memoryValue } from '@fencewright/model/semantics/machine.js';
import type { C11Code, C11Step } from './c11-steps.js';

/**
 * The maximum number of watched cells (`C11Cells.watched`), since a set of them is a 32-bit word.
 */
export const maxWatched = 31;

/** The cells that a program accesses, with facts about each cell for searches. */
export interface C11Cells {
  readonly addresses: readonly number[];
  readonly initial: readonly number[];
  /** By address, the position of the address in `addresses`. */
  readonly indexOf: ReadonlyMap<number, number>;
  /**
   * The watched cells, as positions in `addresses`. A cell is watched if it is stored to, and
   * accessed by several threads or by `seq_cst` accesses.
   */
  readonly watched: readonly number[];
  /** For each cell of `addresses`, the position in `watched`; -1 for a cell that is not watched. */
  readonly watchedAt: readonly number[];
  /** For each cell of `addresses`, whether it belongs to a plain variable. */
  readonly isPlain: readonly boolean[];
  /**
   * Whether the cell belongs to a plain variable, or some access of the cell is plain; by position
   * in `addresses`.
   */
  readonly isRacy: readonly boolean[];
}

/** Returns the addresses that a step of a thread may access. */
export function addressesOf(
  { program }: C11Code,
  thread: ThreadId,
  { kind, code }: C11Step,
): readonly number[] {
  if (kind === 'fence') return [];
  const set = at(at(computeAddressSets(program), thread), code.id) ?? [];
  if (set !== 'any') return set;
  return program.symbols.flatMap(({ base, length }) =>
    Array.from({ length }, (_, cell) => base + cell),
  );
}

interface Users {
  readonly threads: Set<ThreadId>;
  isStored: boolean;
  isOrdered: boolean;
  isRacy: boolean;
}

/** Finds the cells of a program. */
export function findCells(code: C11Code): C11Cells {
  const users = new Map<number, Users>();
  code.steps.forEach((locations, thread) => {
    for (const step of locations.flat())
      for (const address of addressesOf(code, thread, step)) {
        const one = users.get(address) ?? {
          threads: new Set(),
          isStored: false,
          ...{ isOrdered: false, isRacy: false },
        };
        one.threads.add(thread);
        one.isStored ||= step.kind !== 'load';
        one.isOrdered ||= step.order === 'seq_cst' || step.failureOrder === 'seq_cst';
        one.isRacy ||= step.order === 'plain';
        users.set(address, one);
      }
  });
  const addresses = [...users.keys()].sort((a, b) => a - b);
  const memory = initialState(code.program);
  const watched = [...addresses.keys()].filter((cell) => {
    const { threads, isStored, isOrdered } = users.get(at(addresses, cell))!;
    return isStored && (threads.size > 1 || isOrdered);
  });
  const plain = new Set(
    code.program.symbols
      .filter(({ isPlain }) => isPlain)
      .flatMap(({ base, length }) => Array.from({ length }, (_, cell) => base + cell)),
  );
  return {
    addresses,
    initial: addresses.map((address) => memoryValue(memory, address)),
    indexOf: new Map(addresses.map((address, cell) => [address, cell])),
    watched,
    watchedAt: addresses.map((_, cell) => watched.indexOf(cell)),
    isPlain: addresses.map((address) => plain.has(address)),
    isRacy: addresses.map((address) => plain.has(address) || users.get(address)!.isRacy),
  };
}
