import type { Mark } from '../attack/marks.js';
import { type Held, heldName } from '../attack/thread.js';
import type { ModularInvariant } from './invariant.js';
import type { Stand } from './owning-thread.js';

/** A thread other than the attacker, after the attacker's last load. */
export interface Helper {
  readonly thread: number;
  readonly stand: Stand;
  /**
   * Whether the helper is on the happens-before path: an edge leads to a past step of the helper.
   */
  readonly onPath: boolean;
}

/** The helpers off the happens-before path, by the cells that their next access may go to. */
export class HelperIndex {
  readonly #byCell = new Map<number, Helper[]>();
  /** Helpers in front of a lock block, which may access many cells. */
  readonly atBlocks: readonly Helper[];

  constructor({ threads, places }: ModularInvariant, attacker: number) {
    const helpers = places.flatMap((own, thread) =>
      thread === attacker
        ? []
        : [...own.values()].map((stand): Helper => ({ thread, stand, onPath: false })),
    );
    const cellsOf = helpers.map(({ thread, stand }) =>
      threads[thread]!.thread.cellsAt(stand.place),
    );
    this.atBlocks = helpers.filter((_, i) => cellsOf[i] === 'many');
    for (const [i, helper] of helpers.entries()) {
      const cells = cellsOf[i]!;
      if (cells === 'many') continue;
      for (const address of cells) {
        const known = this.#byCell.get(address);
        if (known) known.push(helper);
        else this.#byCell.set(address, [helper]);
      }
    }
  }

  /**
   * Returns the helpers whose next access may be to the cell, without the helpers in `atBlocks`.
   */
  at(address: number): readonly Helper[] {
    return this.#byCell.get(address) ?? [];
  }
}

/**
 * The values and marks of cells in the third phase of an attack, and the helpers to visit again
 * when values are added: helpers on the happens-before path that have read the cell, and helpers
 * off the path that access a cell with a mark.
 */
export class MarkedCells {
  readonly #invariant: ModularInvariant;
  readonly #held = new Map<number, Map<string, Held>>();
  readonly #marked = new Set<number>();
  readonly #readers = new Map<number, Set<Helper>>();
  readonly #helpers: HelperIndex;
  /** The values of the attacker's own cells, which do not change after the last load. */
  readonly #frozen: ReadonlyMap<number, number>;

  constructor(
    invariant: ModularInvariant,
    helpers: HelperIndex,
    attacker: number,
    own: readonly number[],
  ) {
    this.#invariant = invariant;
    this.#helpers = helpers;
    const { owned } = invariant.threads[attacker]!;
    this.#frozen = new Map(owned.map((address, slot) => [address, own[slot]!]));
  }

  /**
   * Marks the values of the cell of the last load; returns the helpers that may take the next step
   * on the path.
   */
  load(address: number, markOf: (value: number) => Mark): readonly Helper[] {
    const held = [...this.#of(address).values()].map(({ value }) => ({
      value,
      mark: markOf(value),
    }));
    this.#held.set(address, new Map(held.map((one) => [heldName(one), one])));
    this.#marked.add(address);
    return [...this.#helpers.atBlocks, ...this.#helpers.at(address)];
  }

  /**
   * Returns a function that gives all possible values of a cell, and records that the helper has to
   * be visited again when the cell gets a value.
   */
  readBy(helper: Helper): (address: number) => readonly Held[] {
    return (address) => {
      const readers = this.#readers.get(address) ?? new Set();
      this.#readers.set(address, readers.add(helper));
      return [...this.#of(address).values()];
    };
  }

  /** Adds a possible value of a cell; returns the helpers to visit again. */
  add(address: number, held: Held): readonly Helper[] {
    const known = this.#of(address);
    const name = heldName(held);
    if (known.has(name)) return [];
    known.set(name, held);
    const readers = [...(this.#readers.get(address) ?? [])];
    if (held.mark === undefined || this.#marked.has(address)) return readers;
    this.#marked.add(address);
    return [...readers, ...this.#helpers.at(address)];
  }

  #of(address: number): Map<string, Held> {
    const known = this.#held.get(address);
    if (known) return known;
    const value = this.#frozen.get(address);
    const held =
      value === undefined ? this.#invariant.holds(address) : [{ value, mark: undefined }];
    const all = new Map(held.map((one) => [heldName(one), one]));
    this.#held.set(address, all);
    return all;
  }
}
