import type { Budget } from '../base/budget.js';
import { InternalError } from '../base/unreachable.js';
import type { RepairItem } from '../fences/repair-item.js';
import type { RepairAnswer, RepairClause, RepairRun } from '../fences/optimal-repair.js';
import { itemsThatStop, toBlockedSteps, type RepairProblem } from '../fences/repair-problem.js';
import { textThread, threadsOfText } from '../fences/text-thread.js';
import type { ThreadId } from '../program/ids.js';
import { instantiate, type ParameterizedProgram } from '../program/parameterized-program.js';
import { enumerateAttacks } from '../robustness/attacks.js';
import { AttackRound } from '../search/attack-round.js';
import type { BlockedSteps } from '../search/attacker-automaton.js';
import { isInfeasibleWhenBlocked } from '../search/blocked-attacks.js';
import { SearchSession } from '../search/search-session.js';
import type { HittingSetSolver } from '../solvers/hitting-set.js';
import type { Attack } from '../verdict/attack.js';
import type { UnknownReason, Witness } from '../verdict/verdict.js';
import { toJobs } from './attack-jobs.js';
import { searchAllInstances } from './cover-search.js';
import { copiesFor, countsOfTotal, totalOf } from './instances.js';
import { createTemplateAutomata, type TemplateAutomata } from './template-automata.js';

/** What the attacker does in a witness of some instance, as a thread of the templates. */
interface InstanceWitness {
  readonly witness: Witness;
  /** Indices of the items that stop it. */
  readonly stopping: readonly number[];
}

/**
 * Repairs of templates: an implicit hitting set, as for programs, where the question whether an attack is left is one about all instances
 * at once. Clauses come from witnesses in smallest instances.
 */
class ParameterizedRepair {
  readonly #problem: RepairProblem;
  readonly #program: ParameterizedProgram;
  readonly #templates: TemplateAutomata;
  readonly #budget: Budget;
  readonly #solver: HittingSetSolver;
  rounds = 0;

  constructor(
    problem: RepairProblem,
    unbounded: readonly ThreadId[],
    budget: Budget,
    solver: HittingSetSolver,
  ) {
    this.#problem = problem;
    this.#program = { templates: problem.program, unbounded };
    const options = { maskDeadRegisters: true, ownedCells: true };
    this.#templates = createTemplateAutomata(this.#program, options);
    this.#budget = budget;
    this.#solver = solver;
  }

  get faults() {
    const { all, pairs } = this.#templates;
    return all.faults().map((fault) => ({ ...fault, thread: pairs.templateOf[fault.thread]! }));
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

  async #solveText(thread: ThreadId): Promise<RepairAnswer> {
    const { items, program } = this.#problem;
    const own = items.flatMap(({ item }, index) => (item.thread === thread ? [index] : []));
    const threads = threadsOfText(program, thread);
    const clauses: RepairClause[] = [];
    for (;;) {
      const chosen = await this.#hitClauses(own, clauses);
      const found = await this.#findAttack(threads, chosen);
      if (!found) return { kind: 'optimal', chosen, cost: this.#cost(chosen), clauses };
      if (typeof found === 'string')
        return { kind: 'unknown', reason: found, bound: this.#cost(chosen), clauses };
      const { witness, stopping } = found;
      if (stopping.length === 0) return { kind: 'impossible', witness };
      if (stopping.some((index) => chosen.includes(index)))
        throw new InternalError('a repair did not stop the attack that it should stop');
      clauses.push({ items: stopping, witness });
    }
  }

  async #hitClauses(
    own: readonly number[],
    clauses: readonly RepairClause[],
  ): Promise<readonly number[]> {
    const chosen = await this.#solver.solve({
      costs: own.map((index) => this.#problem.items[index]?.cost ?? 1),
      clauses: clauses.map(({ items }) => items.map((index) => own.indexOf(index))),
    });
    return chosen.flatMap((i) => own[i] ?? []);
  }

  async #findAttack(
    threads: readonly ThreadId[],
    chosen: readonly number[],
  ): Promise<InstanceWitness | UnknownReason | undefined> {
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
  ): Promise<InstanceWitness | UnknownReason | undefined> {
    const { program } = this.#problem;
    const attacks = enumerateAttacks(program).filter((attack) => attack.thread === thread);
    const blocked = toBlockedSteps(program, repairs, thread);
    const open = attacks.filter((attack) => !isInfeasibleWhenBlocked(program, attack, blocked));
    if (open.length === 0) return undefined;
    this.rounds++;
    const jobs = toJobs(this.#templates, open, () => blocked);
    const outcome = await searchAllInstances(this.#templates, jobs, this.#budget);
    switch (outcome.kind) {
      case 'infeasible':
        return undefined;
      case 'unknown':
        return outcome.reason;
      case 'feasible':
        return this.#findWitness(thread, open, blocked, outcome.threads);
    }
  }

  /** A witness in a smallest instance, within the numbers of threads that are known to be enough. */
  async #findWitness(
    thread: ThreadId,
    open: readonly Attack[],
    blocked: BlockedSteps,
    threads: readonly number[] | undefined,
  ): Promise<InstanceWitness | UnknownReason> {
    const program = this.#program;
    const known = threads && copiesFor(this.#templates, threads, thread);
    const bound = known ? totalOf(program, known) : Number.POSITIVE_INFINITY;
    const isUnbounded = program.unbounded.includes(thread);
    for (let total = 0; total <= bound; total++)
      for (const counts of countsOfTotal(program, total)) {
        if (isUnbounded && counts[thread] === 0) continue;
        const { program: instance, templateOf } = instantiate(program, counts);
        const attacker = templateOf.indexOf(thread);
        const session = new SearchSession(instance, { symmetry: false });
        const attacks = open.map((attack) => ({ ...attack, thread: attacker }));
        const round = new AttackRound(session, [{ thread: attacker, attacks, blocked }], {
          stopAtFirst: true,
        });
        const exhausted = await round.run(this.#budget);
        this.#budget.finishSearch(round.states);
        if (round.witness) return this.#named(round.witness, templateOf);
        if (exhausted) return exhausted;
      }
    throw new InternalError('an attack on some instance is none on the instance that was named');
  }

  #named(witness: Witness, templateOf: readonly ThreadId[]): InstanceWitness {
    const own = witness.attack.thread;
    const thread = templateOf[own]!;
    // Copies have the locations and transitions of their template.
    const actions = witness.computation.filter((action) => action.thread === own);
    const asTemplate = actions.map((action) => ({ ...action, thread }));
    const attack = { ...witness.attack, thread };
    const asOwn = { ...witness, attack, computation: asTemplate, cycle: [] };
    return { witness: asOwn, stopping: itemsThatStop(this.#problem, asOwn) };
  }
}

/**
 * A cheapest set of items that makes all instances robust: `problem` is about the templates, of which `unbounded` have any number of
 * copies. The computations of clauses are those of their attackers alone. Source: [BDM13] Sect. 6 and 7.
 */
export async function findParameterizedRepair(
  problem: RepairProblem,
  unbounded: readonly ThreadId[],
  { budget, solver }: { readonly budget: Budget; readonly solver: HittingSetSolver },
): Promise<RepairRun> {
  const repair = new ParameterizedRepair(problem, unbounded, budget, solver);
  const answer = await repair.solve();
  return { answer, faults: repair.faults, rounds: repair.rounds, states: budget.finishedStates };
}
