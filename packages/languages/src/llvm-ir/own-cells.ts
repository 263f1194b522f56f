import { pieceOf } from './integer-pieces.js';
import type { OwnCell } from './lowering-state.js';
import type { CellPart } from './value.js';

/** The size of the largest cell of a thread alone. */
export const largestOwnCell = 8;

/** The two parts that a cell of so many bytes falls into: halves where there are any. */
function partsOfSize(size: number): readonly [number, number] {
  return size % 2 === 0 ? [size / 2, size / 2] : [1, size - 1];
}

/** A cell, and what is known of what is in it. */
interface CellWith<T> {
  readonly size: number;
  readonly value: T;
}

/**
 * Cuts the cell that has bytes on both sides of an address, part by part, until none has; `cut`
 * gives what is known of a part. False where no cell is cut.
 */
export function cutCellAt<T>(
  cells: Map<number, CellWith<T>>,
  address: number,
  cut: (value: T, size: number, part: CellPart) => T,
): boolean {
  for (let start = address - largestOwnCell + 1; start < address; start++) {
    const cell = cells.get(start);
    if (!cell || start + cell.size <= address) continue;
    const [low, high] = partsOfSize(cell.size);
    const piece = (offset: number, size: number): CellWith<T> => ({
      ...cell,
      size,
      value: cut(cell.value, cell.size, { offset, size }),
    });
    cells.set(start, piece(0, low));
    cells.set(start + low, piece(low, high));
    cutCellAt(cells, address, cut);
    return true;
  }
  return false;
}

/** The same for cells with values. */
export function cutAt(cells: Map<number, OwnCell>, address: number): void {
  cutCellAt(cells, address, pieceOf);
}

/** The cells that have bytes of these, by their addresses, cut where the bytes begin and end. */
export function cellsWithin(
  cells: Map<number, OwnCell>,
  address: number,
  size: number,
): readonly (readonly [address: number, cell: OwnCell])[] {
  cutAt(cells, address);
  cutAt(cells, address + size);
  const found: (readonly [number, OwnCell])[] = [];
  for (let at = address; at < address + size; at++) {
    const cell = cells.get(at);
    if (cell) found.push([at, cell]);
  }
  return found;
}

/** Drops all cells that have bytes of these. */
export function dropWithin(cells: Map<number, OwnCell>, address: number, size: number): void {
  for (const [at] of cellsWithin(cells, address, size)) cells.delete(at);
}
