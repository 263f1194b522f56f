import { at } from '../base/at.js';
import { InternalError } from '../base/unreachable.js';

/** A hitting-set problem: choose items of least total cost such that every clause is met. */
export interface HittingSetProblem {
  /** The cost of choosing each item, by index of the item; positive. */
  readonly costs: readonly number[];
  /** Each clause lists indices into `costs`, and is met if any of these items is chosen. */
  readonly clauses: readonly (readonly number[])[];
  /**
   * For each clause, by its index, further items: the clause is also met if one of these items is
   * not chosen. No such items if absent.
   */
  readonly unless?: readonly (readonly number[])[];
}

/**
 * The chosen items, ascending; `infeasible` if no choice meets all clauses; `time` if the time
 * limit was reached.
 */
type HittingSetAnswer = readonly number[] | 'infeasible' | 'time';

/** Solves weighted hitting-set problems to optimality. */
export interface HittingSetSolver {
  readonly name: string;
  /**
   * Solves a problem. `milliseconds` is the time limit, observed to within a second; unlimited if
   * absent.
   */
  solve(problem: HittingSetProblem, milliseconds?: number): Promise<HittingSetAnswer>;
}

/** Returns the items of which a clause needs only one that is not chosen to be met. */
function unlessOf({ unless }: HittingSetProblem, clause: number): readonly number[] {
  return unless?.[clause] ?? [];
}

/** Whether some clause has no items, so that no choice of items meets it. */
function hasEmptyClause(problem: HittingSetProblem): boolean {
  return problem.clauses.some((items, c) => items.length + unlessOf(problem, c).length === 0);
}

function checkHits(problem: HittingSetProblem, items: readonly number[]): readonly number[] {
  const chosen = new Set(items);
  const isMet = (clause: readonly number[], c: number): boolean =>
    clause.some((item) => chosen.has(item)) ||
    unlessOf(problem, c).some((item) => !chosen.has(item));
  if (!problem.clauses.every(isMet))
    throw new InternalError('a solver returned a set that misses a clause');
  return [...items].sort((a, b) => a - b);
}

/** The solver YALPS, a small branch-and-bound solver: quick to load, fine for small problems. */
export const yalpsSolver: HittingSetSolver = {
  name: 'yalps',
  async solve(problem, milliseconds = Number.POSITIVE_INFINITY) {
    if (problem.clauses.length === 0) return [];
    if (hasEmptyClause(problem)) return 'infeasible';
    const { solve, greaterEq } = await import('yalps');
    const variables = problem.costs.map((cost) => new Map([['cost', cost]]));
    problem.clauses.forEach((clause, c) => {
      for (const item of clause) variables[item]?.set(`c${c}`, 1);
      for (const item of unlessOf(problem, c)) variables[item]?.set(`c${c}`, -1);
    });
    const solution = solve(
      {
        direction: 'minimize',
        objective: 'cost',
        constraints: new Map(
          problem.clauses.map((_, c) => [`c${c}`, greaterEq(1 - unlessOf(problem, c).length)]),
        ),
        variables: new Map(variables.map((row, item) => [`x${item}`, row] as const)),
        binaries: true,
      },
      { tolerance: 0, timeout: milliseconds, maxIterations: Number.POSITIVE_INFINITY },
    );
    if (solution.status === 'infeasible') return 'infeasible';
    if (solution.status === 'timedout') return 'time';
    if (solution.status !== 'optimal') throw new InternalError(`yalps: ${solution.status}`);
    const chosen = solution.variables.flatMap(([name, value]) =>
      value > 0.5 ? [Number(name.slice(1))] : [],
    );
    return checkHits(problem, chosen);
  },
};

function toLpFormat(problem: HittingSetProblem): string {
  const { costs, clauses } = problem;
  const objective = costs.map((cost, item) => `${cost} x${item}`).join(' + ');
  const rows = clauses.map((clause, c) => {
    const unless = unlessOf(problem, c);
    const left = clause.map((item) => `+ x${item}`).join(' ');
    const right = unless.map((item) => ` - x${item}`).join('');
    return ` c${c}: ${left}${right} >= ${1 - unless.length}`;
  });
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

/** The solver HiGHS in WebAssembly, the strongest free 0/1 solver; loaded on demand. */
export const highsSolver: HittingSetSolver = {
  name: 'highs',
  async solve(problem, milliseconds) {
    if (problem.clauses.length === 0) return [];
    if (hasEmptyClause(problem)) return 'infeasible';
    const highs = await (loadedHighs ??= loadHighs());
    const { Status, Columns } = highs.solve(toLpFormat(problem), {
      output_flag: false,
      mip_rel_gap: 0,
      mip_abs_gap: 0,
      ...(milliseconds !== undefined &&
        Number.isFinite(milliseconds) && { time_limit: milliseconds / 1000 }),
    });
    if (Status === 'Infeasible') return 'infeasible';
    if (Status === 'Time limit reached') return 'time';
    if (Status !== 'Optimal') throw new InternalError(`HiGHS: ${Status}`);
    const chosen = Object.entries(Columns).flatMap(([name, { Primal = 0 }]) =>
      Primal > 0.5 ? [Number(name.slice(1))] : [],
    );
    return checkHits(problem, chosen);
  },
};

/** The maximum number of items for which the default solver uses YALPS. */
const smallProblem = 40;

/**
 * The solver that uses YALPS for small problems and HiGHS for large ones; items not in any clause
 * are not counted.
 */
export const defaultHittingSetSolver: HittingSetSolver = {
  name: 'yalps or highs',
  async solve(problem, milliseconds) {
    const { costs, clauses, unless = [] } = problem;
    const used = [...new Set([...clauses.flat(), ...unless.flat()])].sort((a, b) => a - b);
    const place = new Map(used.map((item, i) => [item, i]));
    const renumbered = (lists: readonly (readonly number[])[]): number[][] =>
      lists.map((list) => list.flatMap((item) => place.get(item) ?? []));
    const solver = used.length <= smallProblem ? yalpsSolver : highsSolver;
    const answer = await solver.solve(
      {
        costs: used.map((item) => at(costs, item)),
        clauses: renumbered(clauses),
        unless: renumbered(unless),
      },
      milliseconds,
    );
    return typeof answer === 'string' ? answer : answer.flatMap((i) => used[i] ?? []);
  },
};
