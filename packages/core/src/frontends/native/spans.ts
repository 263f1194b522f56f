import type { AstNode } from 'langium';
import type { Position, Span } from '../../source/span.js';
import { spanAt } from '../../source/span.js';

function toPosition(position: { readonly line: number; readonly character: number }): Position {
  return { line: position.line, column: position.character };
}

const nowhere: Span = spanAt(0, 0, 0);

/** The text that a node of the syntax tree was read from. */
export function spanOf(node: AstNode): Span {
  const range = node.$cstNode?.range;
  return range ? { start: toPosition(range.start), end: toPosition(range.end) } : nowhere;
}

/** The place of `name` where a node starts with it. */
export function spanOfName(node: AstNode, name: string): Span {
  const { line, column } = spanOf(node).start;
  return spanAt(line, column, name.length);
}

/** From the start of `first` to the end of `last`. */
export function spanBetween(first: Span, last: Span): Span {
  return { start: first.start, end: last.end };
}

/** The first `length` units of `span`, as for a keyword. */
export function startOf(span: Span, length: number): Span {
  return spanAt(span.start.line, span.start.column, length);
}

/** The last unit of `span`, as for a closing brace. */
export function endOf(span: Span): Span {
  return spanAt(span.end.line, Math.max(0, span.end.column - 1), 1);
}
