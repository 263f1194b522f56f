import type { Transition } from '../automata.js';
import type { Budget, Exhausted } from '../budget.js';
import { closure, type Code, type Local, localName } from '../code.js';
import { type Delayed, type HappensBefore, marksAfter } from '../marks.js';
import type { Invariant } from './invariant.js';
import { HelperIndex, MarkedCells } from './marked-cells.js';
import { type Place, placeName, unlessItFaults } from './thread.js';

/** The attacker between its first delayed store and its last load. */
interface Delaying extends Local {
  readonly own: readonly number[];
  /** The newest value for each address. */
  readonly buffer: ReadonlyMap<number, number>;
  readonly delayed: Delayed;
}

/** A last load of an attack, and what stays as it is from then on. */
interface End {
  readonly load: number;
  readonly address: number;
  /** What the attacker's own cells hold. */
  readonly own: readonly number[];
  readonly delayed: Delayed;
}

/** Whether the attacks from a store to some loads are infeasible. */
export type Refutation =
  | { readonly kind: 'refuted' }
  | { readonly kind: 'open'; readonly load: number }
  | { readonly kind: 'stopped'; readonly reason: Exhausted };

function delayingName({ own, buffer, delayed, ...local }: Delaying): string {
  const waiting = [...buffer].sort(([a], [b]) => a - b).map((store) => store.join('='));
  return [localName(local), own.join(), waiting.join(), delayed.address, delayed.value].join(';');
}

/** Ends of one name have the same paths. */
function pathName({ address, own, delayed }: End): string {
  return [address, own.join(), delayed.address, delayed.value].join(';');
}

/**
 * Shows by an invariant that attacks of one thread do not get from the start to the end of their
 * happens-before path ([BDM13] Fig. 4): the attacker goes on from its places at the store; then the
 * others from all their places, with all that cells may hold, and a mark on that of the load.
 */
export class AttackRefuter {
  readonly #invariant: Invariant;
  readonly #attacker: number;
  readonly #happensBefore: HappensBefore;
  readonly #budget: Budget;
  readonly #helpers: HelperIndex;
  /** Whether the target is met, by the name of the end. */
  readonly #known = new Map<string, boolean>();

  constructor(
    invariant: Invariant,
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

  /** Whether no attack from the store to one of the loads is feasible. May throw `Endless`. */
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

  /** All ways in which the attacker may do a last load. */
  #ends(store: number): readonly End[] {
    const { code } = this.#invariant.threads[this.#attacker]!;
    const { transitions } = code.thread;
    const numbers = new Map(transitions.map((transition, id) => [transition, id]));
    const starts = [...this.#invariant.places[this.#attacker]!.values()].flatMap((place) =>
      this.#startsAt(code, place, transitions[store]!),
    );
    const ends: End[] = [];
    closure(starts, delayingName, (state) =>
      code.leaving(state).flatMap((transition) => {
        const { next, lastLoad } = this.#step(code, state, transition);
        const { own, delayed } = state;
        if (lastLoad !== undefined)
          ends.push({ load: numbers.get(transition)!, address: lastLoad, own, delayed });
        return next;
      }),
    );
    return ends;
  }

  /** Where the attacker gets when it delays the store at a place, if it can. */
  #startsAt(
    code: Code,
    { location, registers, own }: Place,
    { from, to, instruction }: Transition,
  ): readonly Delaying[] {
    if (from !== location || instruction.kind !== 'store') return [];
    const address = unlessItFaults(() => code.addressOf(registers, instruction));
    const written = unlessItFaults(() => code.stored(registers, instruction));
    if (address === undefined || written === undefined) return [];
    const value = this.#happensBefore === 'value' ? written : 0;
    const buffer = new Map([[address, written]]);
    return [{ ...code.at(to, registers), own, buffer, delayed: { address, value } }];
  }

  /** What the attacker can do next, and the address that it loads from memory. */
  #step(
    code: Code,
    state: Delaying,
    transition: Transition,
  ): { readonly next: readonly Delaying[]; readonly lastLoad?: number } {
    const { instruction, to } = transition;
    const { registers, buffer } = state;
    const local = unlessItFaults(() => code.locally(state, transition) ?? 'none');
    if (local !== 'none') return { next: (local ?? []).map((at) => ({ ...state, ...at })) };
    // At all others the buffer has to be empty, and that is the end of the attack.
    if (instruction.kind !== 'store' && instruction.kind !== 'load') return { next: [] };
    const address = unlessItFaults(() => code.addressOf(registers, instruction));
    if (address === undefined) return { next: [] };
    if (instruction.kind === 'store') {
      const written = unlessItFaults(() => code.stored(registers, instruction));
      if (written === undefined) return { next: [] };
      const after = new Map(buffer).set(address, written);
      return { next: [{ ...state, ...code.at(to, registers), buffer: after }] };
    }
    const reading = (value: number): Delaying => ({
      ...state,
      ...code.at(to, registers.with(instruction.into, value)),
    });
    const early = buffer.get(address);
    if (early !== undefined) return { next: [reading(early)] };
    const own = this.#invariant.threads[this.#attacker]!.ownValue(state, address);
    const values =
      own === undefined ? this.#invariant.holds(address).map(({ value }) => value) : [own];
    return { next: values.map(reading), lastLoad: address };
  }

  /**
   * Whether the others may come from a last load to an access that the delayed store happens after.
   * Off the path nothing is done that is not on it from then on: it could as well be done before.
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
      const { thread, place, onPath: isOnPath } = helper;
      const stopped = this.#budget.spend();
      if (stopped !== undefined) return stopped;
      const context = { onPath: isOnPath, delayed };
      for (const move of threads[thread]!.moves(place, cells.readBy(helper), context)) {
        if (!move.isBehind) continue;
        if (move.hasMet) return true;
        for (const [cell, held] of move.cells) open.push(...cells.add(cell, held));
        if (!move.place) continue;
        const name = placeName(move.place);
        if (onPath[thread]!.has(name)) continue;
        onPath[thread]!.add(name);
        const full = this.#budget.spend(1);
        if (full !== undefined) return full;
        open.push({ thread, place: move.place, onPath: true });
      }
    }
    return false;
  }
}
