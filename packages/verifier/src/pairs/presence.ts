import type { OwningThread, Stand } from '../attack/owning-thread.js';
import type { Helper, Situation } from '../attack/path-search.js';
import type { AttackCover } from '../attack/refute-attacks.js';
import type { Place } from '../attack/thread.js';
import type { Components, ComponentState } from './components.js';
import type { PairRelation } from './relation.js';

/**
 * The items (component states) that may occur while the attacker is at a store. `own` has the
 * attacker's items at the store; all have the same place. Helpers may be in all items that are
 * related to an item of `own`.
 */
class Presence implements Situation<ComponentState> {
  readonly #components: Components;
  readonly #relation: PairRelation;
  readonly #own: readonly ComponentState[];
  /** The component states (items) in which each component may be, indexed by component. */
  readonly #present: readonly ComponentState[][];
  readonly helpers: readonly Helper<ComponentState>[];
  /** By item and address, the values that the item's thread may find in the cell. */
  readonly #found = new Map<string, ReadonlySet<number>>();

  constructor(components: Components, relation: PairRelation, own: readonly ComponentState[]) {
    this.#components = components;
    this.#relation = relation;
    this.#own = own;
    const others = relation.withAnyOf(own.map(({ number }) => number));
    this.#present = components.all.map(() => []);
    for (const item of own) this.#present[item.component]!.push(item);
    const items = others.map((number) => components.item(number));
    for (const stand of items) this.#present[stand.component]!.push(stand);
    this.helpers = items
      .filter(({ place }) => place)
      .map((stand) => ({ thread: stand.component, stand, onPath: false }));
  }

  get place(): Place {
    return this.#own[0]!.place!;
  }

  get name(): string {
    return this.place.name;
  }

  get threads(): readonly OwningThread[] {
    return this.#components.threads;
  }

  /**
   * Returns the possible values of a cell. A cell that has no component under SC is never written.
   */
  valuesOf(address: number): readonly number[] {
    const holder = this.#components.holder(address);
    if (!holder) return [this.#components.initial(address)];
    return [...new Set(this.#present[holder.component]!.map(({ own }) => own[holder.slot]!))];
  }

  mayFind(stand: ComponentState, address: number, value: number): boolean {
    const name = `${stand.number};${address}`;
    const found = this.#found.get(name) ?? this.#foundBy(stand, address);
    this.#found.set(name, found);
    return found.has(value);
  }

  #foundBy(stand: ComponentState, address: number): ReadonlySet<number> {
    const { component, slot } = this.#components.holder(address)!;
    if (component === stand.component) return new Set([stand.own[slot]!]);
    const partners = this.#present[component]!.filter((one) => this.#isTogether(stand, one));
    return new Set(partners.map(({ own }) => own[slot]!));
  }

  arrival(thread: number, stand: Stand): ComponentState | undefined {
    const item = this.#components.find(thread, stand);
    if (!item) throw new Error('a step leads out of a closed relation');
    // An item that is not related to the attacker's item never occurs together with it.
    return this.#own.some((own) => this.#relation.has(own.number, item.number)) ? item : undefined;
  }

  /** Whether two component states (items) may occur in one state of the program. */
  #isTogether(item: ComponentState, other: ComponentState): boolean {
    if (!this.#relation.has(item.number, other.number)) return false;
    const goesWith = (own: ComponentState, its: ComponentState): boolean =>
      own === its || this.#relation.has(own.number, its.number);
    return this.#own.some((own) => goesWith(own, item) && goesWith(own, other));
  }
}

/**
 * A closed relation between items (component states), as a cover of all states under SC: all items
 * of a state are related pairwise.
 */
export class PairCover implements AttackCover<ComponentState> {
  readonly #components: Components;
  readonly #relation: PairRelation;

  constructor(components: Components, relation: PairRelation) {
    this.#components = components;
    this.#relation = relation;
  }

  get threads(): readonly OwningThread[] {
    return this.#components.threads;
  }

  /**
   * Returns the situations in which the attacker is at a location, one for each place there. The
   * attacker's items with equal places belong to one situation, as helpers may change the cells in
   * the attacker's component.
   */
  *situations(attacker: number, location: number): Iterable<Presence> {
    const stands = new Map<Place, ComponentState[]>();
    for (const number of this.#components.all[attacker]!) {
      const item = this.#components.item(number);
      if (item.place?.location !== location) continue;
      stands.set(item.place, [...(stands.get(item.place) ?? []), item]);
    }
    for (const own of stands.values()) yield new Presence(this.#components, this.#relation, own);
  }
}
