import type { Budget } from '../base/budget.js';
import { applyRepair } from '../fences/apply-repair.js';
import { sizeCosts } from '../fences/cost-models.js';
import type { PricedItem } from '../fences/repair-item.js';
import { insertionProblem } from '../fences/repair-problem.js';
import { textThread } from '../fences/text-thread.js';
import type { Program } from '../program/program.js';
import { costOf, defaultHittingSetSolver } from '../solvers/hitting-set.js';
import type { TriangularRace } from '../verdict/triangular-race.js';
import type { UnknownReason } from '../verdict/verdict.js';
import { findTriangularRace } from './find-triangular-race.js';

/** Every set of fences that leaves no triangular race has one of `items`: no other fence stops the race. */
export interface RaceClause {
  /** Indices into the items of the answer, ascending. */
  readonly items: readonly number[];
  /** A race of the program as it is. */
  readonly race: TriangularRace;
}

/** The answer to "which fences leave no triangular race?". */
export type RaceRepairAnswer =
  | {
      readonly kind: 'optimal';
      readonly items: readonly PricedItem[];
      /** Indices into `items`, ascending. */
      readonly chosen: readonly number[];
      readonly cost: number;
      readonly clauses: readonly RaceClause[];
    }
  /** No allowed fence stops this race. */
  | { readonly kind: 'impossible'; readonly race: TriangularRace }
  | { readonly kind: 'unknown'; readonly reason: UnknownReason };

/** A search for fences, with the states of all its searches for races. */
export interface RaceRepair {
  readonly answer: RaceRepairAnswer;
  readonly states: number;
}

/** A race of a program with fences as one of the program: the inserted fences are left out. */
function withoutFences(
  { threads }: Program,
  { computation, earlierStore, load, other }: TriangularRace,
): TriangularRace {
  const isOwn = computation.map(
    ({ thread, transition }) => threads[thread]?.transitions[transition] !== undefined,
  );
  const moved = (index: number): number => isOwn.slice(0, index).filter((own) => own).length;
  return {
    computation: computation.filter((_, index) => isOwn[index]),
    earlierStore: moved(earlierStore),
    load: moved(load),
    other: moved(other),
  };
}

/** The fences that stop the race: where the loading thread stands behind its earlier store, up to its load. */
function fencesThatStop(
  program: Program,
  items: readonly PricedItem[],
  { computation, earlierStore, load }: TriangularRace,
): number[] {
  const thread = computation[load]?.thread ?? 0;
  const transitions = program.threads[thread]?.transitions ?? [];
  const locations = new Set<number>();
  for (const action of computation.slice(earlierStore + 1, load + 1)) {
    if (action.thread !== thread || action.kind === 'store') continue;
    const from = transitions[action.transition]?.from;
    if (from !== undefined) locations.add(from);
  }
  const text = textThread(program, thread);
  return items.flatMap(({ item }, index) =>
    item.kind === 'fence' && item.thread === text && locations.has(item.location) ? [index] : [],
  );
}

/**
 * The cheapest fences that leave no triangular race: take the cheapest set that hits all races found so far, look for a race in the
 * program with these fences, and again, until there is none. The set is optimal since every set that works has to hit every
 * one of these races.
 */
export async function repairTriangularRaces(program: Program, budget: Budget): Promise<RaceRepair> {
  const { items } = insertionProblem(program, 'fence', sizeCosts(program));
  const costs = items.map(({ cost }) => cost);
  const clauses: RaceClause[] = [];
  let states = 0;
  const finish = (answer: RaceRepairAnswer): RaceRepair => ({ answer, states });
  for (;;) {
    const problem = { costs, clauses: clauses.map((clause) => clause.items) };
    const chosen = await defaultHittingSetSolver.solve(problem, budget.timeLeft);
    if (chosen === 'time') return finish({ kind: 'unknown', reason: 'time' });
    const fences = typeof chosen === 'string' ? [] : chosen;
    const repair = fences.flatMap((i) => items[i]?.item ?? []);
    const search = await findTriangularRace(applyRepair(program, repair), budget);
    states += search.states;
    if (search.incomplete) return finish({ kind: 'unknown', reason: search.incomplete });
    if (!search.race) {
      if (search.faults.length > 0) return finish({ kind: 'unknown', reason: 'unsupported' });
      const cost = costOf(problem, fences);
      return finish({ kind: 'optimal', items, chosen: fences, cost, clauses });
    }
    const race = withoutFences(program, search.race);
    const stopping = fencesThatStop(program, items, race);
    if (stopping.length === 0) return finish({ kind: 'impossible', race });
    clauses.push({ items: stopping, race });
  }
}
