/** A place in a source text; zero-based, shifted to one-based only in reports. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A file, as shown in reports. */
export interface Source {
  readonly name: string;
  readonly text: string;
}

/** A half-open range of a source text; columns count UTF-16 units. */
export interface Span {
  readonly start: Position;
  readonly end: Position;
  /** The file of the span, if not the main file. */
  readonly source?: Source;
}

/** The span of `length` units on one line. */
export function spanAt(line: number, column: number, length: number, source?: Source): Span {
  const span = { start: { line, column }, end: { line, column: column + length } };
  return source ? { ...span, source } : span;
}

/** The span from the start of `first` to the end of `last`; both must be in one file. */
export function spanBetween(first: Span, last: Pick<Span, 'end'>): Span {
  const span = { start: first.start, end: last.end };
  return first.source ? { ...span, source: first.source } : span;
}
