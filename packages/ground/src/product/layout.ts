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
  /** The fields of the components, indexed by component. */
  readonly components: readonly Field[];
  /** The fields of the cells, indexed by cell. */
  readonly cells: readonly Field[];
}

function bitsFor(max: number): number {
  return Math.max(1, 32 - Math.clz32(max));
}

function place(widths: readonly number[]): { fields: Field[]; words: number } {
  const fields: Field[] = [];
  const free: number[] = [];
  for (const width of widths) {
    let word = free.findIndex((bits) => bits >= width);
    if (word < 0) {
      word = free.length;
      free.push(32);
    }
    const shift = 32 - at(free, word);
    free[word] = at(free, word) - width;
    fields.push({ word, shift, mask: width === 32 ? -1 : (1 << width) - 1 });
  }
  return { fields, words: free.length };
}

/** Returns the widths of the fields, with spare bits spread evenly as far as two words allow. */
function withSpareBits(needed: readonly number[], spare: boolean): readonly number[] {
  if (!spare) return needed;
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
  const { fields, words } = place(withSpareBits(needed, spare));
  return {
    words: Math.max(2, words),
    components: fields.slice(0, maxNodes.length),
    cells: fields.slice(maxNodes.length),
  };
}

/** Whether `field` exists and can hold ids up to `max`. */
export function fits(field: Field | undefined, max: number): boolean {
  return field !== undefined && (field.mask === -1 || max <= field.mask);
}

/** The field at a place; throws `InternalError` if there is none. */
export function fieldOf(fields: readonly Field[], place: number): Field {
  const field = fields[place];
  if (!field) throw new InternalError('an id without a field');
  return field;
}
