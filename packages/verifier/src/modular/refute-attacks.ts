import { type Delayed, marksAfter } from '../attack/marks.js';
import type { Budget, Exhausted } from '../budget.js';
import type { HappensBefore } from '../happens-before.js';
import type { ModularInvariant } from './invariant.js';
import { HelperIndex, MarkedCells } from './marked-cells.js';
import { standName } from './owning-thread.js';

/**
 * The last load of an attack, and what remains as it is in the third phase: the delayed store and
 * the attacker's own cells.
 */
interface End {
  readonly load: number;
  readonly address: number;
  /** The values of the attacker's own cells. */
  readonly own: readonly number[];
  readonly delayed: Delayed;
}

/**
 * The result of a refutation of the attacks from a store to some loads. `open`: the attack to
 * `load` is not refuted.
 */
export type Refutation =
  | { readonly kind: 'refuted' }
  | { readonly kind: 'open'; readonly load: number }
  | { readonly kind: 'stopped'; readonly reason: Exhausted };

/** Returns a name of an end; ends with equal names have equal third phases. */
function pathName({ address, own, delayed }: End): string {
  return [address, own.join(), delayed.address, delayed.value].join(';');
}

/**
 * Shows by an invariant that attacks of one thread are infeasible, as no happens-before path can be
 * completed ([BDM13] Fig. 4). The attacker continues from its places at the store up to the last
 * load. Then the helpers continue from all their places, with all possible values of cells, and
 * with a mark on the cell of the last load.
 */
export class AttackRefuter {
  readonly #invariant: ModularInvariant;
  readonly #attacker: number;
  readonly #happensBefore: HappensBefore;
  readonly #budget: Budget;
  readonly #helpers: HelperIndex;
  /** Whether helpers may complete the path, by name of the end. */
  readonly #known = new Map<string, boolean>();

  constructor(
    invariant: ModularInvariant,
    attacker: number,
    happensBefore: HappensBefore,
    budget: Budget,
  ) {
    this.#invariant = invariant;
    this.#attacker = attacker;
    this.#happensBefore = happensBefore;
    this.#budget = budget;
    this.#helpers = new HelperIndex(invariant, attacker);
  }

  /**
   * Returns whether no attack from the store to one of the loads is feasible. May throw `Endless`.
   */
  refute(store: number, loads: ReadonlySet<number>): Refutation {
    for (const end of this.#ends(store)) {
      if (!loads.has(end.load)) continue;
      const name = pathName(end);
      const meets = this.#known.get(name) ?? this.#meetsTarget(end);
      if (typeof meets === 'string') return { kind: 'stopped', reason: meets };
      this.#known.set(name, meets);
      if (meets) return { kind: 'open', load: end.load };
    }
    return { kind: 'refuted' };
  }

  /** Returns all last loads that the attacker may execute. */
  #ends(store: number): readonly End[] {
    const { holds, threads, places } = this.#invariant;
    const attacker = threads[this.#attacker]!;
    const { transitions } = attacker.code.thread;
    const ends: End[] = [];
    for (const { place, own } of places[this.#attacker]!.values())
      attacker.thread.attacks(
        attacker.thread.delay(place, transitions[store]!),
        attacker.knowing(own, holds),
        ({ delayed }, load, address) =>
          ends.push({ load: transitions.indexOf(load), address, own, delayed }),
      );
    return ends;
  }

  /**
   * Whether helpers may get from a last load to an access that happens before the delayed store. A
   * helper off the happens-before path takes only steps that put the helper on the path: any other
   * step could as well be taken before the load.
   */
  #meetsTarget({ address, own, delayed }: End): boolean | Exhausted {
    const { threads } = this.#invariant;
    const cells = new MarkedCells(this.#invariant, this.#helpers, this.#attacker, own);
    const onPath = threads.map(() => new Set<string>());
    const open = [
      ...cells.load(address, (value) => {
        return marksAfter(new Map(), { address, read: value }, this.#happensBefore).get(address)!;
      }),
    ];
    for (let helper = open.pop(); helper; helper = open.pop()) {
      const { thread, stand, onPath: isOnPath } = helper;
      const stopped = this.#budget.spend();
      if (stopped !== undefined) return stopped;
      const context = { onPath: isOnPath, delayed, passesHeavy: false };
      for (const move of threads[thread]!.moves(stand, cells.readBy(helper), context)) {
        if (!move.isBehind) continue;
        if (move.hasMet) return true;
        for (const [cell, held] of move.cells) open.push(...cells.add(cell, held));
        if (!move.stand) continue;
        const name = standName(move.stand);
        if (onPath[thread]!.has(name)) continue;
        onPath[thread]!.add(name);
        const full = this.#budget.spend(1);
        if (full !== undefined) return full;
        open.push({ thread, stand: move.stand, onPath: true });
      }
    }
    return false;
  }
}
