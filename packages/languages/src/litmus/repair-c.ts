import type { LocationId, ThreadId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { RepairedText, SourceRepair } from '@fencewright/model/program/source-repair.js';
import { type Diagnostic, notSupported } from '@fencewright/ground/source/diagnostic.js';
import { LineIndex } from '@fencewright/ground/source/line-index.js';
import type { Position } from '@fencewright/ground/source/span.js';
import {
  applyEdits,
  insertion,
  lineAt,
  lineBreakOf,
  type TextEdit,
} from '@fencewright/ground/source/text-edit.js';
import type { CFencePlace } from './c-lower.js';
import { lowerC } from './parse-c.js';
import type { Sections } from './sections.js';

/**
 * Returns a function from a location of a C test to the place for a fence there; the function
 * returns `undefined` inside a statement and before a loop.
 */
export function cFencePlace(
  sections: Sections,
): (thread: ThreadId, location: LocationId) => Position | undefined {
  const { lowered } = lowerC(sections);
  return (thread, location) => lowered[thread]?.fencePlaces.get(location)?.start;
}

/**
 * Returns the text with fences before statements. The fences are spelt like the other calls of the
 * text: as in the kernel, or as in C11.
 */
export function repairC(
  text: string,
  sections: Sections,
  program: Program,
  repairs: readonly SourceRepair[],
): RepairedText {
  const { lowered } = lowerC(sections);
  const index = new LineIndex(text);
  const refusals: Diagnostic[] = [];
  const edits = repairs.flatMap((repair): readonly TextEdit[] => {
    const place =
      repair.kind === 'fence'
        ? lowered[repair.thread]?.fencePlaces.get(repair.location)
        : undefined;
    if (place) return fenceBefore(text, index, place);
    const owner = program.threads[repair.thread];
    const span =
      repair.kind === 'fence'
        ? owner?.locations[repair.location]?.span
        : owner?.transitions[repair.transition]?.origin.span;
    refusals.push(
      notSupported(
        span,
        'this change cannot be made in the text of a litmus test in C',
        'convert the program to the native format first, or ask for fences only',
      ),
    );
    return [];
  });
  if (refusals.length > 0) return { diagnostics: refusals };
  return { text: applyEdits(text, edits), diagnostics: [] };
}

function fenceWord(text: string): string {
  return /\b(?:READ_ONCE|WRITE_ONCE|smp_\w+)\b/.test(text)
    ? 'smp_mb();'
    : 'atomic_thread_fence(memory_order_seq_cst);';
}

function fenceBefore(
  text: string,
  index: LineIndex,
  { start, end, isAlone }: CFencePlace,
): readonly TextEdit[] {
  const from = index.startOf(start.line) + start.column;
  const to = index.startOf(end.line) + end.column;
  const word = fenceWord(text);
  if (isAlone) {
    // The statement's own semicolon may stand after it.
    const rest = /^\s*;/.exec(text.slice(to))?.[0].length ?? 0;
    return [insertion(from, `{ ${word} `), insertion(to + rest, ' }')];
  }
  const line = lineAt(text, from);
  const indent = text.slice(line.start, from);
  if (indent.trim() !== '') return [insertion(from, `${word} `)];
  return [insertion(line.start, `${indent}${word}${lineBreakOf(text)}`)];
}
