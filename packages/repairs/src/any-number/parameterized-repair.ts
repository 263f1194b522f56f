import type { Budget } from '@fencewright/ground/base/budget.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import { hitAttacks } from '../fences/hit-attacks.js';
import { notMonotone, type RepairRun } from '../fences/optimal-repair.js';
import { isMonotone, type RepairProblem } from '../fences/repair-problem.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import { instantiate } from '@fencewright/model/program/instantiate.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import { AttackRound } from '@fencewright/engines/search/attack-round.js';
import type { BlockedSteps } from '@fencewright/engines/automata/attacker-automaton.js';
import { openAttacks } from '@fencewright/engines/search/open-attacks.js';
import { SearchSession } from '@fencewright/engines/search/search-session.js';
import type { HittingSetSolver } from '@fencewright/ground/solvers/hitting-set.js';
import type { Computation } from '@fencewright/model/trace/computation.js';
import type { HappensBefore } from '@fencewright/model/trace/trace.js';
import type { UnknownReason, Witness } from '@fencewright/model/verdict/verdict.js';
import { toJobs } from '@fencewright/engines/parameterized/attack-jobs.js';
import { searchAllInstances } from '@fencewright/engines/parameterized/cover-search.js';
import { withoutStaticPath } from '@fencewright/engines/parameterized/decide-parameterized.js';
import { copiesFor, countsOfTotal, totalOf } from '@fencewright/engines/parameterized/instances.js';
import {
  createTemplateAutomata,
  type TemplateAutomata,
} from '@fencewright/engines/parameterized/template-automata.js';

/**
 * The computation that gave a clause. It belongs to the instance with `copies[t]` copies of each
 * unbounded thread `t`.
 */
export interface InstanceComputation {
  /**
   * For each thread of the templates, its number of copies, indexed by thread; 1 for single
   * threads.
   */
  readonly copies: readonly number[];
  readonly computation: Computation;
}

/** The result of a search for repairs of the templates. */
interface ParameterizedRepairRun extends RepairRun {
  /** For each witness of a clause, the corresponding computation of an instance. */
  readonly instances: ReadonlyMap<Witness, InstanceComputation>;
}

/**
 * Searches for attacks on all instances at once. A repair is given by the steps at which threads
 * have to drain their buffers. Witnesses come from smallest instances.
 */
class InstanceSearches {
  readonly instances = new Map<Witness, InstanceComputation>();
  readonly #program: Templates;
  readonly #templates: TemplateAutomata;
  readonly #happensBefore: HappensBefore;
  readonly #budget: Budget;
  rounds = 0;

  constructor(program: Templates, happensBefore: HappensBefore, budget: Budget) {
    this.#program = program;
    const options = { maskDeadRegisters: true, ownedCells: true, happensBefore };
    this.#templates = createTemplateAutomata(program, options);
    this.#happensBefore = happensBefore;
    this.#budget = budget;
  }

  get faults() {
    const { all, pairs } = this.#templates;
    return all.faults().map((fault) => ({ ...fault, thread: pairs.templateOf[fault.thread]! }));
  }

  async find(
    thread: ThreadId,
    blocked: BlockedSteps,
  ): Promise<Witness | UnknownReason | undefined> {
    this.rounds++;
    const open = [...openAttacks(this.#program.templates, thread, blocked)];
    const refuted = withoutStaticPath(this.#templates, open);
    const attacks = open.filter((attack) => !refuted.includes(attack));
    if (attacks.length === 0) return undefined;
    const jobs = toJobs(this.#templates, attacks, () => blocked);
    const outcome = await searchAllInstances(this.#templates, jobs, this.#budget);
    switch (outcome.kind) {
      case 'infeasible':
        return undefined;
      case 'unknown':
        return outcome.reason;
      case 'feasible':
        return this.#findWitness(thread, blocked, outcome.threads);
    }
  }

  /**
   * Finds a witness in a smallest instance. `threads`: the numbers of threads with which an attack
   * is known to exist, which bound the instances searched. Without `threads`, only the budget
   * bounds the search.
   */
  async #findWitness(
    thread: ThreadId,
    blocked: BlockedSteps,
    threads: readonly number[] | undefined,
  ): Promise<Witness | UnknownReason> {
    const program = this.#program;
    const known = threads && copiesFor(this.#templates, threads, thread);
    const isUnbounded = program.unbounded.includes(thread);
    // The attacker found may be a single thread with equal code. If the attacker must be a copy
    // instead, copies take the place of all single threads of the class.
    const single = this.#templates.classes.find(({ unbounded }) =>
      unbounded.includes(thread),
    )?.single;
    const bound = known ? totalOf(program, known) + (single ?? 0) : Number.POSITIVE_INFINITY;
    for (let total = 0; total <= bound; total++)
      for (const counts of countsOfTotal(program, total)) {
        if (isUnbounded && counts[thread] === 0) continue;
        const { program: instance, templateOf } = instantiate(program, counts);
        const attacker = templateOf.indexOf(thread);
        const session = new SearchSession(instance, {
          symmetry: false,
          happensBefore: this.#happensBefore,
        });
        const round = new AttackRound(session, [{ thread: attacker, blocked }], {
          stopAtFirst: true,
        });
        const exhausted = await round.run(this.#budget);
        this.#budget.finishSearch(round.states);
        if (round.witness) {
          const named = this.#named(round.witness, templateOf);
          this.instances.set(named, { copies: counts, computation: round.witness.computation });
          return named;
        }
        if (exhausted) return exhausted;
      }
    throw new InternalError('an attack on some instance is none on the instance that was named');
  }

  /**
   * Returns the attacker's actions in a witness of an instance, with the attacker's thread replaced
   * by its template.
   */
  #named(witness: Witness, templateOf: readonly ThreadId[]): Witness {
    const own = witness.attack.thread;
    const thread = templateOf[own]!;
    // Copies have the locations and transitions of their template.
    const actions = witness.computation.filter((action) => action.thread === own);
    const computation = actions.map((action) => ({ ...action, thread }));
    return { attack: { ...witness.attack, thread }, computation, cycle: [] };
  }
}

/**
 * Finds a cheapest set of items that makes all instances robust: `problem` is about the templates,
 * with any number of copies of the threads in `unbounded`. The computations of clauses contain only
 * actions of their attackers. Source: [BDM13] Sect. 6 and 7.
 */
export async function findParameterizedRepair(
  problem: RepairProblem,
  unbounded: readonly ThreadId[],
  {
    budget,
    solver,
    happensBefore,
  }: {
    readonly budget: Budget;
    readonly solver: HittingSetSolver;
    readonly happensBefore: HappensBefore;
  },
): Promise<ParameterizedRepairRun> {
  const program = { templates: problem.program, unbounded };
  const searches = new InstanceSearches(program, happensBefore, budget);
  const answer = isMonotone(problem, happensBefore)
    ? await hitAttacks(problem, { solver, budget }, (...asked) => searches.find(...asked))
    : notMonotone;
  const { faults, rounds, instances } = searches;
  return { answer, faults, rounds, states: budget.finishedStates, instances };
}
