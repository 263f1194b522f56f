import type { Budget, Exhausted } from '../budget.js';
import type { OwningThread, Stand } from './owning-thread.js';
import { type End, PathSearch, type Situation } from './path-search.js';

/** A cover of all states under SC, as far as refutations of attacks need it. */
export interface AttackCover<S extends Stand> {
  readonly threads: readonly OwningThread[];
  /** Returns all situations in which the attacker is at a location. */
  situations(attacker: number, location: number): Iterable<Situation<S>>;
}

/**
 * The result of trying to refute the attacks from a store to some loads. `open`: the attack with
 * the load `load` is not refuted.
 */
export type Refutation =
  | { readonly kind: 'refuted' }
  | { readonly kind: 'open'; readonly load: number }
  | { readonly kind: 'stopped'; readonly reason: Exhausted };

/**
 * A situation, with the last loads that the attacker can reach from the situation once its store is
 * delayed.
 */
interface Attack<S extends Stand> {
  readonly situation: Situation<S>;
  readonly ends: readonly End[];
}

/**
 * Shows by a cover that attacks are infeasible, as no happens-before path can be
 * completed ([BDM13] Fig. 4). The attacker continues from its places at the store up to the last
 * load. Then the helpers continue from all their places, with all possible values of cells, and
 * with a mark on the cell of the last load.
 */
export class AttackRefuter<S extends Stand> {
  readonly #cover: AttackCover<S>;
  readonly #budget: Budget;
  /** The attacks computed so far, by attacker and store. */
  readonly #attacks = new Map<string, readonly Attack<S>[]>();
  /**
   * By attacker, name of the situation, and end (the last load and the first delayed store):
   * whether helpers may complete the happens-before path.
   */
  readonly #known = new Map<string, boolean>();

  constructor(cover: AttackCover<S>, budget: Budget) {
    this.#cover = cover;
    this.#budget = budget;
  }

  /**
   * Tries to refute all attacks of a thread from the store to one of the loads: the answer names a
   * load whose attack may be feasible, or says that the budget is used up. Throws `Endless` if a
   * list of states or values is infinite or too long.
   */
  refute(attacker: number, store: number, loads: ReadonlySet<number>): Refutation {
    const from = `${attacker};${store}`;
    const attacks = this.#attacks.get(from) ?? this.#attacksFrom(attacker, store);
    if (typeof attacks === 'string') return { kind: 'stopped', reason: attacks };
    this.#attacks.set(from, attacks);
    const { thread } = this.#cover.threads[attacker]!;
    for (const { situation, ends } of attacks)
      for (const end of ends) {
        if (!loads.has(end.load)) continue;
        const { address, delayed } = end;
        const name = [attacker, situation.name, address, delayed.address, delayed.value].join(';');
        const meets =
          this.#known.get(name) ?? new PathSearch(situation, thread, end).meetsTarget(this.#budget);
        if (typeof meets === 'string') return { kind: 'stopped', reason: meets };
        this.#known.set(name, meets);
        if (meets) return { kind: 'open', load: end.load };
      }
    return { kind: 'refuted' };
  }

  #attacksFrom(attacker: number, store: number): readonly Attack<S>[] | Exhausted {
    const { thread, code } = this.#cover.threads[attacker]!;
    const { transitions } = code.thread;
    const attacks: Attack<S>[] = [];
    for (const situation of this.#cover.situations(attacker, transitions[store]!.from)) {
      const stopped = this.#budget.spend();
      if (stopped !== undefined) return stopped;
      const ends: End[] = [];
      thread.attacks(
        thread.delay(situation.place, transitions[store]!),
        (address) => situation.valuesOf(address).map((value) => ({ value, mark: undefined })),
        ({ delayed }, load, address) =>
          ends.push({ load: transitions.indexOf(load), address, delayed }),
      );
      attacks.push({ situation, ends });
    }
    return attacks;
  }
}
