import type { TransitionId } from '@fencewright/model/program/ids.js';
import type { ProductSearch } from '@fencewright/ground/product/product-search.js';
import type { AttackerAutomaton, DelayedLoad } from '../automata/attacker-automaton.js';

/**
 * The first delayed store, and the attacker's continuation: `state` of the first phase, `place` of
 * the storing thread, its `node` and `action`.
 */
export interface DelayStart {
  readonly state: number;
  readonly place: number;
  readonly node: number;
  readonly action: number;
  /** Index into the result of `AttackerAutomaton.enter`. */
  readonly entry: number;
}

/** A start with the attacker's first load from memory, if that load is not the last. */
interface DelaySeed extends DelayStart {
  readonly firstLoad: { readonly action: number; readonly outcome: number };
}

/** The number of integers of a seed. */
const seedSize = 7;

/** A compact list of seeds: seeds may be as many as states of the first phase. */
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
  /** Origins of the initial states; the parent of the `k`-th is `-1 - k`. */
  readonly seeds = new DelaySeeds();
  /** The number of states scanned for last loads. */
  scanned = 0;
  readonly #attacker: AttackerAutomaton;
  readonly #isOpen: (load: TransitionId) => boolean;
  /** Indexed by the attacker's node. */
  #openLoads: (readonly DelayedLoad[] | undefined)[] = [];

  /** `isOpen` tells whether a load completes an undecided attack. */
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
   * Returns the loads from memory and postings at a node of the attacker that would complete an
   * undecided attack.
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
