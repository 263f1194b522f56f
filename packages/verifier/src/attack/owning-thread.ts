import type { Code } from '../code.js';
import type { AttackThread, Holds, Move, PathContext, Place } from './thread.js';

/**
 * A place of a thread, with the values of the thread's own cells, in the order of
 * `OwningThread.owned`.
 */
export interface Stand {
  /** The place at which the thread waits; `undefined` if the thread has ended. */
  readonly place: Place | undefined;
  readonly own: readonly number[];
}

/** A step of a thread, with the values of the thread's own cells after the step. */
interface OwnMove extends Omit<Move, 'place'> {
  readonly stand: Stand;
}

export function standName({ place, own }: Stand): string {
  return `${place?.name ?? ''}/${own.join()}`;
}

/** A thread with own cells: cells whose values are known together with the thread's place. */
export class OwningThread {
  readonly thread: AttackThread;
  /** The addresses of the thread's own cells. */
  readonly owned: readonly number[];
  readonly #slots: ReadonlyMap<number, number>;
  readonly #initial: (address: number) => number;

  constructor(
    thread: AttackThread,
    owned: readonly number[],
    initial: (address: number) => number,
  ) {
    this.thread = thread;
    this.owned = owned;
    this.#slots = new Map(owned.map((address, slot) => [address, slot]));
    this.#initial = initial;
  }

  get code(): Code {
    return this.thread.code;
  }

  /**
   * Returns the places at which the thread may wait first, with the initial values of its own
   * cells.
   */
  starts(): readonly Stand[] {
    const own = this.owned.map((address) => this.#initial(address));
    return this.thread.starts().map((place) => ({ place, own }));
  }

  /** Returns the value of an own cell; `undefined` for other cells. */
  ownValue(own: readonly number[], address: number): number | undefined {
    const slot = this.#slots.get(address);
    return slot === undefined ? undefined : own[slot];
  }

  /** Returns all steps that the thread may take from a place as a helper (not as the attacker). */
  moves({ place, own }: Stand, holds: Holds, context: PathContext): readonly OwnMove[] {
    if (!place) return [];
    return this.thread.moves(place, this.#knowing(own, holds), context).map((move) => {
      const { place: next, cells, isBehind, hasMet } = move;
      return { cells, isBehind, hasMet, stand: { place: next, own: this.#after(own, move) } };
    });
  }

  /**
   * Returns `holds` with the thread's own cells restricted to their known values `own`. A state of
   * the thread with an own value that `holds` does not contain is never reached.
   */
  #knowing(own: readonly number[], holds: Holds): Holds {
    if (own.length === 0) return holds;
    return (address) => {
      const known = this.ownValue(own, address);
      const all = holds(address);
      return known === undefined ? all : all.filter(({ value }) => value === known);
    };
  }

  #after(own: readonly number[], { cells }: Move): readonly number[] {
    if (own.length === 0) return own;
    return this.owned.map((address, slot) => cells.get(address)?.value ?? own[slot]!);
  }
}
