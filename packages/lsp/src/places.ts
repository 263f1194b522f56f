import type { Position, Span } from '@fencewright/core';
import type { Range } from 'vscode-languageserver';

/** Returns the range of a span; both count lines from 0, and columns in UTF-16 units. */
export function toRange({ start, end }: Span): Range {
  return {
    start: { line: start.line, character: start.column },
    end: { line: end.line, character: end.column },
  };
}

/** Converts a place of an editor to a position of the library. */
export function toPosition(place: { readonly line: number; readonly character: number }): Position {
  return { line: place.line, column: place.character };
}

function isBefore(a: Position, b: Position): boolean {
  return a.line < b.line || (a.line === b.line && a.column < b.column);
}

/** Whether a place is inside a span, or directly after the span. */
export function holds(span: Span, place: Position): boolean {
  return !isBefore(place, span.start) && !isBefore(span.end, place);
}
