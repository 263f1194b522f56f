import type { Budget } from '@fencewright/ground/base/budget.js';
import { exactSum } from '@fencewright/ground/base/exact-sum.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import type { HittingSetSolver } from '@fencewright/ground/solvers/hitting-set.js';
import type { UnknownReason } from '@fencewright/model/verdict/verdict.js';

/**
 * The requirement of a counterexample on every working choice of items: some item of `items` is
 * chosen, or some item of `unless` is not chosen.
 */
export interface Clause {
  /** The items to choose at least one of, as indices, ascending. */
  readonly items: readonly number[];
  /**
   * The alternative to `items`: at least one item of `unless` is not chosen; indices, ascending;
   * default none.
   */
  readonly unless?: readonly number[];
}

/** The answer to "which items are the cheapest that work?". */
export type CheapestAnswer<C extends Clause> =
  | {
      readonly kind: 'optimal';
      /** The chosen items that are the cheapest, as indices, ascending. */
      readonly chosen: readonly number[];
      readonly cost: number;
      /** The clauses that prove the choice cheapest: no cheaper choice meets all clauses. */
      readonly clauses: readonly C[];
    }
  /** No choice of items meets both this clause and all earlier clauses. */
  | { readonly kind: 'impossible'; readonly clause: C }
  | {
      readonly kind: 'unknown';
      readonly reason: UnknownReason;
      /** A lower bound on the cost of all choices of items that work. */
      readonly bound: number;
      readonly clauses: readonly C[];
    };

/**
 * The problem of finding the cheapest items that work: candidate items, and a function that tests a
 * choice.
 */
interface HittingTask<C extends Clause> {
  /** For each item, its cost, a positive number. */
  readonly costs: readonly number[];
  /**
   * The rank of each item, from 0 on: among choices of equal cost, one with the smallest sum of
   * ranks is chosen. Absent if any of these choices will do.
   */
  readonly ranks?: readonly number[];
  /**
   * Returns new ranks of the items, given the clauses found. Among working choices of equal cost, a
   * choice with a smaller sum of the new ranks is preferred. Absent if `ranks` are the final ranks.
   */
  readonly refine?: (clauses: readonly C[]) => readonly number[];
  /**
   * Returns a choice to prefer among those of the given cost; `undefined` if there is none. Called
   * when some choice of this cost works. The returned choice is the answer if it works, too.
   */
  readonly preferred?: (cost: number) => Promise<readonly number[] | undefined>;
  readonly solver: HittingSetSolver;
  readonly budget: Budget;
  /** The clauses that are known before the first test; default none. */
  readonly known?: readonly C[];
  /**
   * Tests a choice of items. Returns `undefined` if the choice works, the clause of a
   * counterexample, which the choice does not meet, or the reason why the result is unknown.
   */
  readonly refute: (chosen: readonly number[]) => Promise<C | UnknownReason | undefined>;
}

/**
 * Combines costs and ranks into weights, in which ranks decide only between equal costs; returns
 * the costs alone if exact numbers cannot hold both.
 */
function weightsOf({
  costs,
  ranks,
}: Pick<HittingTask<Clause>, 'costs' | 'ranks'>): readonly number[] {
  if (!ranks) return costs;
  const unit = 1 + ranks.reduce((sum, rank) => sum + rank, 0);
  const weights = costs.map((cost, item) => cost * unit + ranks[item]!);
  const isExact =
    costs.every(Number.isSafeInteger) &&
    Number.isSafeInteger(weights.reduce((sum, weight) => sum + weight, 0));
  return isExact ? weights : costs;
}

function meets({ items, unless = [] }: Clause, chosen: readonly number[]): boolean {
  return (
    items.some((item) => chosen.includes(item)) || unless.some((item) => !chosen.includes(item))
  );
}

function hittingProblem(
  weights: readonly number[],
  clauses: readonly Clause[],
): Parameters<HittingSetSolver['solve']>[0] {
  return {
    costs: weights,
    clauses: clauses.map(({ items }) => items),
    unless: clauses.map(({ unless = [] }) => unless),
  };
}

