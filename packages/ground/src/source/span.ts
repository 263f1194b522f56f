/**
 * A line and a column of a source text, zero-based; only reports convert them to one-based numbers.
 */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A source file, as reports name it. */
export interface Source {
  readonly name: string;
  readonly text: string;
}

/** A range of a source text, without its end; columns count UTF-16 units. */
export interface Span {
  readonly start: Position;
  readonly end: Position;
  /** The file that contains the span, if not the main file. */
  readonly source?: Source;
}

/** Returns the span of `length` units on one line. */
export function spanAt(line: number, column: number, length: number, source?: Source): Span {
  const span = { start: { line, column }, end: { line, column: column + length } };
  return source ? { ...span, source } : span;
}

/** Returns the span from the start of `first` to the end of `last`; both must be in one file. */
export function spanBetween(first: Span, last: Pick<Span, 'end'>): Span {
  const span = { start: first.start, end: last.end };
  return first.source ? { ...span, source: first.source } : span;
}
