import type { Budget, Exhaustion } from '@fencewright/ground/base/budget.js';
import { mayMeetLimit } from '@fencewright/model/analysis/model-limits.js';
import { whyFaultFree } from '@fencewright/model/analysis/possible-faults.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { DirectedWitness } from '@fencewright/engines/directed/directed-finder.js';
import { witnessOfSchedule } from '@fencewright/engines/robustness/lift-witness.js';
import { DirectedTurns, type DirectedJob } from '@fencewright/engines/search/directed-turns.js';
import { AttackRound } from '@fencewright/engines/search/attack-round.js';
import {
  nothingBlocked,
  type BlockedSteps,
} from '@fencewright/engines/automata/attacker-automaton.js';
import { hasOpenAttack } from '@fencewright/engines/search/open-attacks.js';
import type { AttackSettler } from '@fencewright/engines/search/settle-attacks.js';
import { isRefutedBy } from '@fencewright/engines/search/searched-attacker.js';
import { lookAtSequential } from '@fencewright/engines/search/sequential-look.js';
import { SearchSession, type SearchOptions } from '@fencewright/engines/search/search-session.js';
import type { FaultyStep } from '@fencewright/model/semantics/machine.js';
import type { HittingSetSolver } from '@fencewright/ground/solvers/hitting-set.js';
import type { UnknownReason, Witness } from '@fencewright/model/verdict/verdict.js';
import { hitAttacks, type RepairAnswer } from './hit-attacks.js';
import { renameThreads } from '@fencewright/model/verdict/rename-threads.js';
import { isMonotone, type RepairProblem } from './repair-problem.js';

/** The answer to a repair problem, with figures about the work done. */
export interface RepairRun {
  readonly answer: RepairAnswer;
  readonly faults: readonly FaultyStep[];
  /** The number of searches for a feasible attack that the repair has needed. */
  readonly rounds: number;
  readonly states: number;
}

/** Options for solving a repair problem: for the search, and for the hitting sets. */
interface RepairOptions extends SearchOptions {
  readonly budget: Budget;
  readonly solver: HittingSetSolver;
  /**
   * Whether methods that do not depend on the number of states show that the problem's program is
   * robust. Asked once at most, if the searches find no attack for long.
   */
  readonly isRobustBeside?: () => Promise<boolean>;
}

/**
 * The answer for items that may have other effects than to stop attacks. It is given without a
 * search.
 */
export const notMonotone: RepairAnswer = {
  kind: 'unknown',
  reason: 'unsupported',
  bound: 0,
  clauses: [],
};

/**
 * Searches for faults of the session's program, if no search for attacks has covered all SC
 * executions. Returns the reason why the program cannot be called robust; `undefined` if there is
 * none.
 */
export async function whyFaultsAreOpen(
  session: SearchSession,
  budget: Budget,
): Promise<UnknownReason | undefined> {
  if (whyFaultFree(session.program)) return undefined;
  const needsEnd = mayMeetLimit(session.program);
  const look = await lookAtSequential(session, budget, needsEnd);
  if (look.faults.length > 0) return 'unsupported';
  return needsEnd && !look.isComplete ? (look.exhausted ?? 'unsupported') : undefined;
}

/**
 * The number of states that the searches may store without finding an attack before other methods
 * are asked whether the program is robust.
 */
const statesBeforeOthers = 100_000;
/** The number of states that all directed searches together may store without finding an attack. */
const directedCredit = 10_000;
/**
 * The number of attempts to refute an attacker's attacks without a search that come before the
 * directed search for this attacker.
 */
const turnAfterDirected = 1;

/**
 * Searches for attacks on one program under different repairs. A repair is given by the steps at
 * which threads have to drain their buffers. The searches share everything that does not depend on
 * the repairs.
 */
class AttackSearches {
  readonly #session: SearchSession;
  readonly #budget: Budget;
  #settler: AttackSettler | undefined;
  readonly #directed: DirectedTurns;
  /** By attacker, the number of attempts so far to refute its attacks without a search. */
  readonly #turns = new Map<ThreadId, number>();
  /** Asks other methods than searches whether the program is robust; absent once asked. */
  #isRobustBeside: RepairOptions['isRobustBeside'];
  /** Whether another method has shown that the program is robust. */
  #isRobust = false;
  rounds = 0;
  states = 0;

