import type { AstNode, CompositeCstNode, CstNode } from 'langium';
import type { Span } from '../../source/span.js';
import { spanAt } from '../../source/span.js';
import { assignmentAround } from './grammar-elements.js';

function toSpan({ start, end }: CstNode['range']): Span {
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

function partsOfText(text: CstNode): readonly CstNode[] {
  const { content }: Partial<CompositeCstNode> = text as CompositeCstNode;
  return content ?? [];
}

/** The first part of `text` that was read into a property of `node`. */
function partFor(property: string, node: AstNode, text: CstNode): CstNode | undefined {
  if (text.astNode !== node) return undefined;
  for (const part of partsOfText(text)) {
    const assignment = assignmentAround(part.grammarSource);
    const found = assignment?.feature === property ? part : partFor(property, node, part);
    if (found) return found;
  }
  return undefined;
}

/** The place of a node's property that holds a name. */
export function spanOfProperty(node: AstNode, property: string): Span {
  const text = node.$cstNode;
  const range = text && partFor(property, text.astNode, text)?.range;
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
