import type { TextEdit } from '../../source/text-edit.js';
import { applyEdits } from '../../source/text-edit.js';
import { findFencePoints } from './find-fence-points.js';
import type { FencePoint } from './fence-point.js';
import { insertFences } from './insert-fences.js';

/** A call that makes no code, and that the IR tells the line and column of. */
const mark = '__atomic_signal_fence(5)';

/** A text with a mark at each place for a fence. Offsets are zero-based, in UTF-16 units. */
export interface MarkedText {
  /** Its lines are those of the text without marks. */
  readonly text: string;
  readonly places: readonly MarkedPlace[];
  /** What the place of an offset of `text` is in the text without marks. */
  readonly unmarked: (offset: number) => number;
}

export interface MarkedPlace {
  readonly point: FencePoint;
  /** The offset of the mark in the marked text. */
  readonly at: number;
}

/**
 * The text with a mark at each place for a fence that is `wanted`: where the marks come to stand in
 * the program tells what a fence there would be.
 */
export function markPlaces(text: string, wanted: (point: FencePoint) => boolean): MarkedText {
  const points = findFencePoints(text).filter(wanted);
  const edits = insertFences(
    text,
    points.map((point) => ({ point, fence: mark })),
    'inline',
  );
  const places: MarkedPlace[] = [];
  let shift = 0;
  for (const { start, text: inserted, point } of edits) {
    if (point) places.push({ point, at: start + shift + inserted.indexOf(mark) });
    shift += inserted.length;
  }
  return { text: applyEdits(text, edits), places, unmarked: (offset) => unmarked(edits, offset) };
}

/** The offset before the insertions; inside of one, where it stands. */
function unmarked(edits: readonly TextEdit[], offset: number): number {
  let shift = 0;
  for (const { start, text } of edits) {
    if (offset < start + shift) break;
    if (offset < start + shift + text.length) return start;
    shift += text.length;
  }
  return offset - shift;
}
