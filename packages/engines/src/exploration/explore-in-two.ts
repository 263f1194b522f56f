import { addressOf } from '@fencewright/model/analysis/address-sets.js';
import type { Budget } from '@fencewright/ground/base/budget.js';
import { constantValue } from '@fencewright/model/program/evaluate.js';
import type { Program } from '@fencewright/model/program/program.js';
import { PackedExploration, type PackedOptions } from './packed-exploration.js';

/**
 * The maximum number of states of the first attempt. Exploring so few states costs less than the
 * analysis that the first attempt omits.
 */
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
 * Returns the findings of `search` in an exploration of the program. If the program computes
 * addresses, a first attempt treats all cells as shared. Only if its findings are not enough does
 * the second attempt determine which cells a single thread accesses.
 */
export async function exploreInTwo<Found>(
  program: Program,
  options: PackedOptions,
  budget: Budget,
  search: (exploration: PackedExploration, budget: Budget) => Promise<Found>,
  isEnough: (found: Found) => boolean,
): Promise<Found> {
  // The second attempt starts again, so the budget has to allow at least as many states.
  if (computesAddresses(program) && budget.room(0) >= 2 * firstStates) {
    const part = budget.part(firstStates);
    const exploration = new PackedExploration(program, { ...options, ownsCells: false });
    const found = await search(exploration, part);
    budget.finishPart(part);
    if (isEnough(found)) return found;
  }
  return search(new PackedExploration(program, options), budget);
}
