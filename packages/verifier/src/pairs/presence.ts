import type { Move, Place } from '../attack/thread.js';
import type { Components, ComponentState } from './components.js';
import type { PairRelation } from './relation.js';

/**
 * The states under SC in which the attacker stands before its delayed store, at one place: the
 * items (component states) that may occur then. From the delayed store on, the attacker changes
 * nothing that helpers can see. So each later state of the attack equals such a state, apart from
 * the attacker's buffer and the marks.
 */
export class Presence {
  readonly #components: Components;
  readonly #relation: PairRelation;
  readonly #own: readonly ComponentState[];
  /** The value of `#present`; `undefined` until first needed, since many attackers read nothing. */
  #known: readonly (readonly ComponentState[])[] | undefined;
  /** By item and address, the values that the item's thread may find in the cell. */
  readonly #found = new Map<string, ReadonlySet<number>>();

  /** `own` has the attacker's items at the store; all have the same place. */
  constructor(components: Components, relation: PairRelation, own: readonly ComponentState[]) {
    this.#components = components;
    this.#relation = relation;
    this.#own = own;
  }

  /** The component states (items) in which each component may be, indexed by component. */
  get #present(): readonly (readonly ComponentState[])[] {
    if (this.#known) return this.#known;
    const present: ComponentState[][] = this.#components.all.map(() => []);
    const others = this.#relation.withAnyOf(this.#own.map(({ number }) => number));
    for (const item of [...this.#own, ...others.map((number) => this.#components.item(number))])
      present[item.component]!.push(item);
    this.#known = present;
    return present;
  }

  /** The items of the threads other than the attacker. */
  get helpers(): readonly ComponentState[] {
    const attacker = this.#own[0]!.component;
    return this.#present.flatMap((items, component) =>
      component === attacker ? [] : items.filter(({ place }) => place),
    );
  }

  /** The place of the attacker before its delayed store. */
  get place(): Place {
    return this.#own[0]!.place!;
  }

  /**
   * Returns the possible values of a cell. A cell that has no component under SC is never written.
   */
  valuesOf(address: number): readonly number[] {
    const holder = this.#components.holder(address);
    if (!holder) return [this.#components.initial(address)];
    return [...new Set(this.#present[holder.component]!.map(({ own }) => own[holder.slot]!))];
  }

  /** Whether the cell may hold the value while a helper is in a state. */
  mayFind(item: ComponentState, address: number, value: number): boolean {
    const name = `${item.number};${address}`;
    const found = this.#found.get(name) ?? this.#foundBy(item, address);
    this.#found.set(name, found);
    return found.has(value);
  }

  #foundBy(item: ComponentState, address: number): ReadonlySet<number> {
    const holder = this.#components.holder(address);
    if (!holder) return new Set([this.#components.initial(address)]);
    const { component, slot } = holder;
    if (component === item.component) return new Set([item.own[slot]!]);
    const partners = this.#present[component]!.filter((one) => this.#isTogether(item, one));
    return new Set(partners.map(({ own }) => own[slot]!));
  }

  /**
   * Returns the state of a helper after a step; `undefined` if the helper has ended, or if the
   * state never occurs together with a state of the attacker at the store.
   */
  arrival(helper: ComponentState, move: Move): ComponentState | undefined {
    const item = this.#components.arrival(helper, move);
    return item && this.#own.some((own) => this.#relation.has(own.number, item.number))
      ? item
      : undefined;
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
export class PairCover {
  readonly components: Components;
  readonly #relation: PairRelation;

  constructor(components: Components, relation: PairRelation) {
    this.components = components;
    this.#relation = relation;
  }

  /**
   * Returns what may be present while the attacker is at a location, for each place there. The
   * attacker's items with equal places belong together, as helpers may change the cells in the
   * attacker's component.
   */
  *presences(attacker: number, location: number): Iterable<Presence> {
    const items = new Map<Place, ComponentState[]>();
    for (const number of this.components.all[attacker]!) {
      const item = this.components.item(number);
      if (item.place?.location !== location) continue;
      items.set(item.place, [...(items.get(item.place) ?? []), item]);
    }
    for (const own of items.values()) yield new Presence(this.components, this.#relation, own);
  }
}