  constructor({ program }: RepairProblem, options: RepairOptions) {
    this.#isRobustBeside = options.isRobustBeside;
    this.#session = new SearchSession(program, options);
    this.#directed = new DirectedTurns(this.#session);
    this.#budget = options.budget;
  }

  /**
   * The number of states shared by all repairs: the SC states, and the states of directed searches.
   */
  get sharedStates(): number {
    return this.#session.sequential.table.count + this.#directed.states;
  }

  /** The numbers of states and bytes of the searches that all repairs share. */
  get #usage(): Parameters<DirectedTurns['takeKnown']>[1] {
    const shared = (): number => this.sharedStates;
    return {
      get states() {
        return shared();
      },
      bytes: this.#session.bytes,
    };
  }

  /** The threads that are searched as attackers. */
  get #attackers(): readonly ThreadId[] {
    const session = this.#session;
    const threads = [...session.program.threads.keys()];
    return threads.filter((thread) => session.representative(thread) === thread);
  }

  get faults(): FaultyStep[] {
    return this.#session.automata.faults();
  }

  async find(
    thread: ThreadId,
    blocked: BlockedSteps,
  ): Promise<Witness | UnknownReason | undefined> {
    const session = this.#session;
    // Threads with equal code have equal attacks: only the first such thread is searched.
    const attacker = session.representative(thread);
    const { program, stages } = session;
    if (
      this.#isRobust ||
      !hasOpenAttack(program, attacker, blocked, isRefutedBy(session, attacker))
    )
      return undefined;
    const isRefuted = isRefutedBy(session, attacker);
    const job: DirectedJob = {
      ...{ thread: attacker, blocked },
      isOpen: ({ store, load }) => !isRefuted(store, load),
    };
    const before = this.sharedStates;
    const known = await this.#directed.takeKnown(job, this.#usage, this.#budget);
    const [first] = known.found;
    if (first || known.exhausted) {
      this.states += this.sharedStates - before;
      return first ? this.#lift(first, thread) : known.exhausted;
    }
    const round = new AttackRound(session, [{ thread: attacker, blocked }], {
      stopAtFirst: true,
      statesOfOthers: () => this.#directed.states,
    });
    const early = await this.#runUpTo(stages.stagesAfter, round);
    const exhausted =
      early ??
      (await this.#settle(job, round)) ??
      (await this.#askOthers(round)) ??
      (await this.#finish(round));
    this.rounds++;
    this.states += round.ownStates + this.sharedStates - before;
    // The shared states are kept for later rounds, and counted in each round.
    this.#budget.finishSearch(round.ownStates);
    if (this.#isRobust) return undefined;
    if (round.witness) {
      this.#isRobustBeside = undefined;
      return renameThreads(round.witness, attacker, thread);
    }
    if (exhausted) return exhausted;
    return this.faults.length > 0 ? 'unsupported' : undefined;
  }

  /**
   * Runs the attack search until it has stored `after` states, not counting states of directed
   * searches. Returns the exhausted limit, if any.
   */
  #runUpTo(after: number, round: AttackRound): Promise<Exhaustion | undefined> {
    return round.run(this.#budget, () => round.states - this.#directed.states < after);
  }

  /**
   * Runs the attack search until `statesBeforeOthers` states are stored, and asks whether another
   * method shows robustness. Does nothing if some attack is known, and when asked before. Returns
   * the exhausted limit, if any.
   */
  async #askOthers(round: AttackRound): Promise<Exhaustion | undefined> {
    const isRobustBeside = this.#isRobustBeside;
    if (!isRobustBeside) return undefined;
    const ended = await this.#runUpTo(statesBeforeOthers - this.states, round);
    if (ended || round.witness || round.nextTurn === Infinity) return ended;
    this.#isRobustBeside = undefined;
    this.#isRobust = await isRobustBeside();
    return undefined;
  }

  /** Runs the attack search to its end, unless the program is known to be robust. */
  async #finish(round: AttackRound): Promise<Exhaustion | undefined> {
    return this.#isRobust ? undefined : round.run(this.#budget);
  }

  /**
   * Replays a known attack and returns its witness, in which `thread` takes the place of the
   * attacker.
   */
  #lift({ attack, steps }: DirectedWitness, thread: ThreadId): Witness {
    const { program, happensBefore } = this.#session;
    const witness = witnessOfSchedule(program, attack, steps, happensBefore);
    this.#isRobustBeside = undefined;
    this.rounds++;
    return renameThreads(witness, attack.thread, thread);
  }

  /**
   * Returns the reason why the program still cannot be called robust, after a search for faults;
   * `undefined` if there is none.
   */
  async lookForFaults(): Promise<UnknownReason | undefined> {
    return whyFaultsAreOpen(this.#session, this.#budget);
  }

  /**
   * Decides attacks of one attacker by other methods, if the attack search takes long: attempts to
   * refute the attacks of the original program without a search, once in each turn for each thread,
   * and a directed search for an attack. Returns the exhausted limit, if any.
   */
  async #settle(job: DirectedJob, round: AttackRound): Promise<Exhaustion | undefined> {
    if (round.nextTurn === Infinity) return undefined;
    const attacker = job.thread;
    const { AttackSettler } = await import('@fencewright/engines/search/settle-attacks.js');
    const settler = (this.#settler ??= new AttackSettler(this.#session));
    for (const [turn, after] of settler.turnsAfter.entries()) {
      if (turn === turnAfterDirected) {
        const ended = await this.#direct(job, round);
        if (ended || round.nextTurn === Infinity) return ended;
      }
      if (turn < (this.#turns.get(attacker) ?? 0)) continue;
      if (after > statesBeforeOthers) {
        const open = await this.#askOthers(round);
        if (open || this.#isRobust) return open;
      }
      const ended = await this.#runUpTo(after, round);
      if (ended || round.nextTurn === Infinity) return ended;
      this.#turns.set(attacker, turn + 1);
      const isOpen = (): boolean => true;
      const settling = await settler.settle(
        turn,
        [attacker],
        isOpen,
        this.#budget,
        this.#attackers,
      );
      if (settling.refuted.length > 0) round.refresh();
      if (settling.exhausted) return settling.exhausted;
    }
    return undefined;
  }

  /**
   * Looks for an attack in a directed search, and hands an attack that is found to the attack
   * search `round`. The first directed search looks for all attacks of the thread in the program
   * without repairs, because their write schedules can be carried over to other threads and
   * repairs. Returns the exhausted limit, if any.
   */
  async #direct(job: DirectedJob, round: AttackRound): Promise<Exhaustion | undefined> {
    const turn = round.nextTurn;
    const directed = this.#directed;
    if (!directed.isOn || turn === Infinity) return undefined;
    const budget = this.#budget;
    const whole = { ...job, blocked: nothingBlocked };
    const first =
      directed.states > 0
        ? undefined
        : await directed.take(directedCredit, [whole], round, budget, false);
    if (first?.exhausted) return first.exhausted;
    const known = await directed.takeKnown(job, round, budget);
    const isOver = known.found.length > 0 || known.exhausted !== undefined;
    const { found, exhausted } = isOver
      ? known
      : await directed.take(0, [job], round, budget, true);
    for (const witness of found) round.receive(witness, turn);
    return exhausted;
  }
}

/**
 * Finds a cheapest set of items that makes the program robust, for the notion of happens-before in
 * the options, with a proof of optimality. All searches share the SC states, and the states after
 * the attacker's last load from which no attack can be completed.
 */
export async function findOptimalRepair(
  problem: RepairProblem,
  options: RepairOptions,
): Promise<RepairRun> {
  const searches = new AttackSearches(problem, options);
  const found = isMonotone(problem, options.happensBefore ?? 'standard')
    ? await hitAttacks(problem, options, (...asked) => searches.find(...asked))
    : notMonotone;
  options.budget.finishSearch(searches.sharedStates);
  const why = found.kind === 'optimal' ? await searches.lookForFaults() : undefined;
  const { faults, rounds, states } = searches;
  const answer: RepairAnswer =
    found.kind === 'optimal' && why
      ? { kind: 'unknown', reason: why, bound: found.cost, clauses: found.clauses }
      : found;
  return { answer, faults, rounds, states };
}
