import type { Budget } from '@fencewright/ground/base/budget.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { FaultyStep } from '@fencewright/model/semantics/machine.js';
import type { BufferedModel } from '@fencewright/model/trace/memory-model.js';
import type { HittingSetSolver } from '@fencewright/ground/solvers/hitting-set.js';
import type { UnknownReason } from '@fencewright/model/verdict/verdict.js';
import { type CheapestAnswer, findCheapest } from './cheapest-hitting.js';
import {
  findViolation,
  type PropertyGoal,
  type Violation,
  type ViolationOptions,
  type ViolationSearch,
} from './find-violation.js';
import { clauseOf, type PropertyClause } from './property-clause.js';
import type { RepairProblem } from './repair-problem.js';

/**
 * The result of a search for a violation. If an instance, and not the given program, has the
 * violation, the result also has the repair problem for the instance.
 */
export interface ViolationIn extends ViolationSearch {
  /**
   * The repair problem for an instance of the program, whose items correspond to those of the
   * original problem.
   */
  readonly problem?: RepairProblem;
}

/** The answer to "which repairs make these properties hold under TSO?". */
export type PropertyRepairAnswer =
  | CheapestAnswer<PropertyClause>
  /**
   * SC has a violation of the goal. No repair prevents the violation, as repairs keep every SC
   * execution possible.
   */
  | {
      readonly kind: 'violated-under-sc';
      readonly violation: Violation;
      /** The program in which SC violates the goal. */
      readonly program: Program;
    };

/** The answer to a repair problem about properties, with the faults that ended executions. */
export interface PropertyRepairRun {
  readonly answer: PropertyRepairAnswer;
  readonly faults: readonly FaultyStep[];
  /** The number of programs that the search for a repair has explored under TSO. */
  readonly rounds: number;
}

/** A repair problem about properties, with the functions needed for solving the problem. */
export interface PropertyRepairTask {
  readonly problem: RepairProblem;
  readonly goal: PropertyGoal;
  /** Returns the program with the items `chosen` of the problem applied. */
  readonly repaired: (chosen: readonly number[]) => Program;
  readonly solver: HittingSetSolver;
  readonly budget: Budget;
  /**
   * The option `preferred` of `findCheapest`: returns items that are chosen if they cost as much as
   * a cheapest choice and meet the goal.
   */
  readonly preferred?: (cost: number) => Promise<readonly number[] | undefined>;
  /** The options of the search for violations. */
  readonly search?: ViolationOptions;
  /** Replaces the default search for a violation, for example by a search of all instances. */
  readonly find?: (model: BufferedModel, program: Program) => Promise<ViolationIn>;
}

/** A violation, with the repair problem for the program that has the violation. */
interface FoundViolation {
  readonly violation: Violation;
  readonly problem: RepairProblem;
}

class PropertyRepair {
  readonly #task: PropertyRepairTask;
  readonly #faults = new Map<string, FaultyStep>();
  #rounds = 0;

  constructor(task: PropertyRepairTask) {
    this.#task = task;
  }

  async run(): Promise<PropertyRepairRun> {
    const answer = await this.#answer();
    return { answer, faults: [...this.#faults.values()], rounds: this.#rounds };
  }

  async #answer(): Promise<PropertyRepairAnswer> {
    const { problem, repaired, solver, budget, preferred } = this.#task;
    const underSc = await this.#explore('SC', problem.program);
    if (typeof underSc === 'string')
      return { kind: 'unknown', reason: underSc, bound: 0, clauses: [] };
    if (underSc) {
      const { violation, problem: own } = underSc;
      return { kind: 'violated-under-sc', violation, program: own.program };
    }
    return findCheapest({
      costs: problem.items.map(({ cost }) => cost),
      ...(problem.ranks && { ranks: problem.ranks }),
      ...(preferred && { preferred }),
      solver,
      budget,
      refute: async (chosen) => {
        this.#rounds++;
        const found = await this.#explore('TSO', repaired(chosen));
        if (typeof found !== 'object') return found;
        const { violation, problem: own } = found;
        return clauseOf(
          own,
          chosen.map((index) => own.items[index]!),
          violation,
        );
      },
    });
  }

  async #explore(
    model: BufferedModel,
    program: Program,
  ): Promise<FoundViolation | UnknownReason | undefined> {
    const { goal, budget, search: options, find } = this.#task;
    const search: ViolationIn = await (find?.(model, program) ??
      findViolation(model, program, goal, budget, options));
    for (const fault of search.faults)
      this.#faults.set(`${fault.thread}.${fault.transition}.${fault.fault}`, fault);
    const { violation, problem = this.#task.problem } = search;
    if (violation) return { violation, problem };
    return search.incomplete ?? (search.faults.length > 0 ? 'unsupported' : undefined);
  }
}

/**
 * Finds a cheapest set of items with which TSO meets the goal, by the loop used for robustness,
 * with TSO computations as counterexamples. Exact if the SC and TSO state spaces are finite;
 * `unknown` if the budget runs out first. Violations under SC are reported first: repairs keep
 * every SC execution possible.
 */
export function findPropertyRepair(task: PropertyRepairTask): Promise<PropertyRepairRun> {
  return new PropertyRepair(task).run();
}
