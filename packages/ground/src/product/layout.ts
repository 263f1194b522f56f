import { at } from '../base/at.js';
import { InternalError } from '../base/unreachable.js';

/** The bits of a packed state that hold one number; a field never crosses a word boundary. */
export interface Field {
  readonly word: number;
  readonly shift: number;
  readonly mask: number;
}

/** The positions of components and cells in a packed state of `words` 32-bit words. */
export interface PackedLayout {
  readonly words: number;
  /** The fields for the nodes of the components, indexed by component. */
  readonly components: readonly Field[];
  /** The fields for the values of the cells, indexed by cell. */
  readonly cells: readonly Field[];
  /**
   * Spare fields for the values of cells that occur later, in the order of their use; 0 in every
   * state.
   */
  readonly room: readonly Field[];
}

/**
 * The number of words from which a layout counts as large. Large layouts have spare room for later
 * ids and cells, so that states are repacked a few times only, and not for each new cell.
 */
const largeWords = 8;

/** The minimum width of a component's field in a large layout, in bits. */
const leastComponentWidth = 4;

/** The width of a spare field for a later cell, in bits. */
const roomWidth = 2;

function bitsFor(max: number): number {
  return Math.max(1, 32 - Math.clz32(max));
}

function place(widths: readonly number[]): { fields: Field[]; words: number } {
  const fields: Field[] = [];
  const free: number[] = [];
  let firstFree = 0;
  for (const width of widths) {
    while (free[firstFree] === 0) firstFree++;
    let word = firstFree;
    while (word < free.length && at(free, word) < width) word++;
    if (word === free.length) free.push(32);
    const shift = 32 - at(free, word);
    free[word] = at(free, word) - width;
    fields.push({ word, shift, mask: width === 32 ? -1 : (1 << width) - 1 });
  }
  return { fields, words: free.length };
}

/** The width of a field of a large layout: a bit more than needed if the largest id fills it. */
function widthWithRoom(max: number, least: number): number {
  const bits = bitsFor(max);
  return Math.max(least, max === 2 ** bits - 1 ? Math.min(32, bits + 1) : bits);
}

/** Returns the widths of the fields, with spare bits spread evenly as far as two words allow. */
function withSpareBits(needed: readonly number[]): readonly number[] {
  const { words } = place(needed);
  const limit = Math.max(2, words);
  let widths = [...needed];
  for (;;) {
    const wider = widths.map((width) => Math.min(32, width + 1));
    if (place(wider).words > limit) break;
    widths = wider;
    if (widths.every((width) => width >= 16)) break;
  }
  return widths;
}

/**
 * Creates a layout for components with node ids up to `maxNodes` and cells with value ids up to
 * `maxValues`. With `spare`, fields are widened while no word is added, so that larger ids fit
 * later.
 */
export function createLayout(
  maxNodes: readonly number[],
  maxValues: readonly number[],
  spare = true,
): PackedLayout {
  const needed = [...maxNodes, ...maxValues].map(bitsFor);
  const isLarge = spare && place(needed).words >= largeWords;
  const widths = isLarge
    ? [
        ...maxNodes.map((max) => widthWithRoom(max, leastComponentWidth)),
        ...maxValues.map((max) => widthWithRoom(max, 1)),
      ]
    : spare
      ? withSpareBits(needed)
      : needed;
  const { fields, words } = place(widths);
  return {
    words: Math.max(2, words),
    components: fields.slice(0, maxNodes.length),
    cells: fields.slice(maxNodes.length),
    room: [],
  };
}

/**
 * Returns a large layout with fields for `cells` cells, all old fields at their places; `undefined`
 * for a small layout. If too few spare fields are left, words with more spare fields are added.
 */
export function withCells(layout: PackedLayout, cells: number): PackedLayout | undefined {
  const { words } = layout;
  if (words < largeWords) return undefined;
  const more = cells - layout.cells.length;
  if (more <= layout.room.length)
    return {
      ...layout,
      cells: [...layout.cells, ...layout.room.slice(0, more)],
      room: layout.room.slice(more),
    };
  const perWord = 32 / roomWidth;
  const added = Math.ceil((more - layout.room.length) / perWord + words / 4);
  const mask = (1 << roomWidth) - 1;
  const fields = Array.from({ length: added * perWord }, (_, i) => ({
    word: words + Math.floor(i / perWord),
    shift: (i % perWord) * roomWidth,
    mask,
  }));
  return withCells({ ...layout, words: words + added, room: [...layout.room, ...fields] }, cells);
}

/** Whether `field` exists and can hold all ids up to `max`. */
export function fits(field: Field | undefined, max: number): boolean {
  return field !== undefined && (field.mask === -1 || max <= field.mask);
}

/** Returns the field at index `place`; throws `InternalError` if there is none. */
export function fieldOf(fields: readonly Field[], place: number): Field {
  const field = fields[place];
  if (!field) throw new InternalError('an id without a field');
  return field;
}
