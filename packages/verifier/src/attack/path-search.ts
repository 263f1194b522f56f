import type { Budget, Exhausted } from '../budget.js';
import type { ComponentState } from '../pairs/components.js';
import type { Presence } from '../pairs/presence.js';
import type { Delayed, Mark } from './marks.js';
import { type AttackThread, type Held, heldName, type Holds } from './thread.js';

/** The state of a thread other than the attacker, after the attacker's last load. */
interface Helper {
  readonly item: ComponentState;
  /**
   * Whether the helper is on the happens-before path: happens-before leads from the attack's last
   * load to a past step of the helper.
   */
  readonly onPath: boolean;
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
export class PathSearch {
  readonly #presence: Presence;
  readonly #threads: readonly AttackThread[];
  readonly #attacker: AttackThread;
  readonly #end: End;
  /** The values and marks of cells found so far, by address and name. */
  readonly #held = new Map<number, Map<string, Left>>();
  readonly #marked = new Set<number>();
  /**
   * By address of a cell, the helpers that have read the cell. If the cell gets a new value, these
   * helpers are examined again.
   */
  readonly #readers = new Map<number, Set<Helper>>();
  readonly #onPath = new Set<ComponentState>();
  readonly #open = new Set<Helper>();
  readonly #offPath: readonly Helper[];

  constructor(presence: Presence, threads: readonly AttackThread[], attacker: number, end: End) {
    this.#presence = presence;
    this.#threads = threads;
    this.#attacker = threads[attacker]!;
    this.#end = end;
    this.#offPath = presence.helpers.map((item) => ({ item, onPath: false }));
  }

  meetsTarget(budget: Budget): boolean | Exhausted {
    this.#load();
    // The set grows during the loop.
    for (const helper of this.#open) {
      this.#open.delete(helper);
      const stopped = budget.spend();
      if (stopped !== undefined) return stopped;
      const { item, onPath } = helper;
      const context = { onPath, delayed: this.#end.delayed, passesHeavy: false };
      const its = this.#threads[item.component]!;
      for (const move of its.moves(item.place!, this.#seenBy(helper), context)) {
        if (!move.isBehind) continue;
        if (move.hasMet) return true;
        for (const [address, held] of move.cells) this.#add(address, held, item.component);
        const full = this.#arrive(this.#presence.arrival(item, move), budget);
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
    const held = this.#presence.valuesOf(address).map((value) => ({ value, mark: markOf(value) }));
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
    for (const helper of this.#offPath)
      if (this.#threads[helper.item.component]!.mayAccess(helper.item.place!, address))
        this.#open.add(helper);
  }

  /**
   * Returns the values, with marks, that a helper may find in cells. A helper off the path has made
   * no access since the last load, so none of these values is its own.
   */
  #seenBy(helper: Helper): Holds {
    const { item, onPath } = helper;
    return (address) => {
      const readers = this.#readers.get(address) ?? new Set();
      this.#readers.set(address, readers.add(helper));
      return [...this.#of(address).values()].flatMap(({ held, by }) =>
        (onPath || by !== item.component) && this.#presence.mayFind(item, address, held.value)
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
   * Adds a thread that is now on the path, with its state; returns the limit that was exhausted, if
   * any.
   */
  #arrive(item: ComponentState | undefined, budget: Budget): Exhausted | undefined {
    if (!item || this.#onPath.has(item)) return undefined;
    this.#onPath.add(item);
    this.#open.add({ item, onPath: true });
    return budget.spend(1);
  }
}
