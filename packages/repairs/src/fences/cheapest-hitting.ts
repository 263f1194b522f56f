import type { Budget } from '@fencewright/ground/base/budget.js';
import { exactSum } from '@fencewright/ground/base/exact-sum.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import type { HittingSetSolver } from '@fencewright/ground/solvers/hitting-set.js';
import type { UnknownReason } from '@fencewright/model/verdict/verdict.js';

/**
 * The requirement of a counterexample for every working choice of items: one of `items` is chosen,
 * or one of `unless` is not.
 */
export interface Clause {
  /** The items of which one must be chosen, as indices, ascending. */
  readonly items: readonly number[];
  /** The items of which one must not be chosen, as indices, ascending; default none. */
  readonly unless?: readonly number[];
}

/** The answer to "which items are the cheapest that work?". */
export type CheapestAnswer<C extends Clause> =
  | {
      readonly kind: 'optimal';
      /** The chosen items, as indices, ascending. */
      readonly chosen: readonly number[];
      readonly cost: number;
      /** The clauses that no cheaper choice meets. */
      readonly clauses: readonly C[];
    }
  /** No choice of items meets both this clause and all earlier clauses. */
  | { readonly kind: 'impossible'; readonly clause: C }
  | {
      readonly kind: 'unknown';
      readonly reason: UnknownReason;
      /** A lower bound on the cost of working choices. */
      readonly bound: number;
      readonly clauses: readonly C[];
    };

/**
 * The problem of finding the cheapest items that work: candidate items, and a function that tests a
 * choice.
 */
interface HittingTask<C extends Clause> {
  /** The cost of each item, positive. */
  readonly costs: readonly number[];
  /**
   * The rank of each item, from 0 on: among choices of equal cost, one with the smallest sum of
   * ranks is chosen. Without ranks, any of these choices.
   */
  readonly ranks?: readonly number[];
  readonly solver: HittingSetSolver;
  readonly budget: Budget;
  /** Clauses that are known before the first test; default none. */
  readonly known?: readonly C[];
  /**
   * Tests a choice of items: returns the clause of a counterexample, which the choice does not
   * meet; `undefined` if the choice works, a reason if this is unknown.
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

/**
 * Finds the cheapest working items, with a proof of optimality, by an implicit hitting set: take
 * the cheapest choice that meets all clauses so far, find a counterexample, add its clause, and
 * repeat until there is no counterexample. This solves the ILP of [BDM13] Sect. 7.2, with the sets
 * found on demand.
 */
export async function findCheapest<C extends Clause>({
  costs,
  ranks,
  solver,
  budget,
  known = [],
  refute,
}: HittingTask<C>): Promise<CheapestAnswer<C>> {
  const weights = weightsOf({ costs, ...(ranks && { ranks }) });
  const clauses: C[] = [...known];
  let bound = 0;
  for (;;) {
    const problem = {
      costs: weights,
      clauses: clauses.map(({ items }) => items),
      unless: clauses.map(({ unless = [] }) => unless),
    };
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
    if (!refuted) return { kind: 'optimal', chosen, cost: bound, clauses };
    if (typeof refuted === 'string') return { kind: 'unknown', reason: refuted, bound, clauses };
    if (meets(refuted, chosen))
      throw new InternalError('a choice does not prevent what it should prevent');
    clauses.push(refuted);
  }
}
