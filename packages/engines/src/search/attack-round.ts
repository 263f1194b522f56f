import { at } from '@fencewright/ground/base/at.js';
import type { Budget, Exhaustion } from '@fencewright/ground/base/budget.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import { TableFull } from '@fencewright/ground/product/state-storage.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';
import type { DirectedWitness } from '../directed/directed-finder.js';
import type { Witness } from '@fencewright/model/verdict/verdict.js';
import type { Allowance } from './allowance.js';
import { AttackerSearch } from './attacker-search.js';
import { FewThreads } from './few-threads.js';
import { growFirstPhase } from './first-phase.js';
import {
  nextTurn,
  type AttackerProgress,
  type AttackerStates,
  type FoundAttack,
  type RoundOutcome,
  type Turn,
} from './round-outcome.js';
import type { SearchSession } from './search-session.js';
import { searchedAttacker, type AttackerJob } from './searched-attacker.js';
import type { WitnessEvidence } from './search-witness.js';
import { ShortestWitness } from './shortest-witness.js';

interface AttackRoundOptions {
  readonly stopAtFirst: boolean;
  /**
   * Whether a witness is built and replayed for every feasible attack, not only for attacks whose
   * witness may be the shortest.
   */
  readonly replayAll?: boolean;
  /**
   * Returns the number of states that other searches have stored for the same attacks; 0 by
   * default.
   */
  readonly statesOfOthers?: () => number;
  /** Called when the first attack is found, with all attacks known by then. */
  readonly onFound?: (outcome: FoundSoFar) => void;
}

/** The attacks and the shortest witness that are known when the first attack is found. */
export type FoundSoFar = Pick<RoundOutcome, 'found' | 'witness'>;

/** Returns whether the search for the attacks of an attacker may take the turn now. */
type TurnFilter = (turn: Turn, attacker: ThreadId) => boolean;

/**
 * An attacker with the searches for its attacks, and the numbers of states stored by these searches
 * after each turn of the attacker.
 */
interface Player {
  readonly thread: ThreadId;
  readonly few: FewThreads;
  readonly search: AttackerSearch;
  readonly statesAfter: AttackerStates[];
}

function statesOf({ few, search }: Player): AttackerStates {
  const { delayStates: delaying, pathStates: path } = search;
  return { delaying, path, fewThreads: few.states };
}

function progressOf(player: Player): AttackerProgress {
  const { thread, search, statesAfter } = player;
  const { finished: isFinished, isDecided } = search;
  const states = statesOf(player);
  return { thread, isFinished, isDecided, statesAfter: [...statesAfter], states };
}

/**
 * One search for feasible attacks. Its three phases (SC; the attacker delays stores; the
 * happens-before path) advance in stages of doubling size, so that shallow attacks are found fast
 * even in infinite state spaces. Every attacker has a turn in each stage.
 */
export class AttackRound {
  readonly #session: SearchSession;
  readonly #players: readonly Player[];
  readonly #stopAtFirst: boolean;
  readonly #replayAll: boolean;
  #onFound: AttackRoundOptions['onFound'];
  #found: FoundAttack[] = [];
  #shortest: ShortestWitness;
  #turn: Turn = 0;
  readonly #statesOfOthers: () => number;
  /**
   * Whether a table became full during a turn. The table stays full, so the rest of the turn cannot
   * be made up for later.
   */
  #isFull = false;
  /**
   * For each stage that is complete, the number of states that the first phase had at the end of
   * the stage.
   */
  readonly #firstPhaseAfter: number[] = [];

  constructor(
    session: SearchSession,
    jobs: readonly AttackerJob[],
    { stopAtFirst, replayAll = false, statesOfOthers = () => 0, onFound }: AttackRoundOptions,
  ) {
    this.#statesOfOthers = statesOfOthers;
    this.#onFound = onFound;
    this.#session = session;
    this.#stopAtFirst = stopAtFirst;
    this.#replayAll = replayAll;
    this.#shortest = this.#createShortest();
    this.#players = jobs.map((job) => {
      const attacker = searchedAttacker(session, job);
      return {
        thread: job.thread,
        few: new FewThreads(session, attacker, (evidence) => this.#note(evidence, 'few-threads')),
        search: new AttackerSearch(session, attacker, (evidence) => this.#note(evidence, 'search')),
        statesAfter: [],
      };
    });
  }

