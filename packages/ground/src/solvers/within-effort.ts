import type { Meter } from '../base/budget.js';
import type { SmtSolver } from './smt-solver.js';

/**
 * The least number that Z3 does not accept as a limit on effort; a larger effort means no limit.
 */
const efforts = 2 ** 32;

/** Returns the solver with a limit on the total effort of all queries, in the solver's own unit. */
export function withinEffort(solver: SmtSolver, effort = Number.POSITIVE_INFINITY): SmtSolver {
  return withinMeter(solver, { left: effort });
}

/**
 * Returns the solver with a limit on its effort: the work that is left in a meter. A step of the
 * solver counts as a state.
 */
export function withinMeter(solver: SmtSolver, meter: Meter): SmtSolver {
  return {
    name: solver.name,
    async solve(query) {
      const { left } = meter;
      if (left <= 0) return { kind: 'unknown', reason: 'effort', detail: 'no effort is left' };
      const most = Math.min(query.effort ?? left, left);
      const answer = await solver.solve({ ...query, ...(most < efforts && { effort: most }) });
      const isSpent = answer.kind === 'unknown' && answer.reason === 'effort';
      // The solver does not count the work of reading a script that ends there.
      meter.left -= isSpent ? most : (answer.effort ?? 0);
      return answer;
    },
    close: () => solver.close(),
  };
}
