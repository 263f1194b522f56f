import type { Automata } from '../automata.js';
import {
  AttackThread,
  type Holds,
  type Move,
  type PathContext,
  type Place,
} from '../attack/thread.js';
import { Code } from '../code.js';
import type { HappensBefore } from '../happens-before.js';

/**
 * A place of a thread, with the values of the thread's own cells in the order of
 * `OwningThread.owned`.
 */
export interface Stand {
  readonly place: Place;
  readonly own: readonly number[];
}

/** A step of a thread that owns cells. */
export interface OwnMove extends Omit<Move, 'place'> {
  /** Where the thread waits next; absent if the thread ends. */
  readonly stand: Stand | undefined;
}

export function standName({ place, own }: Stand): string {
  return own.length === 0 ? place.name : `${place.name}/${own.join()}`;
}

/** A thread that knows the values of its own cells: those that no other thread writes. */
export class OwningThread {
  readonly thread: AttackThread;
  /** The addresses that only this thread writes. */
  readonly owned: readonly number[];
  readonly #slots: ReadonlyMap<number, number>;
  readonly #initial: (address: number) => number;

  constructor(
    automata: Automata,
    thread: number,
    owned: readonly number[],
    initial: (address: number) => number,
    happensBefore: HappensBefore,
  ) {
    const code = new Code(automata, automata.threads[thread]!);
    this.thread = new AttackThread(code, happensBefore);
    this.owned = owned;
    this.#slots = new Map(owned.map((address, slot) => [address, slot]));
    this.#initial = initial;
  }

  get code(): Code {
    return this.thread.code;
  }

  /** Returns where the thread waits first. */
  starts(): readonly Stand[] {
    const own = this.owned.map((address) => this.#initial(address));
    return this.thread.starts().map((place) => ({ place, own }));
  }

  /** Returns the value of an own cell; `undefined` for other cells. */
  ownValue(own: readonly number[], address: number): number | undefined {
    const slot = this.#slots.get(address);
    return slot === undefined ? undefined : own[slot];
  }

  /** Returns all steps of the thread, as a helper. */
  moves({ place, own }: Stand, holds: Holds, context: PathContext): readonly OwnMove[] {
    return this.thread.moves(place, this.knowing(own, holds), context).map((move) => {
      const { place: next, ...rest } = move;
      return { ...rest, stand: next && { place: next, own: this.#after(own, move) } };
    });
  }

  /**
   * Returns all values of cells that this thread may find. The thread knows the values of its own
   * cells: by the invariant, these are among the possible values, and a place that contradicts the
   * invariant is never reached.
   */
  knowing(own: readonly number[], holds: Holds): Holds {
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
