import { type Span, spanAt } from '@fencewright/ground/source/span.js';

/** Returns the span of the first `length` UTF-16 units of `span`, such as its keyword. */
export function startOf(span: Span, length: number): Span {
  return spanAt(span.start.line, span.start.column, length, span.source);
}

/** Returns the span of the last UTF-16 unit of `span`, such as its closing brace. */
export function endOf(span: Span): Span {
  return spanAt(span.end.line, Math.max(0, span.end.column - 1), 1, span.source);
}
