import { readsCell, writesCell } from '@fencewright/model/program/instruction.js';
import { at } from '@fencewright/ground/base/at.js';
import { addressOf } from '@fencewright/model/analysis/address-sets.js';
import {
  isOfThreads,
  type BodyId,
  type EventInstruction,
  type EventProgram,
  type MilestoneId,
} from '@fencewright/model/program/event-program.js';

/**
 * The possible accesses to each cell, indexed by cell: 1 a load, 2 a store, 3 both. The cells of
 * memory are followed by one cell for each milestone: passing the milestone is a store, waiting for
 * the milestone a load.
 */
export type Footprint = Uint8Array;

/** Returns the total number of cells of the program's variables. */
export function countCells({ symbols }: EventProgram): number {
  return symbols.reduce((most, { base, length }) => Math.max(most, base + length), 0);
}

/** Returns the number of all cells: the cells of memory and one cell for each milestone. */
export function countPlaces(program: EventProgram): number {
  return countCells(program) + (program.milestones ?? []).length;
}

/** Returns the number of the cell by which analyses represent a milestone. */
export function cellOfMilestone(program: EventProgram, milestone: MilestoneId): number {
  return countCells(program) + milestone;
}

function footprintOf(instruction: EventInstruction, program: EventProgram): Footprint {
  const cells = new Uint8Array(countPlaces(program));
  if (instruction.kind === 'pass') cells[cellOfMilestone(program, instruction.milestone)] = 2;
  if (!isOfThreads(instruction)) return cells;
  const address = addressOf(instruction);
  if (!address) return cells;
  const kind = (readsCell(instruction) ? 1 : 0) + (writesCell(instruction) ? 2 : 0);
  switch (address.kind) {
    case 'constant':
      if (address.value >= 0 && address.value < countCells(program)) cells[address.value] = kind;
      return cells;
    case 'address':
      cells[at(program.symbols, address.symbol).base] = kind;
      return cells;
    case 'element': {
      const { base, length } = at(program.symbols, address.symbol);
      return cells.fill(kind, base, base + length);
    }
    default:
      return cells.fill(kind, 0, countCells(program));
  }
}

/** Adds the accesses in `more` to `sum`. Returns whether this has changed `sum`. */
export function addFootprint(sum: Footprint, more: Footprint): boolean {
  let isMore = false;
  for (let cell = 0; cell < sum.length; cell++) {
    const both = (sum[cell] ?? 0) | (more[cell] ?? 0);
    if (both !== sum[cell]) {
      sum[cell] = both;
      isMore = true;
    }
  }
  return isMore;
}

/**
 * Returns a superset of the accesses of an invocation, with all direct and indirect calls and
 * posts; indexed by `BodyId`.
 */
export function computeFootprints(program: EventProgram): readonly Footprint[] {
  const own = program.bodies.map(({ transitions }) => {
    const sum = new Uint8Array(countPlaces(program));
    for (const { instruction } of transitions) addFootprint(sum, footprintOf(instruction, program));
    return sum;
  });
  const others = program.bodies.map(({ transitions }) => [
    ...new Set(
      transitions.flatMap(({ instruction }): BodyId[] =>
        instruction.kind === 'call' || instruction.kind === 'post' ? [instruction.body] : [],
      ),
    ),
  ]);
  for (let isGrowing = true; isGrowing;) {
    isGrowing = false;
    own.forEach((sum, body) => {
      for (const other of at(others, body))
        isGrowing = addFootprint(sum, at(own, other)) || isGrowing;
    });
  }
  return own;
}
