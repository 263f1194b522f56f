import type { TransitionId } from '@fencewright/model/program/ids.js';
import type { ProductSearch } from '@fencewright/ground/product/product-search.js';
import type { AttackerAutomaton, DelayedLoad } from '../automata/attacker-automaton.js';

/**
 * The start of an attack: the `state` of the first phase, the position (`place`) of the attacker in
 * the state, its `node`, and the `action` that is the first delayed store.
 */
export interface DelayStart {
  readonly state: number;
  readonly place: number;
  readonly node: number;
  readonly action: number;
  /** The position of the attacker's next node in the result of `AttackerAutomaton.enter`. */
  readonly entry: number;
}

/**
 * The begin of an attack up to the first load from memory after the first delayed store; this load
 * is not the attack's last load.
 */
interface DelaySeed extends DelayStart {
  readonly firstLoad: { readonly action: number; readonly outcome: number };
}

/** The number of integers that represent a `DelaySeed` in the list. */
const seedSize = 7;

/**
 * A compact list of the begins of attacks (`DelaySeed`) from which the initial states of the second
 * phase come. The list may be as long as the list of first-phase states.
 */
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

/** The second phase of the search for all attacks with a given first store. */
export class DelayPhase {
  readonly search: ProductSearch;
  /**
   * The begins of attacks from which the phase's initial states come. The initial state with index
   * `k` has the parent `-1 - k` in the search.
   */
  readonly seeds = new DelaySeeds();
  /**
   * The number of states of the phase, from the first on, in which the search has looked for last
   * loads.
   */
  scanned = 0;
  readonly #attacker: AttackerAutomaton;
  readonly #isOpen: (load: TransitionId) => boolean;
  /** The loads that complete open attacks, indexed by the attacker's node; cached. */
  #openLoads: (readonly DelayedLoad[] | undefined)[] = [];

  /**
   * Creates the phase; `isOpen` returns whether a load completes an attack that is still to be
   * decided.
   */
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
   * Returns the loads from memory and postings for which the attacker waits at a node and which
   * would complete an open attack.
   */
  openLoads(node: number): readonly DelayedLoad[] {
    return (this.#openLoads[node] ??= this.#attacker
      .loads(node)
      .filter(({ transition, isEnd }) => isEnd && this.#isOpen(transition)));
  }

  /** Removes the cached open loads; to be called when an attack has been decided. */
  forget(): void {
    this.#openLoads = [];
  }
}
