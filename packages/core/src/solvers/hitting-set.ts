import { InternalError } from '../base/unreachable.js';

/** Choose items so that every clause has a chosen one, at least cost. */
export interface HittingSetProblem {
  /** Cost of each item, positive. */
  readonly costs: readonly number[];
  /** Each clause lists indices into `costs`; none is empty. */
  readonly clauses: readonly (readonly number[])[];
}

/** Solves weighted hitting-set problems to optimality. */
export interface HittingSetSolver {
  readonly name: string;
  /** The chosen items, ascending. */
  solve(problem: HittingSetProblem): Promise<readonly number[]>;
}

/** The summed cost of some items. */
export function costOf({ costs }: HittingSetProblem, items: readonly number[]): number {
  return items.reduce((sum, item) => sum + (costs[item] ?? 0), 0);
}

function checkHits({ clauses }: HittingSetProblem, items: readonly number[]): readonly number[] {
  const chosen = new Set(items);
  if (!clauses.every((clause) => clause.some((item) => chosen.has(item))))
    throw new InternalError('a solver returned a set that misses a clause');
  return [...items].sort((a, b) => a - b);
}

/** YALPS, a small branch-and-bound solver: quick to load, fine for small problems. */
export const yalpsSolver: HittingSetSolver = {
  name: 'yalps',
  async solve(problem) {
    if (problem.clauses.length === 0) return [];
    const { solve, greaterEq } = await import('yalps');
    const variables = problem.costs.map((cost, item) => {
      const covers = problem.clauses.flatMap((clause, c) => (clause.includes(item) ? [c] : []));
      return [
        `x${item}`,
        new Map([['cost', cost], ...covers.map((c) => [`c${c}`, 1] as const)]),
      ] as const;
    });
    const solution = solve(
      {
        direction: 'minimize',
        objective: 'cost',
        constraints: new Map(problem.clauses.map((_, c) => [`c${c}`, greaterEq(1)])),
        variables: new Map(variables),
        binaries: true,
      },
      { tolerance: 0, timeout: Number.POSITIVE_INFINITY, maxIterations: Number.POSITIVE_INFINITY },
    );
    if (solution.status !== 'optimal') throw new InternalError(`yalps: ${solution.status}`);
    const chosen = solution.variables.flatMap(([name, value]) =>
      value > 0.5 ? [Number(name.slice(1))] : [],
    );
    return checkHits(problem, chosen);
  },
};

function toLpFormat({ costs, clauses }: HittingSetProblem): string {
  const objective = costs.map((cost, item) => `${cost} x${item}`).join(' + ');
  const rows = clauses.map(
    (clause, c) => ` c${c}: ${clause.map((item) => `x${item}`).join(' + ')} >= 1`,
  );
  const binaries = costs.map((_, item) => `x${item}`).join(' ');
  return `Minimize\n obj: ${objective}\nSubject To\n${rows.join('\n')}\nBinary\n ${binaries}\nEnd\n`;
}

interface HighsSolution {
  readonly Status: string;
  readonly Columns: Readonly<Record<string, { readonly Primal?: number }>>;
}

interface Highs {
  solve(problem: string, options: Readonly<Record<string, unknown>>): HighsSolution;
}

let loadedHighs: Promise<Highs> | undefined;

async function loadHighs(): Promise<Highs> {
  // The package's types describe its CommonJS form.
  const module = (await import('highs')) as unknown as { default: () => Promise<Highs> };
  return module.default();
}

/** HiGHS in WebAssembly: the strongest free 0/1 solver there is; loaded when it is first needed. */
export const highsSolver: HittingSetSolver = {
  name: 'highs',
  async solve(problem) {
    if (problem.clauses.length === 0) return [];
    const highs = await (loadedHighs ??= loadHighs());
    const { Status, Columns } = highs.solve(toLpFormat(problem), {
      output_flag: false,
      mip_rel_gap: 0,
      mip_abs_gap: 0,
    });
    if (Status !== 'Optimal') throw new InternalError(`HiGHS: ${Status}`);
    const chosen = Object.entries(Columns).flatMap(([name, { Primal = 0 }]) =>
      Primal > 0.5 ? [Number(name.slice(1))] : [],
    );
    return checkHits(problem, chosen);
  },
};

/** Items up to which the small solver is used. */
const smallProblem = 40;

/** The quick solver for small problems, HiGHS for others; items that no clause asks for are left out of the count. */
export const defaultHittingSetSolver: HittingSetSolver = {
  name: 'yalps or highs',
  async solve({ costs, clauses }) {
    const used = [...new Set(clauses.flat())].sort((a, b) => a - b);
    const place = new Map(used.map((item, i) => [item, i]));
    const problem = {
      costs: used.map((item) => costs[item] ?? 0),
      clauses: clauses.map((clause) => clause.flatMap((item) => place.get(item) ?? [])),
    };
    const solver = used.length <= smallProblem ? yalpsSolver : highsSolver;
    const chosen = await solver.solve(problem);
    return chosen.flatMap((i) => used[i] ?? []);
  },
};
