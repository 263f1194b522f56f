import type { AstNode } from 'langium';
import { GrammarUtils } from 'langium';
import type { Span } from '../../source/span.js';
import { spanAt } from '../../source/span.js';

type Range = NonNullable<AstNode['$cstNode']>['range'];

function toSpan({ start, end }: Range): Span {
  return {
    start: { line: start.line, column: start.character },
    end: { line: end.line, column: end.character },
  };
}

const nowhere: Span = spanAt(0, 0, 0);

/** The text that a node of the syntax tree was read from. */
export function spanOf(node: AstNode): Span {
  const range = node.$cstNode?.range;
  return range ? toSpan(range) : nowhere;
}

/** The place of `name` where a node starts with it. */
export function spanOfName(node: AstNode, name: string): Span {
  const { line, column } = spanOf(node).start;
  return spanAt(line, column, name.length);
}

/** The place of a node's property that holds a name. */
export function spanOfProperty(node: AstNode, property: string): Span {
  const range = GrammarUtils.findNodeForProperty(node.$cstNode, property)?.range;
  return range ? toSpan(range) : spanOf(node);
}

/** From the start of `first` to the end of `last`. */
export function spanBetween(first: Span, last: Span): Span {
  return { start: first.start, end: last.end };
}

/** The first `length` units of `span`, as for a keyword. */
export function startOf(span: Span, length: number): Span {
  return spanAt(span.start.line, span.start.column, length);
}

/** The last `length` units of `span`, as for a closing brace. */
export function endOf(span: Span, length = 1): Span {
  return spanAt(span.end.line, Math.max(0, span.end.column - length), length);
}
