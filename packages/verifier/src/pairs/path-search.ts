import { type Delayed, type Mark, marksAfter } from '../attack/marks.js';
import { heldName } from '../attack/thread.js';
import type { Budget, Exhausted } from '../budget.js';
import type { HappensBefore } from '../happens-before.js';
import {
  type PossibleAccess,
  type Components,
  holding,
  type ComponentState,
} from './components.js';
import type { PairRelation } from './relation.js';

/** An item after an attack's last load, with marks. */
interface MarkedItem {
  readonly number: number;
  /** Whether happens-before leads from the attack's last load to a past step of the thread. */
  readonly onPath: boolean;
  /** The marks of the component's cells, in the order of `values`. */
  readonly marks: readonly (Mark | undefined)[];
}

function markedName({ number, onPath, marks }: MarkedItem): string {
  const left = marks.map((mark) => heldName({ value: 0, mark }));
  return `${number}${onPath ? '!' : ''};${left.join()}`;
}

/**
 * The items that helpers may be at while the attacker is at a store: those related to one of the
 * attacker's items there (`stand`).
 */
export class Presence {
  readonly components: Components;
  readonly #relation: PairRelation;
  readonly #stand: readonly number[];
  /** The possible items of each component, indexed by component. */
  readonly #present: readonly number[][];
  readonly #isPresent: ReadonlySet<number>;
  /** Items of helpers, by the address of a possible next access. */
  readonly #actors = new Map<number, number[]>();

