import type { Budget } from '../base/budget.js';
import { InternalError } from '../base/unreachable.js';
import type { Program } from '../program/program.js';
import type { FaultyStep, MemoryModel } from '../semantics/machine.js';
import { costOf, type HittingSetSolver } from '../solvers/hitting-set.js';
import type { Computation } from '../trace/computation.js';
import type { UnknownReason } from '../verdict/verdict.js';
import { findViolation, type PropertyGoal, type Violation } from './find-violation.js';
import { clauseOf, fencesNeeded, type PropertyClause } from './property-clause.js';
import type { RepairProblem } from './repair-problem.js';

/** The answer to "which repairs make these properties hold under TSO?". */
export type PropertyRepairAnswer =
  | {
      readonly kind: 'optimal';
      /** Indices into the problem's items, ascending. */
      readonly chosen: readonly number[];
      readonly cost: number;
      readonly clauses: readonly PropertyClause[];
    }
  /** Under SC the goal is missed already, in this computation: repairs do not help; or under TSO whatever allowed items are used. */
  | {
      readonly kind: 'impossible';
      readonly under: MemoryModel;
      /** The name of the property; absent for a failed assertion. */
      readonly property?: string;
      readonly computation: Computation;
    }
  | {
      readonly kind: 'unknown';
      readonly reason: UnknownReason;
      /** Every repair costs at least this. */
      readonly bound: number;
      readonly clauses: readonly PropertyClause[];
    };

/** A repair problem about properties solved, and the faults that executions ended in. */
export interface PropertyRepairRun {
  readonly answer: PropertyRepairAnswer;
  readonly faults: readonly FaultyStep[];
  /** Programs that were explored under TSO. */
  readonly rounds: number;
}

type Outcome =
  | { readonly kind: 'violation'; readonly violation: Violation }
  | { readonly kind: 'unknown'; readonly reason: UnknownReason }
  | { readonly kind: 'holds' };

function impossible(
  under: MemoryModel,
  violation: Violation,
  computation: Computation = violation.computation,
): PropertyRepairAnswer {
  const property = violation.kind === 'property' ? { property: violation.property.name } : {};
  return { kind: 'impossible', under, ...property, computation };
}

/** What is to be solved, and how. */
export interface PropertyRepairTask {
  readonly problem: RepairProblem;
  readonly goal: PropertyGoal;
  /** Makes the program with some of the problem's items. */
  readonly repaired: (chosen: readonly number[]) => Program;
  readonly solver: HittingSetSolver;
  readonly budget: Budget;
}

class PropertyRepair {
  readonly #task: PropertyRepairTask;
  readonly #faults = new Map<string, FaultyStep>();
  readonly #clauses: PropertyClause[] = [];
  /** For each clause, the fences that its computation needs. */
  readonly #unless: (readonly number[])[] = [];
  #rounds = 0;

  constructor(task: PropertyRepairTask) {
    this.#task = task;
  }

  async run(): Promise<PropertyRepairRun> {
    const answer = await this.#answer();
    return { answer, faults: [...this.#faults.values()], rounds: this.#rounds };
  }

  async #answer(): Promise<PropertyRepairAnswer> {
    const sequential = await this.#explore('SC', this.#task.problem.program);
    if (sequential.kind === 'violation') return impossible('SC', sequential.violation);
    if (sequential.kind === 'unknown') return this.#unknown(sequential.reason, 0);
    return this.#repair();
  }

  async #repair(): Promise<PropertyRepairAnswer> {
    const { problem, repaired, solver, budget } = this.#task;
    const clauses = this.#clauses;
    const costs = problem.items.map(({ cost }) => cost);
    let bound = 0;
    let last: Violation | undefined;
    for (;;) {
      const covering = { costs, clauses: clauses.map(({ items }) => items), unless: this.#unless };
      const chosen = await solver.solve(covering, budget.timeLeft);
      if (chosen === 'time') return this.#unknown('time', bound);
      if (chosen === 'infeasible') {
        if (!last) throw new InternalError('nothing meets no clauses');
        return impossible('TSO', last, clauses.at(-1)?.computation);
      }
      bound = costOf(covering, chosen);
      this.#rounds++;
      const outcome = await this.#explore('TSO', repaired(chosen));
      if (outcome.kind === 'holds') return { kind: 'optimal', chosen, cost: bound, clauses };
      if (outcome.kind === 'unknown') return this.#unknown(outcome.reason, bound);
      last = outcome.violation;
      this.#addClause(chosen, last);
    }
  }

  #addClause(chosen: readonly number[], violation: Violation): void {
    const { problem } = this.#task;
    const used = chosen.flatMap((index) => problem.items[index]?.item ?? []);
    const clause = clauseOf(problem, used, violation);
    const needed = fencesNeeded(problem, clause);
    if (
      clause.items.some((index) => chosen.includes(index)) ||
      !needed.every((index) => chosen.includes(index))
    )
      throw new InternalError('a repair did not prevent the computation that it should prevent');
    this.#clauses.push(clause);
    this.#unless.push(needed);
  }

  #unknown(reason: UnknownReason, bound: number): PropertyRepairAnswer {
    return { kind: 'unknown', reason, bound, clauses: this.#clauses };
  }

  async #explore(model: MemoryModel, program: Program): Promise<Outcome> {
    const search = await findViolation(model, program, this.#task.goal, this.#task.budget);
    for (const fault of search.faults)
      this.#faults.set(`${fault.thread}.${fault.transition}.${fault.fault}`, fault);
    if (search.violation) return { kind: 'violation', violation: search.violation };
    const reason = search.incomplete ?? (search.faults.length > 0 ? 'unsupported' : undefined);
    return reason ? { kind: 'unknown', reason } : { kind: 'holds' };
  }
}

/**
 * A cheapest set of items with which the goal is met under TSO, by the same loop as for robustness over TSO counterexamples.
 * Exact where the SC and the TSO state spaces are finite; `unknown` where the budget ran out first. What is missed under SC is said first:
 * repairs leave every SC execution possible.
 */
export function findPropertyRepair(task: PropertyRepairTask): Promise<PropertyRepairRun> {
  return new PropertyRepair(task).run();
}