/** The maximum number of choices that are tested because of refined ranks. */
const mostRefinements = 4;

/**
 * Returns a working choice of the same cost as the working choice `chosen`, but with a smaller sum
 * of refined ranks; `chosen` if no such choice is found within the limits. The clauses that prove
 * the cost stay the same.
 */
async function refineChoice<C extends Clause>(
  { costs, refine, solver, budget, refute }: HittingTask<C>,
  chosen: readonly number[],
  clauses: readonly C[],
): Promise<readonly number[]> {
  if (!refine || !budget.isMostlyLeft) return chosen;
  const all = [...clauses];
  for (let i = 0; i < mostRefinements; i++) {
    const weights = weightsOf({ costs, ranks: refine(all) });
    budget.spend(all.reduce((sum, { items }) => sum + items.length, weights.length));
    if (weights === costs || !budget.isMostlyLeft) return chosen;
    const better = await solver.solve(hittingProblem(weights, all), budget.timeLeft);
    if (typeof better === 'string') return chosen;
    const weightOf = (choice: readonly number[]): number =>
      exactSum(choice.map((item) => weights[item]!));
    const isSame = better.length === chosen.length && better.every((item) => chosen.includes(item));
    if (isSame || weightOf(better) >= weightOf(chosen)) return chosen;
    // `chosen` works, so no further clause makes the cheapest choice dearer than `chosen`.
    const refuted = await refute(better);
    if (!refuted) return better;
    if (typeof refuted === 'string') return chosen;
    all.push(refuted);
  }
  return chosen;
}

/**
 * Returns the preferred choice, if it has the cost of the cheapest choices and works; otherwise
 * `undefined`.
 */
async function preferredChoice<C extends Clause>(
  { costs, preferred, budget, refute }: HittingTask<C>,
  cost: number,
): Promise<readonly number[] | undefined> {
  if (!preferred || !budget.isMostlyLeft) return undefined;
  const choice = await preferred(cost);
  if (!choice || exactSum(choice.map((item) => costs[item]!)) !== cost) return undefined;
  return (await refute(choice)) === undefined ? choice : undefined;
}

/**
 * Finds the cheapest working items, with a proof of optimality, by an implicit hitting set: take
 * the cheapest choice that meets all clauses so far, find a counterexample, add its clause, and
 * repeat until there is no counterexample. This solves the ILP of [BDM13] Sect. 7.2, with the sets
 * found on demand.
 */
export async function findCheapest<C extends Clause>(
  task: HittingTask<C>,
): Promise<CheapestAnswer<C>> {
  const { costs, ranks, solver, budget, known = [], refute } = task;
  const weights = weightsOf({ costs, ...(ranks && { ranks }) });
  const clauses: C[] = [...known];
  let bound = 0;
  for (;;) {
    const problem = hittingProblem(weights, clauses);
    budget.spend(clauses.reduce((sum, { items }) => sum + items.length, weights.length));
    if (budget.spentBy(0) === 'work') return { kind: 'unknown', reason: 'work', bound, clauses };
    const chosen = await solver.solve(problem, budget.timeLeft);
    if (chosen === 'time') return { kind: 'unknown', reason: 'time', bound, clauses };
    if (chosen === 'infeasible') {
      const clause = clauses.at(-1);
      if (!clause) throw new InternalError('nothing meets no clauses');
      return { kind: 'impossible', clause };
    }
    bound = exactSum(chosen.map((item) => costs[item]!));
    const refuted = await refute(chosen);
    if (!refuted) {
      const best =
        (await preferredChoice(task, bound)) ?? (await refineChoice(task, chosen, clauses));
      return { kind: 'optimal', chosen: best, cost: bound, clauses };
    }
    if (typeof refuted === 'string') return { kind: 'unknown', reason: refuted, bound, clauses };
    if (meets(refuted, chosen))
      throw new InternalError('a choice does not prevent what it should prevent');
    clauses.push(refuted);
  }
}
