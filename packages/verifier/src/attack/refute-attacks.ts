import type { Budget, Exhausted } from '../budget.js';
import type { PairCover, Presence } from '../pairs/presence.js';
import { type End, PathSearch } from './path-search.js';

/**
 * The result of trying to refute the attacks from a store to some loads. `open`: the attack with
 * the load `load` is not refuted.
 */
export type Refutation =
  | { readonly kind: 'refuted' }
  | { readonly kind: 'open'; readonly load: number }
  | { readonly kind: 'stopped'; readonly reason: Exhausted };

/**
 * A presence, with the last loads that the attacker can reach from its place once its store is
 * delayed.
 */
interface Attack {
  readonly presence: Presence;
  readonly ends: readonly End[];
}

/**
 * Shows by a cover that attacks are infeasible, as no happens-before path can be
 * completed ([BDM13] Fig. 4). The attacker continues from its places at the store up to the last
 * load. Then the helpers continue from all their places, with all possible values of cells, and
 * with a mark on the cell of the last load.
 */
export class AttackRefuter {
  readonly #cover: PairCover;
  readonly #budget: Budget;
  /** The attacks computed so far, by attacker and store. */
  readonly #attacks = new Map<string, readonly Attack[]>();
  /**
   * By attacker, name of the attacker's place, and end (the last load and the first delayed store):
   * whether helpers may complete the happens-before path.
   */
  readonly #known = new Map<string, boolean>();

  constructor(cover: PairCover, budget: Budget) {
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
    const { threads } = this.#cover.components;
    for (const { presence, ends } of attacks)
      for (const end of ends) {
        if (!loads.has(end.load)) continue;
        const { address, delayed } = end;
        const name = [attacker, presence.place.name, address, delayed.address, delayed.value].join(
          ';',
        );
        const meets =
          this.#known.get(name) ??
          new PathSearch(presence, threads, attacker, end).meetsTarget(this.#budget);
        if (typeof meets === 'string') return { kind: 'stopped', reason: meets };
        this.#known.set(name, meets);
        if (meets) return { kind: 'open', load: end.load };
      }
    return { kind: 'refuted' };
  }

  #attacksFrom(attacker: number, store: number): readonly Attack[] | Exhausted {
    const thread = this.#cover.components.threads[attacker]!;
    const { transitions } = thread.code.thread;
    const attacks: Attack[] = [];
    for (const presence of this.#cover.presences(attacker, transitions[store]!.from)) {
      const stopped = this.#budget.spend();
      if (stopped !== undefined) return stopped;
      const ends: End[] = [];
      thread.attacks(
        thread.delay(presence.place, transitions[store]!),
        (address) => presence.valuesOf(address).map((value) => ({ value, mark: undefined })),
        ({ delayed }, load, address) =>
          ends.push({ load: transitions.indexOf(load), address, delayed }),
      );
      attacks.push({ presence, ends });
    }
    return attacks;
  }
}
