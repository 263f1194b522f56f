import { describe, expect, test } from 'vitest';
import { SeededRandom } from '../../src/base/random.js';
import {
  defaultHittingSetSolver,
  type HittingSetProblem,
  highsSolver,
  yalpsSolver,
} from '../../src/solvers/hitting-set.js';
import { cpuTimer } from '@fencewright/reference/testing/cpu-timer.js';

/** Returns the least total cost of a set of items that meets all clauses, by trying all sets. */
function leastCost({ costs, clauses, unless = [] }: HittingSetProblem): number | 'infeasible' {
  let least: number | 'infeasible' = 'infeasible';
  for (let bits = 0; bits < 2 ** costs.length; bits++) {
    const has = (item: number): boolean => (bits & (1 << item)) !== 0;
    const meets = clauses.every(
      (clause, c) => clause.some(has) || (unless[c] ?? []).some((item) => !has(item)),
    );
    const cost = costs.reduce((sum, own, item) => (has(item) ? sum + own : sum), 0);
    if (meets && (least === 'infeasible' || cost < least)) least = cost;
  }
  return least;
}

function randomProblem(random: SeededRandom): HittingSetProblem {
  const items = 2 + random.below(5);
  const some = (share: number): number[] =>
    Array.from({ length: items }, (_, i) => i).filter(() => random.below(share) === 0);
  const rows = Array.from({ length: 1 + random.below(5) }, () => some(3));
  return {
    costs: Array.from({ length: items }, () => 1 + random.below(4)),
    clauses: rows,
    unless: rows.map((row) => some(3).filter((item) => !row.includes(item))),
  };
}

/** Many small clauses of nearly equal costs: hard for branch and bound. */
function hardProblem(): HittingSetProblem {
  const random = new SeededRandom(5);
  const costs = Array.from({ length: 160 }, () => 100 + random.below(7));
  const clauses = Array.from({ length: 400 }, () =>
    Array.from({ length: 6 }, () => random.below(160)),
  );
  return { costs, clauses: clauses.map((clause) => [...new Set(clause)]) };
}

describe('hitting sets with clauses that an item left out meets', () => {
  test.each([yalpsSolver, highsSolver, defaultHittingSetSolver])(
    '$name finds a cheapest set, or that there is none',
    async (solver) => {
      const random = new SeededRandom(11);
      let infeasible = 0;
      for (let i = 0; i < 60; i++) {
        const problem = randomProblem(random);
        const answer = await solver.solve(problem);
        const least = leastCost(problem);
        if (least === 'infeasible') infeasible++;
        const found =
          typeof answer === 'string'
            ? answer
            : answer.reduce((sum, item) => sum + problem.costs[item]!, 0);
        expect(found, JSON.stringify(problem)).toBe(least);
      }
      expect(infeasible).toBeGreaterThan(1);
      expect(infeasible).toBeLessThan(50);
    },
  );

  test.each([yalpsSolver, highsSolver])('$name gives up when its time is over', async (solver) => {
    const took = cpuTimer();
    expect(await solver.solve(hardProblem(), 300)).toBe('time');
    expect(took()).toBeLessThan(6000);
  });
});
