import { at } from '@fencewright/ground/base/at.js';
import type { Budget } from '@fencewright/ground/base/budget.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import type { HittingSetSolver } from '@fencewright/ground/solvers/hitting-set.js';
import { verifiedWitness } from '@fencewright/engines/robustness/lift-witness.js';
import { searchAttacks } from '@fencewright/engines/search/attack-search.js';
import { SearchSession, type SearchOptions } from '@fencewright/engines/search/search-session.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { FaultyStep } from '@fencewright/model/semantics/machine.js';
import { replayStates } from '@fencewright/model/semantics/replay.js';
import type { Computation } from '@fencewright/model/trace/computation.js';
import type { UnknownReason, Witness } from '@fencewright/model/verdict/verdict.js';
import { findCheapest } from './cheapest-hitting.js';
import type { RepairClause } from './hit-attacks.js';
import { withLateIssues, withoutRepairs } from './lift-violation.js';
import { notMonotone, type RepairRun, whyFaultsAreOpen } from './optimal-repair.js';
import { isMonotone, type RepairProblem } from './repair-problem.js';
import { type IsHeavy, survives } from './survival.js';

/** A repair problem in which the program or the items contain heavy fences. */
interface HeavyRepairTask {
  readonly problem: RepairProblem;
  /** Returns the program with the items `chosen` of the problem applied. */
  readonly repaired: (chosen: readonly number[]) => Program;
  /** The violations of the problem's program that are known before the search; default none. */
  readonly known?: readonly Witness[];
}

interface HeavyRepairOptions extends SearchOptions {
  readonly budget: Budget;
  readonly solver: HittingSetSolver;
}

class HeavyRepair {
  readonly #task: HeavyRepairTask;
  readonly #options: HeavyRepairOptions;
  readonly #isHeavy: IsHeavy;
  readonly #faults = new Map<string, FaultyStep>();
  #rounds = 0;
  #states = 0;

  constructor(task: HeavyRepairTask, options: HeavyRepairOptions) {
    this.#task = task;
    this.#options = options;
    const whole = task.repaired([...task.problem.items.keys()]);
    this.#isHeavy = (thread, transition) =>
      whole.threads[thread]?.transitions[transition]?.instruction.kind === 'heavy-fence';
  }

  async run(): Promise<RepairRun> {
    const { problem, known = [] } = this.#task;
    const { solver, budget, happensBefore = 'standard' } = this.#options;
    const answer = isMonotone(problem, happensBefore)
      ? await findCheapest<RepairClause>({
          costs: problem.items.map(({ cost }) => cost),
          ...(problem.ranks && { ranks: problem.ranks }),
          ...{ solver, budget },
          known: known.map((witness) => this.#clauseOf(witness, [])),
          refute: (chosen) => this.#refute(chosen),
        })
      : notMonotone;
    return {
      answer,
      faults: [...this.#faults.values()],
      rounds: this.#rounds,
      states: this.#states,
    };
  }

  /**
   * Checks the program with the chosen items. Returns the clause of a violation, `undefined` if
   * there is no violation, or the reason for an unknown result.
   */
  async #refute(chosen: readonly number[]): Promise<RepairClause | UnknownReason | undefined> {
    this.#rounds++;
    const repaired = this.#task.repaired(chosen);
    const { witness, incomplete, faults, states } = await searchAttacks(repaired, {
      ...this.#options,
      allAttacks: false,
    });
    this.#states += states;
    this.#note(faults);
    if (witness) return this.#clauseOf(this.#lifted(witness, chosen), chosen);
    if (incomplete) return incomplete;
    if (faults.length > 0) return 'unsupported';
    const session = new SearchSession(repaired, this.#options);
    const open = await whyFaultsAreOpen(session, this.#options.budget);
    this.#note(session.automata.faults());
    return open;
  }

  #note(faults: readonly FaultyStep[]): void {
    for (const fault of faults)
      this.#faults.set(`${fault.thread}.${fault.transition}.${fault.fault}`, fault);
  }

  /**
   * Converts a violation of the program with the items `chosen` into a violation of the program
   * without items. Stores are issued as late as possible, unless the program with the items does
   * not allow the computation with late issues.
   */
  #lifted(witness: Witness, chosen: readonly number[]): Witness {
    const { program } = this.#task.problem;
    const { happensBefore = 'standard' } = this.#options;
    const plain = this.#asSkips(withoutRepairs(program, witness.computation));
    const late = withLateIssues(plain);
    const best = this.#survives(late, chosen) ? late : plain;
    const { others } = witness;
    const lifted = verifiedWitness(program, witness.attack, best, happensBefore);
    return { ...lifted, ...(others && { others }) };
  }

  /**
   * Returns the computation with a local step in place of each fence that the problem's program has
   * replaced by `skip`.
   */
  #asSkips(computation: Computation): Computation {
    const { threads } = this.#task.problem.program;
    return computation.map((action) => {
      const { thread, kind, transition } = action;
      const step = at(at(threads, thread).transitions, transition);
      const isFence = kind === 'fence' || kind === 'heavy-fence';
      return isFence && step.instruction.kind === 'skip'
        ? { thread, transition, kind: 'local' }
        : action;
    });
  }

  #survives(computation: Computation, items: readonly number[]): boolean {
    const { program, items: all } = this.#task.problem;
    const states = replayStates(program, computation);
    const repairs = items.map((index) => at(all, index));
    return states !== undefined && survives(program, computation, states, repairs, this.#isHeavy);
  }

  /**
   * Returns the clause of a violation: the items outside a largest set with which the violation
   * remains possible. A set without any item of the clause is a subset of this largest set, and
   * leaves the violation possible. Single items do not make the clause: two heavy fences at one
   * place may stop a violation that neither stops alone.
   */
  #clauseOf(witness: Witness, chosen: readonly number[]): RepairClause {
    const { program, items } = this.#task.problem;
    const { computation } = witness;
    const states = replayStates(program, computation);
    if (!states)
      throw new InternalError('a violation of a repaired program is none of the original');
    const remains = (some: readonly number[]): boolean => {
      const repairs = some.map((index) => at(items, index));
      return survives(program, computation, states, repairs, this.#isHeavy);
    };
    const rest = [...items.keys()]
      .filter((index) => !chosen.includes(index))
      .toSorted((a, b) => at(items, a).cost - at(items, b).cost);
    let outside = [...chosen];
    for (const index of rest) if (remains([...outside, index])) outside = [...outside, index];
    return {
      items: rest.filter((index) => !outside.includes(index)).sort((a, b) => a - b),
      witness,
    };
  }
}

/**
 * Finds a cheapest set of items that makes a program with heavy fences, or with heavy fences among
 * the items, robust. Heavy fences affect all threads, and several threads may have to delay: each
 * set of items is decided as a program of its own.
 */
export function findHeavyRepair(
  task: HeavyRepairTask,
  options: HeavyRepairOptions,
): Promise<RepairRun> {
  return new HeavyRepair(task, options).run();
}