  /**
   * The attackers for which something is left to do: some attack is undecided, and some states are
   * not searched yet.
   */
  get openAttackers(): readonly ThreadId[] {
    return this.#players.filter(({ search }) => !search.isDecided).map(({ thread }) => thread);
  }

  /** The feasible attacks; the attacker of each stands for all threads with equal code. */
  get found(): readonly Attack[] {
    return this.#found.map(({ attack }) => attack);
  }

  /** The shortest witness found; among equally short witnesses, the first. */
  get witness(): Witness | undefined {
    return this.#shortest.best?.witness;
  }

  /**
   * The number of states stored by the three phases of this search, and by other searches for the
   * same attacks. The states of the first phase are in the session.
   */
  get states(): number {
    return this.#session.sequential.table.count + this.#statesOfOthers() + this.ownStates;
  }

  /**
   * The number of states that the searches for attacks of the attackers have stored in this round,
   * without the first phase.
   */
  get ownStates(): number {
    return this.#players.reduce((sum, { few, search }) => sum + few.states + search.states, 0);
  }

  /** The number of bytes of all tables of the search. */
  get bytes(): number {
    let bytes = this.#session.bytes;
    for (const { few, search } of this.#players) bytes += few.bytes + search.bytes;
    return bytes;
  }

  /**
   * The number of the turn that is taken next; `Infinity` if no attacker has anything left to do.
   */
  get nextTurn(): Turn {
    return this.#next(() => true) ? this.#turn : Infinity;
  }

  /** Updates the open attacks; to be called after attacks were refuted without a search. */
  refresh(): void {
    for (const { search } of this.#players) search.refresh();
  }

  /** Whether this search still has to decide an attack of a thread. */
  isOpen(attack: Attack): boolean {
    return this.#players.some(({ search }) => search.isOpen(attack));
  }

  /**
   * Receives an attack that a directed search found before `turn`, with the steps of an execution.
   */
  receive({ attack, steps }: DirectedWitness, turn: Turn): void {
    this.#turn = turn;
    this.close([attack]);
    this.#add(attack, 'directed', () => this.#shortest.offerSchedule(attack, steps, turn));
  }

  /**
   * Closes attacks that another search has found to be feasible, so that this search no longer
   * looks for them.
   */
  close(attacks: readonly Attack[]): void {
    for (const attack of attacks)
      this.#players.find(({ thread }) => thread === attack.thread)?.search.close(attack);
  }

  /** Whether one attack is enough, and was found in the present turn. */
  get isOver(): boolean {
    return this.#stopAtFirst && this.#found[0]?.turn === this.#turn;
  }

  /** Returns the outcome as plain data, ready for merging with the outcomes of other searches. */
  outcome(exhausted?: Exhaustion): RoundOutcome {
    const { automata, sequential } = this.#session;
    const { best } = this.#shortest;
    return {
      attackers: this.#players.map(progressOf),
      firstPhase: { statesAfter: [...this.#firstPhaseAfter], states: sequential.table.count },
      found: this.#found,
      ...(best && { witness: best }),
      ...(exhausted && { exhausted }),
      isEndless: automata.isEndless(),
      faults: automata.faults(),
    };
  }

  /**
   * Runs until everything is decided, no remaining turn passes the filter, or the budget is used
   * up.
   */
  async run(budget: Budget, takes: TurnFilter = () => true): Promise<Exhaustion | undefined> {
    if (this.#isFull) return 'memory';
    try {
      return await this.#takeTurns(budget, takes);
    } catch (error) {
      if (!(error instanceof TableFull)) throw error;
      this.#isFull = true;
      return 'memory';
    }
  }

  async #takeTurns(budget: Budget, takes: TurnFilter): Promise<Exhaustion | undefined> {
    const { firstStage } = this.#session.reductions;
    this.#session.start();
    for (;;) {
      const player = this.#next(takes);
      if (!player) return this.#isCutOff ? 'states' : undefined;
      const stage = player.statesAfter.length;
      const allowance = { budget, stage: firstStage * 2 ** stage, usage: this };
      const exhausted =
        (await this.#growFirstPhase(stage, allowance)) ??
        (await this.#searchParts(player, stage, allowance)) ??
        (await player.search.advance(allowance));
      if (exhausted) return exhausted;
      player.statesAfter.push(statesOf(player));
    }
  }

  /**
   * Searches parts of the program, in which only a few threads run, for attacks of one attacker.
   * These searches may store a fixed fraction of the states that the search of the whole program
   * has stored for this attacker. Returns the exhausted limit, if any.
   */
  async #searchParts(
    { few, search }: Player,
    stage: number,
    allowance: Allowance,
  ): Promise<Exhaustion | undefined> {
    const { stages, reductions } = this.#session;
    const { share, fromStage } = reductions.fewThreadsShare;
    if (!stages.fewThreads || stage < fromStage) return undefined;
    return few.advance(allowance, share * (at(this.#firstPhaseAfter, stage) + search.states));
  }

  /**
   * Whether the search is complete except for the states after local computations that do not end,
   * and attacks are still undecided.
   */
  get #isCutOff(): boolean {
    if (this.#stopAtFirst && this.#found.length > 0) return false;
    if (!this.#session.automata.isEndless()) return false;
    return (
      this.#players.every(({ search }) => search.isDecided) &&
      this.#players.some(({ search }) => !search.finished)
    );
  }

  /**
   * Returns the attacker that has the next turn, of those that `takes` allows; `undefined` if none
   * has anything left to do.
   */
  #next(takes: TurnFilter): Player | undefined {
    const threads = this.#session.program.threads.length;
    const last = this.#stopAtFirst ? (this.#found[0]?.turn ?? Infinity) : Infinity;
    let next: Player | undefined;
    let least = last;
    for (const player of this.#players) {
      const progress = progressOf(player);
      const turn = nextTurn(progress, threads);
      if (progress.isDecided || turn >= least || !takes(turn, player.thread)) continue;
      least = turn;
      next = player;
    }
    this.#turn = least;
    return next;
  }

  #note(evidence: WitnessEvidence, settledBy: FoundAttack['settledBy']): void {
    this.#add(evidence.attack, settledBy, () => this.#shortest.offer(evidence, this.#turn));
  }

  #add(attack: Attack, settledBy: FoundAttack['settledBy'], offer: () => void): void {
    const turn = this.#turn;
    // If only the first attack counts, an attack of an earlier turn replaces the attacks known so
    // far.
    if (this.#stopAtFirst && !this.isOver) {
      this.#found = [];
      this.#shortest = this.#createShortest();
    }
    this.#found.push({ attack, turn, settledBy });
    offer();
    const { best } = this.#shortest;
    this.#onFound?.({ found: this.#found, ...(best && { witness: best }) });
    this.#onFound = undefined;
  }

  #createShortest(): ShortestWitness {
    const { program, happensBefore } = this.#session;
    return new ShortestWitness(program, happensBefore, this.#replayAll);
  }

  /**
   * Explores the first phase to the end of a stage; does nothing if another attacker has already
   * explored the stage.
   */
  async #growFirstPhase(number: number, allowance: Allowance): Promise<Exhaustion | undefined> {
    if (number < this.#firstPhaseAfter.length) return undefined;
    const { sequential } = this.#session;
    const exhausted = await growFirstPhase(sequential, allowance);
    if (exhausted) return exhausted;
    this.#firstPhaseAfter.push(sequential.table.count);
    return undefined;
  }
}
