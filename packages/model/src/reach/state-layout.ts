import type { AuxiliarySpace, InstrumentedProgram } from '../instrumented/instrumented.js';

/** A memory of an instrumented program: program memory, or one of the auxiliary memories. */
export type Space = 'program' | AuxiliarySpace;

/**
 * The layout of a state vector: [0] the thread that holds the bus lock + 1, then the locations of
 * all threads, then all registers, then memory cells in order of first use in the search.
 */
export interface StateLayout {
  /** By thread, the slot in the state vector of its first register. */
  readonly registerBase: readonly number[];
  /**
   * The slot in the state vector of the first memory cell. The slot of thread `t`'s location is
   * `1 + t`.
   */
  readonly firstCell: number;
  /** Returns the number of slots of the state vector in use, which grows during a search. */
  readonly length: () => number;
  /**
   * Returns the slot of a memory cell in the state vector; -1 if no store has reached the cell, so
   * its value is 0.
   */
  readonly findCell: (space: Space, address: number) => number;
  /** Returns the slot of a memory cell in the state vector, created if necessary. */
  readonly cell: (space: Space, address: number) => number;
}

/** Creates the layout for a program; cells with an initial value have slots from the start. */
export function createStateLayout(program: InstrumentedProgram): StateLayout {
  const registerBase: number[] = [];
  let next = 1 + program.threads.length;
  for (const thread of program.threads) {
    registerBase.push(next);
    next += thread.registers.length;
  }
  const firstCell = next;
  const slots: Record<Space, Map<number, number>> = {
    program: new Map(),
    pending: new Map(),
    buffer: new Map(),
    level: new Map(),
    control: new Map(),
  };
  const cell = (space: Space, address: number): number => {
    const known = slots[space].get(address);
    if (known !== undefined) return known;
    slots[space].set(address, next);
    return next++;
  };
  for (const symbol of program.symbols)
    symbol.initial.forEach((_, offset) => cell('program', symbol.base + offset));
  return {
    registerBase,
    firstCell,
    length: () => next,
    findCell: (space, address) => slots[space].get(address) ?? -1,
    cell,
  };
}

/** Creates the initial state vector, with the current length of the layout. */
export function initialVector(program: InstrumentedProgram, layout: StateLayout): Int32Array {
  const vector = new Int32Array(layout.length());
  program.threads.forEach((thread, t) => (vector[1 + t] = thread.initial));
  for (const symbol of program.symbols)
    symbol.initial.forEach(
      (value, offset) => (vector[layout.cell('program', symbol.base + offset)] = value),
    );
  return vector;
}
