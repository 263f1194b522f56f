import type { Budget } from '../base/budget.js';
import { applyRepair } from '../fences/apply-repair.js';
import { sizeCosts } from '../fences/cost-models.js';
import { insertionProblem } from '../fences/repair-problem.js';
import { textThread } from '../fences/text-thread.js';
import type { Program } from '../program/program.js';
import { costOf, defaultHittingSetSolver } from '../solvers/hitting-set.js';
import type { TriangularRace, TrfRepair } from '../verdict/triangular-race.js';
import { findTriangularRace, type RaceSearch } from './find-triangular-race.js';

/** What a search for fences comes to: the fences, or the last search, which was cut short or whose race no fence may stop. */
export interface RaceRepair {
  readonly repair?: TrfRepair;
  readonly states: number;
  readonly last: RaceSearch;
}

/** Where a fence stops the race: the locations of the loading thread behind its earlier store, up to its load. */
function locationsBetween(
  program: Program,
  { computation, earlierStore, load }: TriangularRace,
): { readonly thread: number; readonly locations: ReadonlySet<number> } {
  const thread = computation[load]?.thread ?? 0;
  const transitions = program.threads[thread]?.transitions ?? [];
  const locations = new Set<number>();
  for (const action of computation.slice(earlierStore + 1, load + 1)) {
    if (action.thread !== thread || action.kind === 'store') continue;
    const from = transitions[action.transition]?.from;
    if (from !== undefined) locations.add(from);
  }
  return { thread, locations };
}

/**
 * The cheapest fences that leave no triangular race: take the cheapest set that hits all races found so far, look for a race in the
 * program with these fences, and again, until there is none. The set is optimal since every set that works has to hit every
 * one of these races.
 */
export async function repairTriangularRaces(program: Program, budget: Budget): Promise<RaceRepair> {
  const { items } = insertionProblem(program, 'fence', sizeCosts(program));
  const costs = items.map(({ cost }) => cost);
  const clauses: number[][] = [];
  let states = 0;
  for (;;) {
    const problem = { costs, clauses };
    const chosen = await defaultHittingSetSolver.solve(problem);
    const repair = chosen.flatMap((i) => items[i]?.item ?? []);
    const last = await findTriangularRace(applyRepair(program, repair), budget);
    states += last.states;
    if (last.incomplete) return { states, last };
    if (!last.race) {
      const fences = repair.flatMap((item) =>
        item.kind === 'fence' ? [{ thread: item.thread, location: item.location }] : [],
      );
      return { states, last, repair: { fences, cost: costOf(problem, chosen) } };
    }
    const { thread, locations } = locationsBetween(program, last.race);
    const text = textThread(program, thread);
    const clause = items.flatMap(({ item }, i) =>
      item.kind === 'fence' && item.thread === text && locations.has(item.location) ? [i] : [],
    );
    if (clause.length === 0) return { states, last };
    clauses.push(clause);
  }
}
