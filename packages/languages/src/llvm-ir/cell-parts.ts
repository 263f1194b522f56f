import { Unsupported } from './unsupported.js';
import type { CellPart } from './value.js';

/**
 * The cells within the first `size` bytes of the object `name`. If the range of bytes begins or
 * ends inside of a cell, the range is one cell of 1, 2, 4 or 8 bytes, as a machine copies or sets
 * so many at once. Throws `Unsupported` if such a range has another size.
 */
export function insideOf(
  cells: readonly CellPart[],
  size: number,
  name: string,
): readonly CellPart[] {
  const inside = cells.filter(({ offset, size: part }) => offset + part > 0 && offset < size);
  const isCut = inside.some(({ offset, size: part }) => offset < 0 || offset + part > size);
  if (isCut && [1, 2, 4, 8].includes(size)) return [{ offset: 0, size }];
  if (isCut) throw new Unsupported(`only a part of a cell of '${name}' is copied or set`);
  return inside;
}

export function areMeeting(one: CellPart, other: CellPart): boolean {
  return one.offset < other.offset + other.size && other.offset < one.offset + one.size;
}

/** The cells sorted by the offsets of their bytes, the order in which cells are copied and set. */
export function inOrder(cells: readonly CellPart[]): readonly CellPart[] {
  return [...cells].sort((one, other) => one.offset - other.offset);
}

/**
 * The given cells, and the cells of `others` without overlap with a given cell. Of an overlapping
 * cell of `others`, the bytes left free become cells of one byte.
 */
export function withOthers(
  cells: readonly CellPart[],
  others: readonly CellPart[],
): readonly CellPart[] {
  const all = [...cells];
  const isFree = (cell: CellPart): boolean => !all.some((each) => areMeeting(each, cell));
  for (const other of [...others].sort((one, two) => two.size - one.size))
    all.push(...(isFree(other) ? [other] : piecesOf(other, 1).filter(isFree)));
  return all;
}

/** The cells sorted by offset, with the gaps filled by padding. */
export function withPadding(cells: readonly CellPart[], size: number): readonly CellPart[] {
  const all: CellPart[] = [];
  let end = 0;
  for (const cell of [...inOrder(cells), { offset: size, size: 0 }]) {
    if (cell.offset > end) all.push({ offset: end, size: cell.offset - end, isPadding: true });
    if (cell.size > 0) all.push(cell);
    end = cell.offset + cell.size;
  }
  return all;
}

/** The pieces of a cell, each of at most `largest` bytes. */
export function piecesOf({ offset, size }: CellPart, largest: number): readonly CellPart[] {
  if (size <= largest) return [{ offset, size }];
  return Array.from({ length: Math.ceil(size / largest) }, (_, i): CellPart => ({
    offset: offset + i * largest,
    size: Math.min(largest, size - i * largest),
  }));
}

/** Whether some of the first `size` bytes belong to none of the cells. */
export function areSomeOutside(cells: readonly CellPart[], size: number): boolean {
  let end = 0;
  for (const cell of inOrder(cells)) {
    if (cell.offset > end) return true;
    end = Math.max(end, cell.offset + cell.size);
  }
  return end < size;
}
