import type { SmtSolver } from './smt-solver.js';

/** Returns the solver with a limit on the total effort of all queries, in the solver's own unit. */
export function withinEffort(solver: SmtSolver, effort = Number.POSITIVE_INFINITY): SmtSolver {
  let left = effort;
  return {
    name: solver.name,
    async solve(query) {
      if (left <= 0) return { kind: 'unknown', reason: 'effort', detail: 'no effort is left' };
      const most = Math.min(query.effort ?? left, left);
      const answer = await solver.solve({ ...query, ...(most < Infinity && { effort: most }) });
      left -= answer.effort ?? 0;
      return answer;
    },
    close: () => solver.close(),
  };
}
