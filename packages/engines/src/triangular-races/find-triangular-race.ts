import type { Budget } from '@fencewright/ground/base/budget.js';
import { instructionMayFault } from '@fencewright/model/analysis/possible-faults.js';
import type { Program } from '@fencewright/model/program/program.js';
import { findRaceByExploration } from './find-race-by-exploration.js';
import { findNearRace } from './near-race.js';
import { possibleRaces } from './possible-races.js';
import type { RaceSearch } from './race-at.js';

/**
 * Finds a triangular race of the program, with an SC computation. A triangular race is a load in an
 * SC computation directly followed by another thread's write to the loaded address, if the loading
 * thread has earlier stored to another address with no fence, rmw, lock or unlock of its own in
 * between. The write may be part of a locked instruction, the load may not.
 *
 * A lock block counts as one step: a write inside the block directly follows the action before the
 * block. A block that may write also races if the block directly follows the load and reads an
 * address of such an earlier store: under TSO the block may see the old value, and then write to
 * the loaded address although the block does not do so under SC.
 *
 * A heavy fence counts as a fence of its own thread, and not for others: more executions then
 * count, so a program without races is robust with the heavy fence, too.
 *
 * A program without triangular races has no TSO executions beyond the SC executions, and is robust.
 * Exact if the SC states are finitely many, or if the control flow leaves no race. Source: Owens,
 * ECOOP 2010 [Owe10]; lock blocks and the order of load and write, which commute up to here, are
 * ours.
 */
export async function findTriangularRace(program: Program, budget: Budget): Promise<RaceSearch> {
  const possible = possibleRaces(program);
  if (possible.length > 0) {
    const race = findNearRace(program, possible, budget);
    if (race) return race;
  } else if (!mayFault(program)) {
    return { states: 0, faults: [] };
  }
  return findRaceByExploration(program, budget);
}

function mayFault(program: Program): boolean {
  return program.threads.some(({ transitions }) =>
    transitions.some(({ instruction }) => instructionMayFault(program, instruction)),
  );
}
