import type { Exhaustion } from '@fencewright/ground/base/budget.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Allowance } from './allowance.js';
import { AttackerSearch } from './attacker-search.js';
import { growFirstPhase } from './first-phase.js';
import type { SearchSession } from './search-session.js';
import type { SearchedAttacker } from './searched-attacker.js';
import type { WitnessEvidence } from './search-witness.js';

/**
 * The search for undecided attacks of one thread in a part of the program, in which only some
 * threads run. If the search finds nothing, this says nothing about the program.
 */
export class PartSearch {
  readonly #session: SearchSession;
  readonly #search: AttackerSearch;
  /** The number of states that each phase may have at the end of the next stage. */
  #stage: number;

  /**
   * Begins the search with the initial state. `whole` is the session of the whole program, and only
   * the threads `active` run; `onFeasible` receives the evidence of each attack found.
   */
  constructor(
    whole: SearchSession,
    active: readonly ThreadId[],
    attacker: SearchedAttacker,
    onFeasible: (evidence: WitnessEvidence) => void,
  ) {
    this.#session = whole.among(active);
    this.#session.start();
    this.#search = new AttackerSearch(this.#session, attacker, onFeasible);
    this.#stage = whole.reductions.firstStage;
  }

  /**
   * Whether nothing is left to search: all attacks are found, or all states of the part have been
   * searched.
   */
  get isDecided(): boolean {
    return this.#search.isDecided;
  }

  get states(): number {
    return this.#session.sequential.table.count + this.#search.states;
  }

  /** The number of bytes of the tables used only by this search with few threads. */
  get bytes(): number {
    return this.#session.ownBytes + this.#search.bytes;
  }

  /**
   * Searches the part to the end of its next stage; stages double in size. Returns the exhausted
   * limit, if any.
   */
  async advance({ budget, usage }: Omit<Allowance, 'stage'>): Promise<Exhaustion | undefined> {
    const allowance = { budget, usage, stage: this.#stage };
    const exhausted =
      (await growFirstPhase(this.#session.sequential, allowance)) ??
      (await this.#search.advance(allowance));
    if (!exhausted) this.#stage *= 2;
    return exhausted;
  }
}
