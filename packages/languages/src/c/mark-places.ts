import { markAddress } from '@fencewright/model/program/text-mark.js';
import type { Position } from '@fencewright/ground/source/span.js';
import {
  applyEdits,
  linesOf,
  type TextEdit,
  type TextLine,
} from '@fencewright/ground/source/text-edit.js';
import { findFencePoints } from './find-fence-points.js';
import { findMacroPoints } from './find-macro-points.js';
import { type FencePoint, offsetOf } from './fence-point.js';
import { insertFencesInC } from './insert-fences.js';

/**
 * Returns the text of mark number `index`: a call for which the compiler makes no code, but whose
 * number is readable in the IR. Marks show where a fence in the text is in the program.
 */
function markOf(index: number): string {
  return `__builtin_prefetch((const void *)${markAddress(index)})`;
}

/**
 * A text with a mark (a call without effect) at each place for a fence. Offsets are zero-based, in
 * UTF-16 units.
 */
export interface MarkedText {
  /**
   * The text with a mark (a call without effect) at each place for a fence; line breaks are those
   * of the text without marks.
   */
  readonly text: string;
  /** The places for fences in the text, indexed by the numbers of their marks. */
  readonly points: readonly FencePoint[];
  /** Returns the offset in the text without marks that corresponds to an offset of `text`. */
  readonly unmarked: (offset: number) => number;
}

/**
 * Returns the text with a mark at each place for a fence that is `wanted`. The position of a mark
 * in the compiled program shows the effect of a fence there. `inMacros`: in macros, too.
 */
export function markPlaces(
  text: string,
  wanted: (point: FencePoint, offset: number) => boolean,
  inMacros = false,
): MarkedText {
  const found = [...findFencePoints(text), ...(inMacros ? findMacroPoints(text) : [])];
  const points = found.filter((point) => wanted(point, offsetOf(point)));
  const fences = points.map((point, index) => ({ point, fence: markOf(index) }));
  const edits = insertFencesInC(text, fences, 'inline');
  return { text: applyEdits(text, edits), points, unmarked: (offset) => unmarked(edits, offset) };
}

/**
 * Returns the offset in the text before the insertions; for an offset inside an insertion, the
 * offset of the insertion.
 */
function unmarked(edits: readonly TextEdit[], offset: number): number {
  let shift = 0;
  for (const { start, text } of edits) {
    if (offset < start + shift) break;
    if (offset < start + shift + text.length) return start;
    shift += text.length;
  }
  return offset - shift;
}

/**
 * Returns a function that converts places in the text with marks (calls without effect at places
 * for fences), with columns counted in bytes as compilers do, to places in the text without marks.
 */
export function unmarkedPlaces(source: string, marked: MarkedText): (place: Position) => Position {
  const lines = linesOf(marked.text);
  const plain = linesOf(source);
  return ({ line, column }) => {
    const own = lines[line];
    const start = plain[line]?.start;
    if (!own || start === undefined) return { line, column };
    const offset = own.start + unitsOf(marked.text, own, column);
    return { line, column: Math.max(0, marked.unmarked(offset) - start) };
  };
}

/** Returns the number of UTF-16 units in the first `bytes` bytes of a line. */
function unitsOf(text: string, { start, end }: TextLine, bytes: number): number {
  const line = text.slice(start, end);
  const before = new TextEncoder().encode(line).subarray(0, bytes);
  return new TextDecoder().decode(before).length;
}
