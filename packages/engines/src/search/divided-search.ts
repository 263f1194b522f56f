import { Budget, type Exhaustion, type Progress } from '@fencewright/ground/base/budget.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { AttackRound, FoundSoFar } from './attack-round.js';
import type { AttackerPart, AttackerPool } from './attacker-part.js';
import { firstFound, nextTurn, type AttackerProgress, type RoundOutcome } from './round-outcome.js';

/** The outcomes of the main search, and of the searches that took over attackers. */
interface DividedOutcome {
  readonly own: RoundOutcome;
  readonly others: readonly RoundOutcome[];
  /** The peak number of bytes of all tables of these searches. */
  readonly bytes: number;
}

/**
 * Divides attackers among groups, one attacker to each group in turn. Neighbouring attackers take
 * about equally many states, so the groups do as well; the number of states stored so far predicts
 * less. The first group is never smaller than another.
 */
function deal(attackers: readonly AttackerProgress[], parts: number): readonly ThreadId[][] {
  const groups = Array.from({ length: parts }, (): ThreadId[] => []);
  attackers.forEach(({ thread }, place) => groups[place % parts]?.push(thread));
  return groups;
}

/**
 * Returns a function for each of `parts` parallel searches, which the search calls with its
 * progress. Each call reports the sums over all searches.
 */
function addUp(
  parts: number,
  report: (states: number, memory: number) => void,
): readonly ((progress: Progress) => void)[] {
  const told = Array.from({ length: parts }, () => ({ states: 0, memory: 0 }));
  return told.map((own) => ({ states, memory }) => {
    Object.assign(own, { states, memory });
    report(
      told.reduce((sum, one) => sum + one.states, 0),
      told.reduce((sum, one) => sum + one.memory, 0),
    );
  });
}

/**
 * A search that has handed over attackers to the pool, and searches the remaining attackers
 * meanwhile.
 */
class DividedSearch {
  readonly #round: AttackRound;
  readonly #pool: AttackerPool;
  readonly #budget: Budget;
  readonly #part: Omit<AttackerPart, 'attackers'>;
  readonly #onFound: (outcome: FoundSoFar) => void;
  readonly #stop = new AbortController();
  readonly #others: RoundOutcome[] = [];
  #bytes = 0;

  constructor(
    round: AttackRound,
    pool: AttackerPool,
    budget: Budget,
    part: Omit<AttackerPart, 'attackers'>,
    onFound: (outcome: FoundSoFar) => void,
  ) {
    this.#onFound = onFound;
    this.#round = round;
    this.#pool = pool;
    this.#budget = budget;
    this.#part = part;
  }

  async run(open: readonly AttackerProgress[]): Promise<DividedOutcome> {
    const groups = deal(open, Math.min(open.length, this.#pool.threads + 1));
    const { signal, ...limits } = this.#budget.share(groups.length);
    const tell = addUp(groups.length, (states, memory) => this.#budget.report(states, memory));
    const stop = (): void => this.#stop.abort();
    signal?.addEventListener('abort', stop);
    if (signal?.aborted) stop();
    const [mine = [], ...theirs] = groups;
    const others = theirs.map((attackers, i) =>
      this.#handOver(attackers, { ...limits, onProgress: tell[i + 1]! }),
    );
    const budget = new Budget({ ...limits, ...(signal && { signal }), onProgress: tell[0]! });
    const exhausted = await this.#round.run(
      budget,
      (turn, thread) => mine.includes(thread) && turn < this.#last,
    );
    if (this.#last < Infinity) stop();
    await Promise.all(others);
    signal?.removeEventListener('abort', stop);
    const unfinished = await this.#takeBack(exhausted);
    return {
      own: this.#round.outcome(unfinished),
      others: this.#others,
      bytes: this.#bytes + budget.mostBytes,
    };
  }

  /**
   * The last turn that counts for the result. The searches have to complete all turns up to this
   * one, and later turns are ignored.
   */
  get #last(): number {
    if (!this.#part.stopAtFirst) return Infinity;
    return firstFound([this.#round.outcome(), ...this.#others]);
  }

  async #handOver(
    attackers: readonly ThreadId[],
    limits: Parameters<AttackerPool['search']>[1],
  ): Promise<void> {
    try {
      const part = { ...this.#part, attackers };
      const { outcome, bytes } = await this.#pool.search(part, {
        ...limits,
        signal: this.#stop.signal,
      });
      this.#others.push(outcome);
      if (outcome.found.length > 0) this.#onFound(outcome);
      this.#bytes += bytes;
      if (this.#last < Infinity) this.#stop.abort();
    } catch {
      // The attackers of a failed search are taken back.
    }
  }

  /**
   * Searches for the attacks of the attackers that the pool has left unfinished. If the main search
   * ran out of memory, then also continues the main search. Returns the exhausted limit, if any.
   */
  async #takeBack(exhausted: Exhaustion | undefined): Promise<Exhaustion | undefined> {
    if (exhausted === 'time' || exhausted === 'cancelled') return exhausted;
    const last = this.#last;
    const threads = this.#part.program.threads.length;
    const settled = new Set(
      this.#others
        .flatMap(({ attackers }) => attackers)
        .filter((progress) => progress.isDecided || nextTurn(progress, threads) > last)
        .map(({ thread }) => thread),
    );
    return this.#round.run(this.#budget, (turn, thread) => turn < last && !settled.has(thread));
  }
}

/**
 * Runs a search for attacks until the pool asks for attackers, and then divides the attackers. The
 * pool's searches start from the beginning: each repeats the first phase, so that no data have to
 * be handed over. The main search goes on with its own attackers, and then does the work that the
 * pool could not do, so that the result does not depend on the time of the division. Returns
 * `undefined` if the result might depend on this time: if a thread computes without end, the
 * attackers depend on each other. `onFound` receives the attacks that the pool finds.
 */
export async function runDivided(
  round: AttackRound,
  pool: AttackerPool,
  budget: Budget,
  part: Omit<AttackerPart, 'attackers'>,
  onFound: (outcome: FoundSoFar) => void,
): Promise<DividedOutcome | undefined> {
  let isDue = false;
  const alone = await round.run(budget, () => !(isDue ||= pool.isDue(budget.milliseconds)));
  const outcome = round.outcome(alone);
  const open = outcome.attackers.filter(({ isDecided }) => !isDecided);
  if (alone || !isDue || open.length < 2 || outcome.isEndless) {
    const exhausted = alone ?? (await round.run(budget));
    return { own: round.outcome(exhausted), others: [], bytes: round.bytes };
  }
  const divided = await new DividedSearch(round, pool, budget, part, onFound).run(open);
  const { own, others } = divided;
  const isExact = ![own, ...others].some(({ isEndless }) => isEndless);
  return isExact || own.exhausted === 'time' || own.exhausted === 'cancelled' ? divided : undefined;
}
