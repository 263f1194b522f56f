/** A place in a source text; zero-based, shifted to one-based only in reports. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A half-open range of a source text; columns count UTF-16 units. */
export interface Span {
  readonly start: Position;
  readonly end: Position;
}

/** The span of `length` units on one line. */
export function spanAt(line: number, column: number, length: number): Span {
  return { start: { line, column }, end: { line, column: column + length } };
}
