import type { Budget } from '@fencewright/ground/base/budget.js';
import { exactSum } from '@fencewright/ground/base/exact-sum.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import type { HittingSetSolver } from '@fencewright/ground/solvers/hitting-set.js';
import type { UnknownReason } from '@fencewright/model/verdict/verdict.js';

/**
 * What a counterexample asks of every choice that is to work: one of `items`, or to do without one
 * of `unless`.
 */
export interface Clause {
  /** Indices into the items, ascending. */
  readonly items: readonly number[];
  /** The same; none where absent. */
  readonly unless?: readonly number[];
}

/** The answer to "which items are the cheapest that work?". */
export type CheapestAnswer<C extends Clause> =
  | {
      readonly kind: 'optimal';
      /** Indices into the items, ascending. */
      readonly chosen: readonly number[];
      readonly cost: number;
      /** No cheaper choice meets all of these. */
      readonly clauses: readonly C[];
    }
  /** No choice meets this clause and those that were found before it. */
  | { readonly kind: 'impossible'; readonly clause: C }
  | {
      readonly kind: 'unknown';
      readonly reason: UnknownReason;
      /** Whatever works costs at least this. */
      readonly bound: number;
      readonly clauses: readonly C[];
    };

/** What to choose from, and how. */
interface HittingTask<C extends Clause> {
  /** The cost of each item, positive. */
  readonly costs: readonly number[];
  /** Of choices that cost the same one with the smallest sum of these, from 0 on; by item. */
  readonly ranks?: readonly number[];
  readonly solver: HittingSetSolver;
  readonly budget: Budget;
  /**
   * The clause of a counterexample to a choice, which the choice does not meet; `undefined` if it
   * works, a reason if that is not known.
   */
  readonly refute: (chosen: readonly number[]) => Promise<C | UnknownReason | undefined>;
}

/**
 * The costs, so that of equal ones the ranks decide; the costs themselves where numbers are too
 * small to hold both.
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
 * The cheapest items that work, with the proof that none are cheaper, by an implicit hitting set:
 * the cheapest choice that meets all clauses so far, a counterexample to it, its clause, and again,
 * until there is none. It is what [BDM13] Sect. 7.2 asks of an ILP, with the sets found on demand.
 */
export async function findCheapest<C extends Clause>({
  costs,
  ranks,
  solver,
  budget,
  refute,
}: HittingTask<C>): Promise<CheapestAnswer<C>> {
  const weights = weightsOf({ costs, ...(ranks && { ranks }) });
  const clauses: C[] = [];
  let bound = 0;
  for (;;) {
    const problem = {
      costs: weights,
      clauses: clauses.map(({ items }) => items),
      unless: clauses.map(({ unless = [] }) => unless),
    };
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
