import { InternalError } from '@fencewright/ground/base/unreachable.js';

/**
 * The problem of choosing one set of fences for each attack such that all chosen fences together
 * cost least.
 */
interface FenceSelectionProblem {
  readonly costs: readonly number[];
  /**
   * For each attack, the sets of items that eliminate the attack; items are indices into `costs`.
   */
  readonly families: readonly (readonly (readonly number[])[])[];
}

/** Returns the items of an optimal solution of ILP (14), ascending. Source: [BDM13] Sect. 7.2. */
export async function selectFenceSets({
  costs,
  families,
}: FenceSelectionProblem): Promise<readonly number[]> {
  if (families.length === 0) return [];
  const { solve, greaterEq } = await import('yalps');
  const constraints = new Map<string, ReturnType<typeof greaterEq>>();
  const variables = new Map<string, Map<string, number>>();
  costs.forEach((cost, item) => variables.set(`x${item}`, new Map([['cost', cost]])));
  families.forEach((sets, a) => {
    constraints.set(`attack${a}`, greaterEq(1));
    sets.forEach((set, f) => {
      // sum of x_l over l in F, minus |F| x_F, is at least 0
      const row = `set${a}.${f}`;
      constraints.set(row, greaterEq(0));
      variables.set(
        row,
        new Map([
          [`attack${a}`, 1],
          [row, -set.length],
        ]),
      );
      for (const item of set) variables.get(`x${item}`)?.set(row, 1);
    });
  });
  const solution = solve(
    { direction: 'minimize', objective: 'cost', constraints, variables, binaries: true },
    { tolerance: 0, timeout: Number.POSITIVE_INFINITY, maxIterations: Number.POSITIVE_INFINITY },
  );
  if (solution.status !== 'optimal') throw new InternalError(`yalps: ${solution.status}`);
  return solution.variables
    .flatMap(([name, value]) =>
      name.startsWith('x') && value > 0.5 ? [Number(name.slice(1))] : [],
    )
    .sort((a, b) => a - b);
}
