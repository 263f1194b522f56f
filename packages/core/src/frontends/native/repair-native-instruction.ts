import type { AstNode } from 'langium';
import { GrammarUtils } from 'langium';
import type { TextEdit } from '../../source/text-edit.js';
import { insertion, replacement } from '../../source/text-edit.js';
import type {
  Expression,
  MemoryInstruction,
  MemoryStatement,
  NamedInstruction,
  NamedStatement,
} from './generated/ast.js';

/** What is written alike in both thread forms, but for the sign of the assignment. */
type Assignment = NamedStatement | MemoryStatement | NamedInstruction | MemoryInstruction;

/** A piece of the text, as offsets. */
export interface Extent {
  readonly start: number;
  readonly end: number;
}

/** Where a node of the syntax tree stands. */
export function extentOf(node: AstNode): Extent {
  const { offset = 0, end = 0 } = node.$cstNode ?? {};
  return { start: offset, end };
}

function keywordsOf(node: AstNode, ...keywords: readonly string[]): readonly Extent[] {
  return keywords
    .flatMap((keyword) => GrammarUtils.findNodesForKeyword(node.$cstNode, keyword))
    .map(({ offset, end }) => ({ start: offset, end }));
}

/** Where the blanks before `offset` start, on its line. */
export function blanksBefore(text: string, offset: number): number {
  let start = offset;
  while (start > 0 && (text[start - 1] === ' ' || text[start - 1] === '\t')) start -= 1;
  return start;
}

/** `x = e` becomes `xchg(x, e)`; absent if the node is no assignment. */
export function exchangeEdits(text: string, node: Assignment): readonly TextEdit[] | undefined {
  const [sign] = keywordsOf(node, '=', '<-', '←');
  if (!node.value || !sign) return undefined;
  return [
    insertion(extentOf(node).start, 'xchg('),
    replacement(blanksBefore(text, sign.start), sign.end, ','),
    insertion(extentOf(node.value).end, ')'),
  ];
}

/** `xchg(x, e)` becomes `x = e`, or with `sign` another assignment; absent if the node is no such call. */
export function assignmentEdits(
  text: string,
  node: NamedStatement | NamedInstruction,
  sign: '=' | '<-',
): readonly TextEdit[] | undefined {
  const [cell, value] = node.arguments.map(extentOf);
  const inner = node.arguments[0] && withoutParentheses(node.arguments[0]);
  const [comma] = keywordsOf(node, ',');
  const closing = keywordsOf(node, ')').at(-1);
  if (node.name !== 'xchg' || !cell || !inner || !value || !comma || !closing) return undefined;
  const isSpaced = sign === '<-' || /\s/.test(text.charAt(comma.end));
  const gap = inner.end === cell.end ? blanksBefore(text, comma.start) : inner.end;
  return [
    replacement(extentOf(node).start, inner.start, ''),
    replacement(gap, comma.end, isSpaced ? ` ${sign}` : sign),
    replacement(blanksBefore(text, closing.start), closing.end, ''),
  ];
}

/** Where the expression stands without parentheses around it: no assignment starts with one. */
function withoutParentheses(expression: Expression): Extent {
  const [operand] = expression.operands;
  if (expression.operands.length !== 1 || !operand || operand.signs.length > 0)
    return extentOf(expression);
  const { primary } = operand;
  return primary.$type === 'Parentheses'
    ? withoutParentheses(primary.expression)
    : extentOf(primary);
}
