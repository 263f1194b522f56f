import { at } from '@fencewright/ground/base/at.js';
import type { Budget } from '@fencewright/ground/base/budget.js';
import { applyRepair } from './apply-repair.js';
import { type CheapestAnswer, type Clause, findCheapest } from './cheapest-hitting.js';
import { sizeCosts } from './cost-models.js';
import { insertionProblem } from './repair-problem.js';
import { textThread } from './text-thread.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { PricedRepair } from '@fencewright/model/program/repair.js';
import { defaultHittingSetSolver } from '@fencewright/ground/solvers/hitting-set.js';
import type { TriangularRace } from '@fencewright/model/verdict/triangular-race.js';
import { findTriangularRace } from '@fencewright/engines/triangular-races/find-triangular-race.js';

/** A clause met by every set of fences without triangular races: only `items` stop the race. */
interface RaceClause extends Clause {
  /** A triangular race of the original program, which the clause was derived from. */
  readonly race: TriangularRace;
}

/** The answer to "which fences leave no triangular race?". */
export type RaceRepairAnswer = CheapestAnswer<RaceClause>;

/** The answer to the search for fences, with the states of all its searches for races. */
interface RaceRepair {
  /** The candidate fences among which the answer chooses. */
  readonly items: readonly PricedRepair[];
  readonly answer: RaceRepairAnswer;
  readonly states: number;
}

/**
 * Converts a race of a program with fences to a race of the original program: inserted fences are
 * left out.
 */
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

/**
 * Returns the fences that stop the race: those of the loading thread between its earlier store and
 * its load.
 */
function fencesThatStop(
  program: Program,
  items: readonly PricedRepair[],
  { computation, earlierStore, load }: TriangularRace,
): number[] {
  const thread = at(computation, load).thread;
  const transitions = program.threads[thread]?.transitions ?? [];
  const locations = new Set<number>();
  for (const action of computation.slice(earlierStore + 1, load + 1)) {
    if (action.thread !== thread || action.kind === 'store') continue;
    const from = transitions[action.transition]?.from;
    if (from !== undefined) locations.add(from);
  }
  const text = textThread(program, thread);
  return items.flatMap((item, index) =>
    item.kind === 'fence' && item.thread === text && locations.has(item.location) ? [index] : [],
  );
}

/**
 * Finds the cheapest fences leaving no triangular race: every sufficient set contains a fence that
 * stops each race found.
 */
export async function repairTriangularRaces(program: Program, budget: Budget): Promise<RaceRepair> {
  const { items } = insertionProblem(program, 'fence', sizeCosts(program));
  let states = 0;
  const answer = await findCheapest<RaceClause>({
    costs: items.map(({ cost }) => cost),
    solver: defaultHittingSetSolver,
    budget,
    refute: async (chosen) => {
      const repaired = applyRepair(
        program,
        chosen.map((index) => items[index]!),
      );
      const search = await findTriangularRace(repaired, budget);
      states += search.states;
      if (search.incomplete) return search.incomplete;
      if (!search.race) return search.faults.length > 0 ? 'unsupported' : undefined;
      const race = withoutFences(program, search.race);
      return { items: fencesThatStop(program, items, race), race };
    },
  });
  return { items, answer, states };
}
