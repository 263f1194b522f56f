import type { Budget } from '../base/budget.js';
import { InternalError } from '../base/unreachable.js';
import type { ThreadId } from '../program/ids.js';
import { enumerateAttacks } from '../robustness/attacks.js';
import { AttackRound } from '../search/attack-round.js';
import { isInfeasibleWhenBlocked } from '../search/blocked-attacks.js';
import { SearchSession, type SearchOptions } from '../search/search-session.js';
import type { FaultyStep } from '../semantics/machine.js';
import type { HittingSetSolver } from '../solvers/hitting-set.js';
import type { UnknownReason, Witness } from '../verdict/verdict.js';
import type { RepairItem } from './repair-item.js';
import { itemsThatStop, toBlockedSteps, type RepairProblem } from './repair-problem.js';
import { renameThreads } from './rename-threads.js';
import { textThread, threadsOfText } from './text-thread.js';

/** Every repaired program contains one of these items: each stops the witness, nothing else does. */
export interface RepairClause {
  /** Indices into the problem's items, ascending. */
  readonly items: readonly number[];
  readonly witness: Witness;
}

/** The answer to a repair problem. */
export type RepairAnswer =
  | {
      readonly kind: 'optimal';
      /** Indices into the problem's items, ascending. */
      readonly chosen: readonly number[];
      readonly cost: number;
      /** No cheaper set meets all of these. */
      readonly clauses: readonly RepairClause[];
    }
  /** No allowed item stops this witness. */
  | { readonly kind: 'impossible'; readonly witness: Witness }
  | {
      readonly kind: 'unknown';
      readonly reason: UnknownReason;
      /** The cost of every repair is at least this. */
      readonly bound: number;
      readonly clauses: readonly RepairClause[];
    };

export interface RepairRun {
  readonly answer: RepairAnswer;
  readonly faults: readonly FaultyStep[];
  /** Searches for a feasible attack. */
  readonly rounds: number;
  readonly states: number;
}

export interface RepairOptions extends SearchOptions {
  readonly budget: Budget;
  readonly solver: HittingSetSolver;
}

/** The part of a problem that concerns one text: fences and locked stores matter only to the threads that run it. */
interface TextProblem {
  readonly threads: readonly ThreadId[];
  /** Its items, as indices into the problem's. */
  readonly items: readonly number[];
}

class OptimalRepair {
  readonly #problem: RepairProblem;
  readonly #options: RepairOptions;
  readonly #session: SearchSession;
  rounds = 0;
  states = 0;

  constructor(problem: RepairProblem, options: RepairOptions) {
    this.#problem = problem;
    this.#options = options;
    this.#session = new SearchSession(problem.program, options);
  }

  get faults(): FaultyStep[] {
    return this.#session.automata.faults();
  }

  async solve(): Promise<RepairAnswer> {
    const chosen: number[] = [];
    const clauses: RepairClause[] = [];
    const { program } = this.#problem;
    for (let thread = 0; thread < program.threads.length; thread++) {
      if (textThread(program, thread) !== thread) continue;
      const answer = await this.#solveText(thread);
      if (answer.kind === 'impossible') return answer;
      clauses.push(...answer.clauses);
      if (answer.kind === 'unknown')
        return { ...answer, clauses, bound: this.#cost(chosen) + answer.bound };
      chosen.push(...answer.chosen);
    }
    chosen.sort((a, b) => a - b);
    return { kind: 'optimal', chosen, cost: this.#cost(chosen), clauses };
  }

  #cost(chosen: readonly number[]): number {
    return chosen.reduce((sum, index) => sum + (this.#problem.items[index]?.cost ?? 0), 0);
  }

  /** [BDM13] Sect. 7.2 with one path per set, the sets found on demand: cheapest repair of the clauses so far, search again, until nothing is found. */
  async #solveText(thread: ThreadId): Promise<RepairAnswer> {
    const { items, program } = this.#problem;
    const own: TextProblem = {
      threads: threadsOfText(program, thread),
      items: items.flatMap(({ item }, index) => (item.thread === thread ? [index] : [])),
    };
    const clauses: RepairClause[] = [];
    for (;;) {
      const chosen = await this.#hitClauses(own, clauses);
      const found = await this.#findAttack(own, chosen);
      if (!found) return { kind: 'optimal', chosen, cost: this.#cost(chosen), clauses };
      if (typeof found === 'string')
        return { kind: 'unknown', reason: found, bound: this.#cost(chosen), clauses };
      const stopping = itemsThatStop(this.#problem, found);
      if (stopping.length === 0) return { kind: 'impossible', witness: found };
      if (stopping.some((index) => chosen.includes(index)))
        throw new InternalError('a repair did not stop the attack that it should stop');
      clauses.push({ items: stopping, witness: found });
    }
  }

  async #hitClauses(
    { items }: TextProblem,
    clauses: readonly RepairClause[],
  ): Promise<readonly number[]> {
    const place = new Map(items.map((index, i) => [index, i]));
    const problem = {
      costs: items.map((index) => this.#problem.items[index]?.cost ?? 1),
      clauses: clauses.map((clause) => clause.items.flatMap((index) => place.get(index) ?? [])),
    };
    const chosen = await this.#options.solver.solve(problem);
    return chosen.flatMap((i) => items[i] ?? []);
  }

  /** A feasible attack of one of the threads that the chosen items do not stop; a reason if a search did not end. */
  async #findAttack(
    { threads }: TextProblem,
    chosen: readonly number[],
  ): Promise<Witness | UnknownReason | undefined> {
    const repairs = chosen.flatMap((index) => this.#problem.items[index]?.item ?? []);
    for (const thread of threads) {
      const found = await this.#findAttackOf(thread, repairs);
      if (found) return found;
    }
    return undefined;
  }

  async #findAttackOf(
    thread: ThreadId,
    repairs: readonly RepairItem[],
  ): Promise<Witness | UnknownReason | undefined> {
    const session = this.#session;
    const { program } = this.#problem;
    const attacks = enumerateAttacks(program).filter((attack) => attack.thread === thread);
    const blocked = toBlockedSteps(program, repairs, thread);
    // Threads with the same code have the same attacks: the first of them is searched.
    const attacker = session.representative(thread);
    const open = attacks
      .filter((attack) => !isInfeasibleWhenBlocked(session.program, attack, blocked))
      .map((attack) => ({ ...attack, thread: attacker }));
    if (open.length === 0) return undefined;
    const before = session.sequential.table.count;
    const round = new AttackRound(session, [{ thread: attacker, attacks: open, blocked }], {
      stopAtFirst: true,
    });
    const exhausted = await round.run(this.#options.budget);
    this.rounds++;
    this.states += round.states - before;
    if (round.witness) return renameThreads(round.witness, attacker, thread);
    if (exhausted) return exhausted;
    return this.faults.length > 0 ? 'unsupported' : undefined;
  }
}

/**
 * A cheapest set of items that makes the program robust, with the proof that none is cheaper: an implicit hitting set, split by
 * attacker. All searches share the SC states and the dead states of the last phase.
 */
export async function findOptimalRepair(
  problem: RepairProblem,
  options: RepairOptions,
): Promise<RepairRun> {
  const repair = new OptimalRepair(problem, options);
  const answer = await repair.solve();
  options.budget.finishSearch(repair.states);
  return { answer, faults: repair.faults, rounds: repair.rounds, states: repair.states };
}
