import type { Budget, Exhausted } from '../budget.js';
import { closure } from '../code.js';
import type { Delayed, HappensBefore } from '../marks.js';
import { delayingName, delayingStep, delayStore } from '../modular/delaying.js';
import type { Refutation } from '../modular/refute-attacks.js';
import { type Held, placeName } from '../modular/thread.js';
import type { Components } from './components.js';
import { PathSearch, Presence } from './path-search.js';
import type { PairRelation } from './relation.js';

/** A last load of an attack, and the first delayed store. */
interface End {
  readonly load: number;
  readonly address: number;
  readonly delayed: Delayed;
}

/**
 * Shows by a relation between pairs of components that attacks of one thread do not get from the
 * start to the end of their happens-before path ([BDM13] Fig. 4). From its first delayed store on
 * the attacker changes nothing that others see. So without its buffer and the marks that the path
 * leaves, every state that follows is one under SC in which the attacker stays where it was, at the
 * store: all its items are related pairwise.
 */
export class PairRefuter {
  readonly #components: Components;
  readonly #relation: PairRelation;
  readonly #attacker: number;
  readonly #happensBefore: HappensBefore;
  readonly #budget: Budget;

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

  /** Whether no attack from the store to one of the loads is feasible. May throw `Endless`. */
  refute(store: number, loads: ReadonlySet<number>): Refutation {
    const { transitions } = this.#components.threads[this.#attacker]!.code.thread;
    for (const stand of this.#standsAt(transitions[store]!.from)) {
      const presence = new Presence(this.#components, this.#relation, stand);
      const known = new Map<string, boolean | Exhausted>();
      for (const { load, address, delayed } of this.#ends(store, stand, presence)) {
        if (!loads.has(load)) continue;
        const name = [address, delayed.address, delayed.value].join();
        const path = new PathSearch(presence, address, delayed, this.#happensBefore);
        const meets = known.get(name) ?? path.meetsTarget(this.#budget);
        known.set(name, meets);
        if (typeof meets === 'string') return { kind: 'stopped', reason: meets };
        if (meets) return { kind: 'open', load };
      }
    }
    return { kind: 'refuted' };
  }

  /** The attacker's items at a location, those with the same registers together. */
  #standsAt(location: number): Iterable<readonly number[]> {
    const stands = new Map<string, number[]>();
    for (const number of this.#components.all[this.#attacker]!) {
      const { place } = this.#components.item(number);
      if (place?.location !== location) continue;
      const name = placeName(place);
      stands.set(name, [...(stands.get(name) ?? []), number]);
    }
    return stands.values();
  }

  /** All ways in which the attacker may do a last load. */
  #ends(store: number, stand: readonly number[], presence: Presence): readonly End[] {
    const attacker = this.#components.threads[this.#attacker]!;
    const { transitions } = attacker.code.thread;
    const numbers = new Map(transitions.map((transition, id) => [transition, id]));
    const { place } = this.#components.item(stand[0]!);
    const holds = (address: number): readonly Held[] =>
      presence.valuesOf(address).map((value) => ({ value, mark: undefined }));
    const ends: End[] = [];
    const starts = delayStore(attacker, place!, transitions[store]!, this.#happensBefore);
    closure(starts, delayingName, (state) =>
      attacker.code.leaving(state).flatMap((transition) => {
        const { next, loaded } = delayingStep(attacker, state, transition, holds);
        const { delayed } = state;
        if (loaded !== undefined)
          ends.push({ load: numbers.get(transition)!, address: loaded, delayed });
        return next;
      }),
    );
    return ends;
  }
}