  constructor(components: Components, relation: PairRelation, stand: readonly number[]) {
    this.components = components;
    this.#relation = relation;
    this.#stand = stand;
    const others = relation.withAnyOf(stand);
    this.#isPresent = new Set([...stand, ...others]);
    this.#present = components.all.map(() => []);
    for (const item of this.#isPresent) this.#present[components.item(item).component]!.push(item);
    for (const item of others)
      for (const { address } of components.actions(item)) {
        const known = this.#actors.get(address);
        if (known) known.push(item);
        else this.#actors.set(address, [item]);
      }
  }

  of(component: number): readonly number[] {
    return this.#present[component]!;
  }

  has(item: number): boolean {
    return this.#isPresent.has(item);
  }

  /** Returns the items of helpers whose next access may be to the cell. */
  at(address: number): readonly number[] {
    return this.#actors.get(address) ?? [];
  }

  /** Returns the cells of a component that helpers may access. */
  accessed(component: number): readonly number[] {
    return [...this.#actors.keys()].filter(
      (address) => this.components.holder(address)!.component === component,
    );
  }

  /** Whether two items may occur in one state. */
  isTogether(item: number, other: number): boolean {
    if (!this.#relation.has(item, other)) return false;
    const goesWith = (own: number, its: number): boolean =>
      own === its || this.#relation.has(own, its);
    return this.#stand.some((own) => goesWith(own, item) && goesWith(own, other));
  }

  /**
   * Returns the possible values of a cell. A cell that has no component under SC is never written.
   */
  valuesOf(address: number): readonly number[] {
    const holder = this.components.holder(address);
    if (!holder) return [this.components.initial(address)];
    const values = this.of(holder.component).map(
      (item) => this.components.item(item).values[holder.slot]!,
    );
    return [...new Set(values)];
  }
}

/**
 * Decides whether helpers may get from a last load of the attacker to an access that happens before
 * the delayed store. A helper off the happens-before path takes only steps that put the helper on
 * the path: any other step could as well be taken before the load. So items that accesses on the
 * path have not changed are as before the load: off the path, and without marks except the mark of
 * the load.
 */
export class PathSearch {
  readonly #presence: Presence;
  readonly #components: Components;
  readonly #loaded: number;
  readonly #delayed: Delayed;
  readonly #happensBefore: HappensBefore;
  /** The names of the items that accesses on the path have made. */
  readonly #known = new Set<string>();
  readonly #changed = new Map<number, MarkedItem[]>();
  readonly #open: MarkedItem[] = [];
  #hasMet = false;

  constructor(presence: Presence, loaded: number, delayed: Delayed, happensBefore: HappensBefore) {
    this.#presence = presence;
    this.#components = presence.components;
    this.#loaded = loaded;
    this.#delayed = delayed;
    this.#happensBefore = happensBefore;
  }

  meetsTarget(budget: Budget): boolean | Exhausted {
    for (const item of this.#presence.at(this.#loaded)) {
      const stopped = budget.spend();
      if (stopped !== undefined) return stopped;
      this.#accesses(this.#asItWas(item), (action) => action.address === this.#loaded);
    }
    for (let item = this.#open.pop(); item && !this.#hasMet; item = this.#open.pop()) {
      const stopped = budget.spend(1);
      if (stopped !== undefined) return stopped;
      this.#accesses(item, () => true);
      this.#accessesTo(item);
    }
    return this.#hasMet;
  }

  /** Returns an item as it is right after the last load, before any step on the path. */
  #asItWas(number: number): MarkedItem {
    const { component, values } = this.#components.item(number);
    const marks = values.map((value, slot) => this.#markOf(component, slot, value));
    return { number, onPath: false, marks };
  }

  #markOf(component: number, slot: number, value: number): Mark | undefined {
    const address = this.#loaded;
    const holder = this.#components.holder(address);
    if (holder?.component !== component || holder.slot !== slot) return undefined;
    return marksAfter(new Map(), { address, read: value }, this.#happensBefore).get(address);
  }

  /** Returns the items that may hold the cell accessed by an item's thread. */
  #partners(actor: number, { component }: PossibleAccess): readonly MarkedItem[] {
    return [
      ...this.#presence.of(component).map((item) => this.#asItWas(item)),
      ...(this.#changed.get(component) ?? []),
    ].filter(({ number }) => this.#presence.isTogether(actor, number));
  }

  /** Executes the next accesses of the item's thread for which `isAsked` is true. */
  #accesses(actor: MarkedItem, isAsked: (action: PossibleAccess) => boolean): void {
    const { component } = this.#components.item(actor.number);
    for (const action of this.#components.actions(actor.number)) {
      if (!isAsked(action)) continue;
      if (action.component === component) this.#access(actor, undefined, action);
      else
        for (const partner of this.#partners(actor.number, action))
          this.#access(actor, partner, action);
    }
  }

  /** Executes all next accesses of helpers to the cells of an item. */
  #accessesTo(partner: MarkedItem): void {
    const { component } = this.#components.item(partner.number);
    for (const address of this.#presence.accessed(component))
      for (const number of this.#presence.at(address)) {
        if (!this.#presence.isTogether(number, partner.number)) continue;
        const its = this.#changed.get(this.#components.item(number).component) ?? [];
        const actors = [this.#asItWas(number), ...its.filter((one) => one.number === number)];
        for (const action of this.#components.actions(number))
          if (action.address === address)
            for (const actor of actors) this.#access(actor, partner, action);
      }
  }

  /**
   * Executes an access of `actor` to a cell held by `partner`; `partner` is absent if `actor`
   * itself holds the cell.
   */
  #access(actor: MarkedItem, partner: MarkedItem | undefined, action: PossibleAccess): void {
    const { address, slot } = action;
    const item = this.#components.item(actor.number);
    const holder = partner ?? actor;
    const held = {
      value: this.#components.item(holder.number).values[slot]!,
      mark: holder.marks[slot],
    };
    const { onPath } = actor;
    // A helper off the path takes only accesses to cells with a mark.
    if (!item.place || (!onPath && !held.mark)) return;
    // The relation has no item in front of a heavy fence. So the thread is taken to pass the fence,
    // which only adds executions.
    const context = { onPath, delayed: this.#delayed, passesHeavy: true };
    const thread = this.#components.threads[item.component]!;
    for (const move of thread.moves(item.place, holding(address, held), context)) {
      if (!move.isBehind) continue;
      this.#hasMet ||= move.hasMet;
      const { value, mark } = move.cells.get(address)!;
      const marks = holder.marks.with(slot, mark);
      const { place } = move;
      if (partner) {
        const its = this.#components.item(partner.number);
        this.#add({ ...item, place }, true, actor.marks);
        this.#add({ ...its, values: its.values.with(slot, value) }, partner.onPath, marks);
      } else this.#add({ ...item, place, values: item.values.with(slot, value) }, true, marks);
    }
  }

  #add(item: ComponentState, onPath: boolean, marks: MarkedItem['marks']): void {
    const number = this.#components.find(item);
    if (number === undefined) throw new Error('a step leads out of a closed relation');
    // An item that is not related to the attacker's item never occurs together with it.
    if (!this.#presence.has(number)) return;
    const added = { number, onPath, marks };
    const name = markedName(added);
    if (this.#known.has(name)) return;
    this.#known.add(name);
    this.#open.push(added);
    const known = this.#changed.get(item.component);
    if (known) known.push(added);
    else this.#changed.set(item.component, [added]);
  }
}
