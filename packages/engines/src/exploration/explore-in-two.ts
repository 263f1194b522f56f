import { addressOf } from '@fencewright/model/analysis/address-sets.js';
import type { Budget } from '@fencewright/ground/base/budget.js';
import { constantValue } from '@fencewright/model/program/evaluate.js';
import type { Program } from '@fencewright/model/program/program.js';
import { PackedExploration, type PackedOptions } from './packed-exploration.js';

/** States of the first attempt, which does without analyses that cost more than so few states. */
const firstStates = 2_000;

function computesAddresses({ threads, symbols }: Program): boolean {
  return threads.some(({ transitions }) =>
    transitions.some(({ instruction }) => {
      const address = addressOf(instruction);
      return address !== undefined && constantValue(address, symbols) === undefined;
    }),
  );
}

/**
 * What `search` finds in an exploration of the program. Where the program computes addresses, the
 * first attempt shares all cells; only if its states do not suffice (`isEnough` says no) is it
 * found out which cells only one thread accesses.
 */
export async function exploreInTwo<Found>(
  program: Program,
  options: PackedOptions,
  budget: Budget,
  search: (exploration: PackedExploration, budget: Budget) => Promise<Found>,
  isEnough: (found: Found) => boolean,
): Promise<Found> {
  // The states of the first attempt are lost: the second attempt must be able to get as far.
  if (computesAddresses(program) && budget.room(0) >= 2 * firstStates) {
    const part = budget.part(firstStates);
    const exploration = new PackedExploration(program, { ...options, ownsCells: false });
    const found = await search(exploration, part);
    budget.finishSearch(part.finishedStates, part.mostBytes);
    if (isEnough(found)) return found;
  }
  return search(new PackedExploration(program, options), budget);
}
