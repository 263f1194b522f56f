import type { Exhaustion } from '@fencewright/ground/base/budget.js';
import type { Allowance } from './allowance.js';
import { PartSearch } from './part-search.js';
import type { SearchSession } from './search-session.js';
import type { SearchedAttacker } from './searched-attacker.js';
import type { WitnessEvidence } from './search-witness.js';
import { threadSets } from './thread-sets.js';

/** The numbers of threads that run in a search with few threads, including the attacker. */
const sizes = [2, 3, 4] as const;
/** The number of stages by which searches with one more running thread start later. */
const stagesPerThread = 2;

/**
 * The number of searches with a certain number of running threads, each with another set of
 * threads, that have begun by the end of a stage. Stages are counted from the first stage of such
 * searches.
 */
function setsBegunIn(stage: number): number {
  return stage < 0 ? 0 : 2 ** (stage + 1) - 1;
}

function hasMore(group: {
  readonly parts: readonly PartSearch[];
  readonly areAllBegun: boolean;
}): boolean {
  return group.parts.length > 0 || !group.areAllBegun;
}

/**
 * Searches for the attacks of one thread with only one, two or three other threads running. A run
 * of a part of the program is a run of the program, so every attack found is feasible; no attack is
 * ever refuted. The sets of threads have turns in stages of doubling size; larger sets begin in
 * later stages. Of each size, one set begins in the first stage, two more in the second, four more
 * in the third. Threads often have similar code, so searching one set deeply beats searching all
 * sets a little.
 */
export class FewThreads {
  readonly #session: SearchSession;
  readonly #attacker: SearchedAttacker;
  readonly #onFeasible: (evidence: WitnessEvidence) => void;
  readonly #turns: Iterator<PartSearch, undefined>;
  /** The search with few running threads that has its turn now; `undefined` if none has. */
  #current: PartSearch | undefined;
  #isOver = false;
  /** The number of states of all searches with few threads except the current one. */
  #otherStates = 0;
  #otherBytes = 0;

  constructor(
    session: SearchSession,
    attacker: SearchedAttacker,
    onFeasible: (evidence: WitnessEvidence) => void,
  ) {
    this.#session = session;
    this.#attacker = attacker;
    this.#onFeasible = onFeasible;
    this.#turns = this.#parts();
  }

  get states(): number {
    return this.#otherStates + (this.#current?.states ?? 0);
  }

  /** The number of bytes of the tables of all searches with few threads. */
  get bytes(): number {
    return this.#otherBytes + (this.#current?.bytes ?? 0);
  }

  /**
   * Searches sets of threads until all attacks are found, nothing is left to search, or these
   * searches have stored `maxStates` states. Returns the exhausted limit, if any.
   */
  async advance({ budget, usage }: Allowance, maxStates: number): Promise<Exhaustion | undefined> {
    while (!this.#isOver && !this.#attacker.open.isEmpty && !usage.isOver) {
      const room = maxStates - this.states;
      if (room <= 0) break;
      const part = this.#current ?? this.#next();
      if (!part) break;
      const own = budget.capped(usage.states + room);
      const exhausted = await part.advance({ budget: own, usage });
      if (!exhausted) this.#leave(part);
      else if (exhausted !== 'states' || budget.exceededBy(usage.states, usage.bytes))
        return exhausted;
    }
    return undefined;
  }

  #next(): PartSearch | undefined {
    const part = this.#turns.next().value;
    if (!part) this.#isOver = true;
    else this.#count(part, -1);
    this.#current = part;
    return part;
  }

  #leave(part: PartSearch): void {
    this.#current = undefined;
    this.#count(part, 1);
    if (part.isDecided) this.#otherBytes -= part.bytes;
  }

  #count(part: PartSearch, sign: 1 | -1): void {
    this.#otherStates += sign * part.states;
    this.#otherBytes += sign * part.bytes;
  }

  /**
   * Yields the searches in the order of their turns, stage by stage. A search that has no undecided
   * attack left gets no further turn.
   */
  *#parts(): Generator<PartSearch, undefined> {
    const { length } = this.#session.program.threads;
    const groups = sizes
      .filter((size) => size < length)
      .map((size) => ({
        first: stagesPerThread * (size - 2),
        sets: this.#begin(size),
        begun: 0,
        parts: [] as PartSearch[],
        areAllBegun: false,
      }));
    for (let stage = 0; groups.some(hasMore); stage++)
      for (const group of groups) {
        const undecided: PartSearch[] = [];
        for (const part of group.parts) {
          yield part;
          if (!part.isDecided) undecided.push(part);
        }
        const end = setsBegunIn(stage - group.first);
        while (!group.areAllBegun && group.begun < end) {
          const part = group.sets.next().value;
          if (!part) group.areAllBegun = true;
          else {
            group.begun++;
            yield part;
            if (!part.isDecided) undecided.push(part);
          }
        }
        group.parts = undecided;
      }
    return undefined;
  }

  *#begin(size: number): Generator<PartSearch, undefined> {
    const { classes } = this.#session.automata;
    for (const active of threadSets(classes, this.#attacker.thread, size)) {
      const part = new PartSearch(this.#session, active, this.#attacker, this.#onFeasible);
      this.#count(part, 1);
      yield part;
    }
    return undefined;
  }
}
