import type { Budget, Exhausted } from '../budget.js';
import type { Delayed, Mark } from './marks.js';
import { type OwningThread, type Stand, standName } from './owning-thread.js';
import { type AttackThread, type Held, heldName, type Holds, type Place } from './thread.js';

/** The state of a thread other than the attacker, after the attacker's last load. */
export interface Helper<S extends Stand = Stand> {
  readonly thread: number;
  readonly stand: S;
  /**
   * Whether the helper is on the happens-before path: happens-before leads from the attack's last
   * load to a past step of the helper.
   */
  readonly onPath: boolean;
}

/**
 * A set of states under SC in which the attacker stands before its delayed store, as described by a
 * cover. From the delayed store on, the attacker changes nothing that helpers can see. So each
 * later state of the attack equals a state of the set, apart from the attacker's buffer and the
 * marks.
 */
export interface Situation<S extends Stand = Stand> {
  /** The place of the attacker before its delayed store. */
  readonly place: Place;
  /**
   * A text that identifies the situation up to the attacker's place: situations with equal names
   * differ in nothing else.
   */
  readonly name: string;
  readonly threads: readonly OwningThread[];
  /** Returns the possible values of a cell. */
  valuesOf(address: number): readonly number[];
  /**
   * Whether the cell may hold the value while a helper is at the place of `stand`, and the helper's
   * own cells hold the values of `stand`.
   */
  mayFind(stand: S, address: number, value: number): boolean;
  /** The helpers off the happens-before path. */
  readonly helpers: readonly Helper<S>[];
  /**
   * Returns a thread's state in the form in which the cover records it; `undefined` if the cover
   * contains no such state.
   */
  arrival(thread: number, stand: Stand): S | undefined;
}

/** The last load of an attack, and the first delayed store. */
export interface End {
  /** The transition of the load. */
  readonly load: number;
  readonly address: number;
  readonly delayed: Delayed;
}

/**
 * A value of a cell with its mark, and the thread that has left the value and the mark. `several`:
 * several threads have left them, or accesses before the attack's last load, or the last load
 * itself.
 */
interface Left {
  readonly held: Held;
  readonly by: number | 'several';
}

/**
 * Decides whether helpers may get from a last load of the attacker to an access that happens before
 * the delayed store. A helper off the happens-before path takes only steps that put the helper on
 * the path: any other step could as well be taken before the load. So a cell without a mark has a
 * value from before the load.
 */
export class PathSearch<S extends Stand> {
  readonly #situation: Situation<S>;
  readonly #attacker: AttackThread;
  readonly #end: End;
  /** The values and marks of cells found so far, by address and name. */
  readonly #held = new Map<number, Map<string, Left>>();
  readonly #marked = new Set<number>();
  /**
   * By address of a cell, the helpers that have read the cell. If the cell gets a new value, these
   * helpers are examined again.
   */
  readonly #readers = new Map<number, Set<Helper<S>>>();
  readonly #onPath = new Set<string>();
  readonly #open = new Set<Helper<S>>();

  constructor(situation: Situation<S>, attacker: AttackThread, end: End) {
    this.#situation = situation;
    this.#attacker = attacker;
    this.#end = end;
  }

  meetsTarget(budget: Budget): boolean | Exhausted {
    this.#load();
    // The set grows during the loop.
    for (const helper of this.#open) {
      this.#open.delete(helper);
      const stopped = budget.spend();
      if (stopped !== undefined) return stopped;
      const { thread, stand, onPath } = helper;
      const context = { onPath, delayed: this.#end.delayed, passesHeavy: false };
      const its = this.#situation.threads[thread]!;
      for (const move of its.moves(stand, this.#seenBy(helper), context)) {
        if (!move.isBehind) continue;
        if (move.hasMet) return true;
        for (const [address, held] of move.cells) this.#add(address, held, thread);
        const full = this.#arrive(thread, move.stand, budget);
        if (full !== undefined) return full;
      }
    }
    return false;
  }

  /** Marks the values of the cell of the last load. */
  #load(): void {
    const { address } = this.#end;
    const markOf = (read: number): Mark => this.#attacker.markOfLoad(address, read);
    this.#held.set(address, this.#leftBefore(address, markOf));
    this.#mark(address);
  }

  /** Returns the possible values of a cell at the last load, with marks. */
  #leftBefore(address: number, markOf: (value: number) => Mark | undefined): Map<string, Left> {
    const held = this.#situation.valuesOf(address).map((value) => ({ value, mark: markOf(value) }));
    return new Map(held.map((one) => [heldName(one), { held: one, by: 'several' }]));
  }

  #of(address: number): Map<string, Left> {
    const known = this.#held.get(address) ?? this.#leftBefore(address, () => undefined);
    this.#held.set(address, known);
    return known;
  }

  /**
   * Lets the search examine the helpers off the happens-before path that may access the marked cell
   * next, since the access may put a helper on the path.
   */
  #mark(address: number): void {
    this.#marked.add(address);
    const { helpers, threads } = this.#situation;
    for (const helper of helpers) {
      const { thread } = threads[helper.thread]!;
      if (thread.mayAccess(helper.stand.place!, address)) this.#open.add(helper);
    }
  }

  /**
   * Returns the values, with marks, that a helper may find in cells. A helper off the path has made
   * no access since the last load, so none of these values is its own.
   */
  #seenBy(helper: Helper<S>): Holds {
    const { thread, stand, onPath } = helper;
    return (address) => {
      const readers = this.#readers.get(address) ?? new Set();
      this.#readers.set(address, readers.add(helper));
      return [...this.#of(address).values()].flatMap(({ held, by }) =>
        (onPath || by !== thread) && this.#situation.mayFind(stand, address, held.value)
          ? [held]
          : [],
      );
    };
  }

  #add(address: number, held: Held, by: number): void {
    const known = this.#of(address);
    const name = heldName(held);
    const before = known.get(name)?.by;
    if (before === 'several' || before === by) return;
    known.set(name, { held, by: before === undefined ? by : 'several' });
    for (const reader of this.#readers.get(address) ?? []) this.#open.add(reader);
    if (!this.#marked.has(address)) this.#mark(address);
  }

  /**
   * Adds a thread that is now on the path, with its state `after`; returns the limit that was
   * exhausted, if any.
   */
  #arrive(thread: number, after: Stand, budget: Budget): Exhausted | undefined {
    const stand = after.place && this.#situation.arrival(thread, after);
    if (!stand) return undefined;
    const name = `${thread}:${standName(stand)}`;
    if (this.#onPath.has(name)) return undefined;
    this.#onPath.add(name);
    this.#open.add({ thread, stand, onPath: true });
    return budget.spend(1);
  }
}
