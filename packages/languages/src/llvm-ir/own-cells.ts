import { checkNoAddress } from './address-numbers.js';
import { pieceOf } from './integer-pieces.js';
import type { OwnCell } from './lowering-state.js';
import type { ByteMemory } from './memory.js';
import type { CellPart, LoweredValue } from './value.js';

/**
 * The maximum size of an `OwnCell` in bytes. Larger memory of a single thread is divided into
 * several cells.
 */
export const largestOwnCell = 8;

/**
 * The sizes in bytes of the two parts of a cell of `size` bytes that is cut: two halves for an even
 * size.
 */
function partsOfSize(size: number): readonly [number, number] {
  return size % 2 === 0 ? [size / 2, size / 2] : [1, size - 1];
}

/** The size of a cell in bytes, and its content. */
interface CellWith<T> {
  readonly size: number;
  readonly value: T;
}

/**
 * Cuts the cell that spans an address into parts until no cell spans the address. `cut` returns the
 * content of a part. Returns false if no cell is cut.
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

/**
 * Cuts the cell around an address, together with the content, so that a cell may begin at the
 * address.
 */
export function cutAt(cells: Map<number, OwnCell>, address: number): void {
  for (let start = address - largestOwnCell + 1; start < address; start++) {
    const cell = cells.get(start);
    if (cell?.size === largestOwnCell && cell.value.kind === 'number')
      cells.set(start, { ...cell, cutFrom: cell.value.number });
  }
  cutCellAt(cells, address, pieceOf);
}

/** The cell that is larger than the bytes and contains them, with its address. */
export function cellAround(
  cells: ReadonlyMap<number, OwnCell>,
  address: number,
  size: number,
): readonly [address: number, cell: OwnCell] | undefined {
  for (let start = address - largestOwnCell + 1; start <= address; start++) {
    const cell = cells.get(start);
    if (cell && cell.size > size && start + cell.size >= address + size) return [start, cell];
  }
  return undefined;
}

/**
 * The content of a part of a larger cell, which stays whole; `undefined` if no larger cell contains
 * the bytes. Throws `Unsupported` for a part of a known address.
 */
export function partOfLarger(
  memory: ByteMemory,
  cells: ReadonlyMap<number, OwnCell>,
  address: number,
  size: number,
): LoweredValue | undefined {
  const around = cellAround(cells, address, size);
  if (!around) return undefined;
  const [start, cell] = around;
  const number = cell.value.kind === 'number' ? cell.value.number : undefined;
  const cutFrom = cell.cutFrom ?? (cell.size === largestOwnCell ? number : undefined);
  if (cutFrom !== undefined) checkNoAddress(memory, cutFrom);
  return pieceOf(cell.value, cell.size, { offset: address - start, size });
}

/** The cells within the bytes, with their addresses; cells are cut at both ends of the bytes. */
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

/** Drops all cells within the bytes; cells are cut at both ends of the bytes. */
export function dropWithin(cells: Map<number, OwnCell>, address: number, size: number): void {
  for (const [at] of cellsWithin(cells, address, size)) cells.delete(at);
}
