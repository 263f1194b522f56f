import type { Budget, Exhaustion } from '../base/budget.js';
import type { ThreadId } from '../program/ids.js';
import { TableFull } from '../product/state-storage.js';
import type { Attack } from '../verdict/attack.js';
import type { Witness } from '../verdict/verdict.js';
import type { Allowance } from './allowance.js';
import { AttackerSearch, type AttackerJob } from './attacker-search.js';
import {
  nextTurn,
  type AttackerProgress,
  type FoundAttack,
  type RoundOutcome,
  type Turn,
} from './round-outcome.js';
import type { SearchSession } from './search-session.js';
import type { WitnessEvidence } from './search-witness.js';
import { ShortestWitness } from './shortest-witness.js';

export interface AttackRoundOptions {
  readonly stopAtFirst: boolean;
  /**
   * Build and replay a witness for every feasible attack, not only where it can be the shortest.
   */
  readonly replayAll?: boolean;
}

/** Whether an attacker's turn is to be taken now. */
export type TurnFilter = (turn: Turn, attacker: ThreadId) => boolean;

const statesPerCheckpoint = 4096;

/** An attacker and the states that it had after each of its turns. */
interface Player {
  readonly thread: ThreadId;
  readonly search: AttackerSearch;
  readonly statesAfter: number[];
}

function progressOf({ thread, search, statesAfter }: Player): AttackerProgress {
  const { finished: isFinished, isDecided, states } = search;
  return { thread, isFinished, isDecided, statesAfter: [...statesAfter], states };
}

/**
 * One search for feasible attacks. The three phases advance in stages that double, so that what is
 * found early is found fast, also where there are infinitely many states; in each stage every
 * attacker has a turn.
 */
export class AttackRound {
  readonly #session: SearchSession;
  readonly #players: readonly Player[];
  readonly #stopAtFirst: boolean;
  readonly #replayAll: boolean;
  #found: FoundAttack[] = [];
  #shortest: ShortestWitness;
  #turn: Turn = 0;
  /**
   * Whether a table took no more states in the middle of a turn, of which the rest is missing for
   * good.
   */
  #isFull = false;
  /** Indexed by stage: the states of the first phase. */
  readonly #firstPhaseAfter: number[] = [];

  constructor(
    session: SearchSession,
    jobs: readonly AttackerJob[],
    { stopAtFirst, replayAll = false }: AttackRoundOptions,
  ) {
    this.#session = session;
    this.#stopAtFirst = stopAtFirst;
    this.#replayAll = replayAll;
    this.#shortest = this.#createShortest();
    this.#players = jobs.map((job) => ({
      thread: job.thread,
      search: new AttackerSearch(session, job, (evidence) => this.#note(evidence)),
      statesAfter: [],
    }));
  }

  /** The feasible attacks, of threads that stand for their classes. */
  get found(): readonly Attack[] {
    return this.#found.map(({ attack }) => attack);
  }

  /** The shortest witness of the attacks that were found, the first of them among equals. */
  get witness(): Witness | undefined {
    return this.#shortest.best?.witness;
  }

  /** States of all phases; those of the first are the session's. */
  get states(): number {
    let states = this.#session.sequential.table.count;
    for (const { search } of this.#players) states += search.states;
    return states;
  }

  /** Bytes of all tables. */
  get bytes(): number {
    let bytes = this.#session.bytes;
    for (const { search } of this.#players) bytes += search.bytes;
    return bytes;
  }

  /** The turn that is next; `Infinity` where nothing is left to do. */
  get nextTurn(): Turn {
    return this.#next(() => true) ? this.#turn : Infinity;
  }

  /** To be called when attacks have been refuted without a search. */
  refresh(): void {
    for (const { search } of this.#players) search.refresh();
  }

  /** Whether the turn that is being taken has found what the round looks for. */
  get isOver(): boolean {
    return this.#stopAtFirst && this.#found[0]?.turn === this.#turn;
  }

  /** Plain data, for others to put together. */
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
   * Runs until everything is decided, nothing that is left passes the filter, or the budget is used
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
        (await this.#growFirstPhase(stage, allowance)) ?? (await player.search.advance(allowance));
      if (exhausted) return exhausted;
      player.statesAfter.push(player.search.states);
    }
  }

  /** Whether nothing is left to do but what lies behind endless local computations. */
  get #isCutOff(): boolean {
    if (this.#stopAtFirst && this.#found.length > 0) return false;
    if (!this.#session.automata.isEndless()) return false;
    return (
      this.#players.every(({ search }) => search.isDecided) &&
      this.#players.some(({ search }) => !search.finished)
    );
  }

  /** Whose turn is next. */
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

  #note(evidence: WitnessEvidence): void {
    const turn = this.#turn;
    // If only the first is looked for, one in an earlier turn takes the place of what is there.
    if (this.#stopAtFirst && !this.isOver) {
      this.#found = [];
      this.#shortest = this.#createShortest();
    }
    this.#found.push({ attack: evidence.attack, turn });
    this.#shortest.offer(evidence, turn);
  }

  #createShortest(): ShortestWitness {
    const { program, happensBefore } = this.#session;
    return new ShortestWitness(program, happensBefore, this.#replayAll);
  }

  /** Nothing to do in a stage that another attacker has begun. */
  async #growFirstPhase(number: number, allowance: Allowance): Promise<Exhaustion | undefined> {
    if (number < this.#firstPhaseAfter.length) return undefined;
    const { stage, budget } = allowance;
    const { sequential } = this.#session;
    for (;;) {
      const more = Math.min(statesPerCheckpoint, budget.room(this.states));
      const full = budget.exceededBy(this.states, this.bytes, sequential.table.growthFor(more));
      if (full) return full;
      const result = sequential.run(Math.min(stage, sequential.table.count + more));
      if (result === 'full') return 'memory';
      const exhausted = await budget.checkpoint(this.states, this.bytes);
      if (exhausted) return exhausted;
      if (result === 'done' || sequential.table.count >= stage) break;
    }
    this.#firstPhaseAfter.push(sequential.table.count);
    return undefined;
  }
}
