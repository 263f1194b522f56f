import type { Delayed } from '../attack/marks.js';
import type { Budget, Exhausted } from '../budget.js';
import type { HappensBefore } from '../happens-before.js';
import type { Refutation } from '../modular/refute-attacks.js';
import type { Components } from './components.js';
import { PathSearch, Presence } from './path-search.js';
import type { PairRelation } from './relation.js';

/** The last load of an attack, and the first delayed store. */
interface End {
  readonly load: number;
  readonly address: number;
  readonly delayed: Delayed;
}

/**
 * The last loads that the attacker may reach from one place at the delayed store, and the items of
 * helpers meanwhile.
 */
interface EndsAtPlace {
  readonly presence: Presence;
  readonly ends: readonly End[];
}

/**
 * Shows by a closed relation that attacks of one thread are infeasible, as no happens-before path
 * can be completed ([BDM13] Fig. 4). From the first delayed store on, the attacker changes nothing
 * visible to helpers. So every later state, without the attacker's buffer and the marks, is a state
 * under SC in which the attacker is still at the store: all items of the state are related
 * pairwise.
 */
export class PairRefuter {
  readonly #components: Components;
  readonly #relation: PairRelation;
  readonly #attacker: number;
  readonly #happensBefore: HappensBefore;
  readonly #budget: Budget;
  /** The results for each store computed so far. */
  readonly #known = new Map<number, readonly EndsAtPlace[]>();

  constructor(
    components: Components,
    relation: PairRelation,
    attacker: number,
    happensBefore: HappensBefore,
    budget: Budget,
  ) {
    this.#components = components;
    this.#relation = relation;
    this.#attacker = attacker;
    this.#happensBefore = happensBefore;
    this.#budget = budget;
  }

  /** Returns whether the attack from the store to the load is infeasible. May throw `Endless`. */
  refute(store: number, load: number): Refutation {
    const places = this.#endsOf(store);
    if (typeof places === 'string') return { kind: 'stopped', reason: places };
    for (const { presence, ends } of places) {
      // All ends at one place have the same delayed store, so each loaded cell is searched once.
      const known = new Set<number>();
      for (const { load: its, address, delayed } of ends) {
        if (its !== load || known.has(address)) continue;
        known.add(address);
        const path = new PathSearch(presence, address, delayed, this.#happensBefore);
        const meets = path.meetsTarget(this.#budget);
        if (typeof meets === 'string') return { kind: 'stopped', reason: meets };
        if (meets) return { kind: 'open', load };
      }
    }
    return { kind: 'refuted' };
  }

  /**
   * Returns, for each place of the attacker at the store, the possible items of helpers, and the
   * last loads.
   */
  #endsOf(store: number): readonly EndsAtPlace[] | Exhausted {
    const known = this.#known.get(store);
    if (known) return known;
    const { transitions } = this.#components.threads[this.#attacker]!.code.thread;
    const all: EndsAtPlace[] = [];
    for (const stand of this.#standsAt(transitions[store]!.from)) {
      const stopped = this.#budget.spend(1);
      if (stopped !== undefined) return stopped;
      const presence = new Presence(this.#components, this.#relation, stand);
      all.push({ presence, ends: this.#ends(store, stand, presence) });
    }
    this.#known.set(store, all);
    return all;
  }

  /**
   * Returns the attacker's items at a location, in groups with equal places; a group is a list of
   * item numbers.
   */
  #standsAt(location: number): Iterable<readonly number[]> {
    const stands = new Map<string, number[]>();
    for (const number of this.#components.all[this.#attacker]!) {
      const { place } = this.#components.item(number);
      if (place?.location !== location) continue;
      const name = place.name;
      stands.set(name, [...(stands.get(name) ?? []), number]);
    }
    return stands.values();
  }

  /** Returns all last loads that the attacker may execute. */
  #ends(store: number, stand: readonly number[], presence: Presence): readonly End[] {
    const attacker = this.#components.threads[this.#attacker]!;
    const { transitions } = attacker.code.thread;
    const { place } = this.#components.item(stand[0]!);
    const ends: End[] = [];
    attacker.attacks(
      attacker.delay(place!, transitions[store]!),
      (address) => presence.valuesOf(address).map((value) => ({ value, mark: undefined })),
      ({ delayed }, load, address) =>
        ends.push({ load: transitions.indexOf(load), address, delayed }),
    );
    return ends;
  }
}
