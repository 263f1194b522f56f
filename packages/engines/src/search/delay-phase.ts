import type { TransitionId } from '@fencewright/model/program/ids.js';
import type { ProductSearch } from '@fencewright/ground/product/product-search.js';
import type { AttackerAutomaton, DelayedLoad } from '../automata/attacker-automaton.js';

/**
 * The first delayed store: in which state of the first phase, by the thread at which place, at
 * which node and action; and how the attacker goes on.
 */
export interface DelayStart {
  readonly state: number;
  readonly place: number;
  readonly node: number;
  readonly action: number;
  /** Index into what `AttackerAutomaton.enter` returns. */
  readonly entry: number;
}

/** A start and the attacker's first load from memory, which is not its last. */
interface DelaySeed extends DelayStart {
  readonly firstLoad: { readonly action: number; readonly outcome: number };
}

/** Integers that a seed takes. */
const seedSize = 7;

/** A list of seeds that costs little: there may be as many as states of the first phase. */
export class DelaySeeds {
  length = 0;
  #fields = new Int32Array(16 * seedSize);

  push({ state, place, node, action, entry, firstLoad }: DelaySeed): void {
    const at = seedSize * this.length++;
    if (at === this.#fields.length) {
      const larger = new Int32Array(2 * at);
      larger.set(this.#fields);
      this.#fields = larger;
    }
    const fields = this.#fields;
    fields[at] = state;
    fields[at + 1] = place;
    fields[at + 2] = node;
    fields[at + 3] = action;
    fields[at + 4] = entry;
    fields[at + 5] = firstLoad.action;
    fields[at + 6] = firstLoad.outcome;
  }

  at(index: number): DelaySeed | undefined {
    if (index < 0 || index >= this.length) return undefined;
    const from = seedSize * index;
    const [state = 0, place = 0, node = 0, action = 0, entry = 0, load = 0, outcome = 0] =
      this.#fields.subarray(from, from + seedSize);
    return { state, place, node, action, entry, firstLoad: { action: load, outcome } };
  }
}

/** The second phase of all attacks that begin with one store. */
export class DelayPhase {
  readonly search: ProductSearch;
  /** How its initial states came about; the parent of the `k`-th is `-1 - k`. */
  readonly seeds = new DelaySeeds();
  /** States looked at for last loads. */
  scanned = 0;
  readonly #attacker: AttackerAutomaton;
  readonly #isOpen: (load: TransitionId) => boolean;
  /** Indexed by the attacker's node. */
  #openLoads: (readonly DelayedLoad[] | undefined)[] = [];

  /** `isOpen` tells of loads whether they complete an attack that is still to be decided. */
  constructor(
    search: ProductSearch,
    attacker: AttackerAutomaton,
    isOpen: (load: TransitionId) => boolean,
  ) {
    this.search = search;
    this.#attacker = attacker;
    this.#isOpen = isOpen;
  }

  /**
   * The loads from memory and postings that wait at a node of the attacker and would complete an
   * attack that is still to be decided.
   */
  openLoads(node: number): readonly DelayedLoad[] {
    return (this.#openLoads[node] ??= this.#attacker
      .loads(node)
      .filter(({ transition, isEnd }) => isEnd && this.#isOpen(transition)));
  }

  /** To be called when an attack has been decided. */
  forget(): void {
    this.#openLoads = [];
  }
}
