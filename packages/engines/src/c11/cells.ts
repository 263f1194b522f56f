import { at } from '@fencewright/ground/base/at.js';
import { computeAddressSets } from '@fencewright/model/analysis/address-sets.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import { initialState, memoryValue } from '@fencewright/model/semantics/machine.js';
import type { C11Code, C11Step } from './c11-steps.js';

/** The number of watched cells for which a set of the monitor, a 32-bit word, has room. */
export const maxWatched = 31;

/** The cells that a program accesses. */
export interface C11Cells {
  readonly addresses: readonly number[];
  readonly initial: readonly number[];
  /** The position of an address in `addresses`. */
  readonly indexOf: ReadonlyMap<number, number>;
  /**
   * The watched cells, as positions in `addresses`: stored to, and accessed by several threads or
   * by `seq_cst` accesses.
   */
  readonly watched: readonly number[];
  /** For each cell its position in `watched`, or -1. */
  readonly watchedAt: readonly number[];
  /** Whether the cell belongs to a plain variable, by position in `addresses`. */
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
