import type { Budget } from '../base/budget.js';
import { InternalError } from '../base/unreachable.js';
import type { ThreadId } from '../program/ids.js';
import { enumerateAttacks } from '../robustness/attacks.js';
import type { BlockedSteps } from '../search/attacker-automaton.js';
import { openWhenBlocked } from '../search/blocked-attacks.js';
import type { HittingSetSolver } from '../solvers/hitting-set.js';
import type { Attack } from '../verdict/attack.js';
import type { UnknownReason, Witness } from '../verdict/verdict.js';
import { itemsThatStop, toBlockedSteps, type RepairProblem } from './repair-problem.js';
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

/**
 * A witness of one of the `attacks` of a thread that is feasible although the thread drains its buffer at the steps that are `blocked`,
 * if there is one; a reason if that is not known.
 */
export type AttackFinder = (
  thread: ThreadId,
  attacks: readonly Attack[],
  blocked: BlockedSteps,
) => Promise<Witness | UnknownReason | undefined>;

/** What solves the hitting sets, and within which limits. */
export interface HittingOptions {
  readonly solver: HittingSetSolver;
  readonly budget: Budget;
}

class AttackHitting {
  readonly #problem: RepairProblem;
  readonly #solver: HittingSetSolver;
  readonly #budget: Budget;
  readonly #find: AttackFinder;
  #attacks: readonly Attack[] | undefined;

  constructor(problem: RepairProblem, { solver, budget }: HittingOptions, find: AttackFinder) {
    this.#problem = problem;
    this.#solver = solver;
    this.#budget = budget;
    this.#find = find;
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

  #attacksOf(thread: ThreadId): readonly Attack[] {
    const attacks = (this.#attacks ??= enumerateAttacks(this.#problem.program));
    return attacks.filter((attack) => attack.thread === thread);
  }

  #cost(chosen: readonly number[]): number {
    return chosen.reduce((sum, index) => sum + (this.#problem.items[index]?.cost ?? 0), 0);
  }

  /** Fences and locked stores matter only to the threads that run them as attackers: each text is a problem of its own. */
  async #solveText(thread: ThreadId): Promise<RepairAnswer> {
    const { items, program } = this.#problem;
    const threads = threadsOfText(program, thread);
    const own = items.flatMap(({ item }, index) => (item.thread === thread ? [index] : []));
    const clauses: RepairClause[] = [];
    let bound = 0;
    for (;;) {
      const chosen = await this.#hitClauses(own, clauses);
      if (chosen === 'time') return { kind: 'unknown', reason: 'time', bound, clauses };
      bound = this.#cost(chosen);
      const found = await this.#findAttack(threads, chosen);
      if (!found) return { kind: 'optimal', chosen, cost: bound, clauses };
      if (typeof found === 'string') return { kind: 'unknown', reason: found, bound, clauses };
      const stopping = itemsThatStop(this.#problem, found);
      if (stopping.length === 0) return { kind: 'impossible', witness: found };
      if (stopping.some((index) => chosen.includes(index)))
        throw new InternalError('a repair did not stop the attack that it should stop');
      clauses.push({ items: stopping, witness: found });
    }
  }

  async #hitClauses(
    own: readonly number[],
    clauses: readonly RepairClause[],
  ): Promise<readonly number[] | 'time'> {
    const place = new Map(own.map((index, i) => [index, i]));
    const chosen = await this.#solver.solve(
      {
        costs: own.map((index) => this.#problem.items[index]?.cost ?? 1),
        clauses: clauses.map(({ items }) => items.flatMap((index) => place.get(index) ?? [])),
      },
      this.#budget.timeLeft,
    );
    if (chosen === 'infeasible') throw new InternalError('a clause has no items');
    if (chosen === 'time') return 'time';
    return chosen.flatMap((i) => own[i] ?? []);
  }

  /** A feasible attack of one of the threads that the chosen items do not stop. */
  async #findAttack(
    threads: readonly ThreadId[],
    chosen: readonly number[],
  ): Promise<Witness | UnknownReason | undefined> {
    const { program, items } = this.#problem;
    const repairs = chosen.flatMap((index) => items[index]?.item ?? []);
    for (const thread of threads) {
      const blocked = toBlockedSteps(program, repairs, thread);
      const open = openWhenBlocked(program, this.#attacksOf(thread), blocked);
      const found = open.length === 0 ? undefined : await this.#find(thread, open, blocked);
      if (found) return found;
    }
    return undefined;
  }
}

/**
 * The cheapest items that leave no attack, with the proof that none are cheaper: an implicit hitting set, split by attacker. [BDM13] Sect. 7.2
 * with one path per set, and the sets found on demand: the cheapest repair of the clauses so far, a search for an attack that it leaves, a
 * clause from that, and again, until `find` finds nothing. Its witnesses are of threads of the problem's program.
 */
export function hitAttacks(
  problem: RepairProblem,
  options: HittingOptions,
  find: AttackFinder,
): Promise<RepairAnswer> {
  return new AttackHitting(problem, options, find).solve();
}
