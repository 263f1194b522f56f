import type { Budget } from '@fencewright/ground/base/budget.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import { findViolation, type PropertyGoal } from '../fences/find-violation.js';
import type { ViolationIn } from '../fences/property-repair.js';
import type { RepairProblem } from '../fences/repair-problem.js';
import { AnyNumberSearch } from '@fencewright/engines/load-buffers/any-number-search.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import { instantiate } from '@fencewright/model/program/instantiate.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { PricedRepair } from '@fencewright/model/program/repair.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import type { BufferedModel } from '@fencewright/model/trace/memory-model.js';
import { claimsOf } from '@fencewright/model/verdict/claims-of.js';
import type { Claim } from '@fencewright/model/verdict/state-answer.js';
import { countsOfTotal } from '@fencewright/engines/parameterized/instances.js';

/** The total numbers of copies of all templates for which instances are explored individually. */
const smallTotals = [0, 1, 2] as const;
/** The maximum number of explored states of one instance. */
const statesPerInstance = 20_000;

const nothing: ViolationIn = { violation: undefined, incomplete: undefined, faults: [] };

/** Returns the repair with its threads renumbered by `rename`. */
function renamed(item: PricedRepair, rename: (thread: ThreadId) => ThreadId): PricedRepair {
  const part = <P extends { readonly thread: ThreadId }>(one: P): P => ({
    ...one,
    thread: rename(one.thread),
  });
  return item.kind === 'fence'
    ? { ...part(item), ...(item.also && { also: item.also.map(part) }) }
    : { ...part(item), ...(item.also && { also: item.also.map(part) }) };
}

/**
 * Searches for violations of a goal in all instances of templates at once, backwards over load
 * buffers; each violation found is a run of an instance. All properties of the goal must be `never`
 * properties.
 */
export class InstanceViolations {
  readonly #problem: RepairProblem;
  readonly #unbounded: readonly ThreadId[];
  readonly #goal: PropertyGoal;
  readonly #budget: Budget;

  /** Creates searches for violations of a goal in instances of the problem's templates. */
  constructor(
    problem: RepairProblem,
    unbounded: readonly ThreadId[],
    goal: PropertyGoal,
    budget: Budget,
  ) {
    this.#problem = problem;
    this.#unbounded = unbounded;
    this.#goal = goal;
    this.#budget = budget;
  }

  /**
   * Finds a violation of some instance of the given templates, which must be the problem's
   * templates with repairs.
   */
  async find(model: BufferedModel, templates: Program): Promise<ViolationIn> {
    const all = { templates, unbounded: this.#unbounded };
    const search = new AnyNumberSearch(all);
    for (const claim of claimsOf(templates).filter((one) => this.#isAsked(templates, one))) {
      const answer = await search.decide(claim, this.#budget, { model });
      if (answer.kind === 'fails') {
        const found = await this.#in(model, all, answer.counts, this.#budget);
        if (!found.violation && found.incomplete === undefined && found.faults.length === 0)
          throw new InternalError('what some instance does is not done by the one that was named');
        return found;
      }
      if (answer.kind === 'holds') continue;
      const incomplete = typeof answer.reason === 'string' ? answer.reason : 'unsupported';
      const small = incomplete === 'unsupported' ? await this.#inSmall(model, all) : nothing;
      return small.violation || small.faults.length > 0 ? small : { ...nothing, incomplete };
    }
    return nothing;
  }

  /**
   * Searches small instances one by one for a violation; this may find a violation even if the
   * search of all instances is inconclusive, for example for unbounded data.
   */
  async #inSmall(model: BufferedModel, all: Templates): Promise<ViolationIn> {
    for (const total of smallTotals)
      for (const counts of countsOfTotal(all, total)) {
        const part = this.#budget.part(statesPerInstance);
        const found = await this.#in(model, all, counts, part);
        this.#budget.finishPart(part);
        if (found.violation || found.faults.length > 0) return found;
      }
    return nothing;
  }

  #isAsked(templates: Program, claim: Claim): boolean {
    if (claim.kind === 'assertion') return this.#goal.assertions;
    const name = templates.properties[claim.property]?.name;
    return this.#goal.properties.some((property) => property.name === name);
  }

  async #in(
    model: BufferedModel,
    all: Templates,
    counts: readonly number[],
    budget: Budget,
  ): Promise<ViolationIn> {
    const { program } = instantiate(all, counts);
    const names = this.#goal.properties.map(({ name }) => name);
    const goal = {
      properties: program.properties.filter(({ name }) => names.includes(name)),
      assertions: this.#goal.assertions,
    };
    const found = await findViolation(model, program, goal, budget);
    return found.violation ? { ...found, problem: this.#problemIn(counts) } : found;
  }

  /**
   * The repair problem of the instance with the given numbers of copies: its items correspond one
   * to one to the items of the templates' problem, and include items of threads that the instance
   * lacks.
   */
  #problemIn(counts: readonly number[]): RepairProblem {
    const { program: templates, items } = this.#problem;
    const all = { templates, unbounded: this.#unbounded };
    const { program, templateOf } = instantiate(all, counts);
    return {
      program,
      items: items.map((item) => renamed(item, (thread) => templateOf.indexOf(thread))),
    };
  }
}
