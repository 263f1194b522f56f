import { type TextEdit, insertion, replacement } from '@fencewright/ground/source/text-edit.js';
import type { ExpressionSyntax } from './syntax-expressions.js';
import type {
  AssignInstruction,
  CallInstruction,
  MemoryInstruction,
} from './syntax-instructions.js';
import type { NodeBase } from './syntax-node.js';
import type { AssignStatement, CallStatement, MemoryStatement } from './syntax-statements.js';
import { tokensIn } from './syntax-tree.js';
import { endOfToken } from './token.js';

/**
 * Statements and instructions that both thread forms write alike, except for the assignment sign.
 */
type Assignment = AssignStatement | MemoryStatement | AssignInstruction | MemoryInstruction;

/** A piece of the text: its start and end as offsets. */
interface Extent {
  readonly start: number;
  readonly end: number;
}

/** Returns the places of the words and signs of these kinds directly in the node. */
function placesOf(node: NodeBase, ...kinds: readonly string[]): readonly Extent[] {
  return tokensIn(node)
    .filter(({ kind }) => kinds.includes(kind))
    .map((token) => ({ start: token.offset, end: endOfToken(token) }));
}

/** Returns the offset at which the blanks before `offset` start, on the same line. */
export function blanksBefore(text: string, offset: number): number {
  let start = offset;
  while (start > 0 && (text[start - 1] === ' ' || text[start - 1] === '\t')) start -= 1;
  return start;
}

/**
 * Returns the edits that turn `x = e` into `xchg(x, e)`; `undefined` if the text of the assignment
 * lacks the sign `=`, `<-` or `←`.
 */
export function exchangeEdits(text: string, node: Assignment): readonly TextEdit[] | undefined {
  const [sign] = placesOf(node, '=', '<-', '←');
  if (!sign) return undefined;
  return [
    insertion(node.start, 'xchg('),
    replacement(blanksBefore(text, sign.start), sign.end, ','),
    insertion(node.value.end, ')'),
  ];
}

/**
 * Returns the edits that turn `store(x, e, order)` into `xchg(x, e)`, which is `seq_cst`;
 * `undefined` if the call is no such store.
 */
export function exchangeCallEdits({
  call,
}: CallStatement | CallInstruction): readonly TextEdit[] | undefined {
  const [, value] = call.arguments;
  const closing = placesOf(call, ')').at(-1);
  if (call.name.text !== 'store' || !value || !closing) return undefined;
  const { start, end } = call.name;
  return [replacement(start, end, 'xchg'), replacement(value.end, closing.start, '')];
}

/**
 * Returns the edits that turn `xchg(x, e)` into `x = e`, with `sign` as assignment sign;
 * `undefined` if the node is no such call.
 */
export function assignmentEdits(
  text: string,
  { call }: CallStatement | CallInstruction,
  sign: '=' | '<-',
): readonly TextEdit[] | undefined {
  const [cell, value] = call.arguments;
  const inner = cell && withoutParentheses(cell);
  const [comma] = placesOf(call, ',');
  const closing = placesOf(call, ')').at(-1);
  if (
    call.name.text !== 'xchg' ||
    call.arguments.length > 2 ||
    !cell ||
    !inner ||
    !value ||
    !comma ||
    !closing
  )
    return undefined;
  const isSpaced = sign === '<-' || /\s/.test(text.charAt(comma.end));
  const gap = inner.end === cell.end ? blanksBefore(text, comma.start) : inner.end;
  return [
    replacement(call.start, inner.start, ''),
    replacement(gap, comma.end, isSpaced ? ` ${sign}` : sign),
    replacement(blanksBefore(text, closing.start), closing.end, ''),
  ];
}

/**
 * Returns the place of an expression without the parentheses around it: no assignment starts with a
 * parenthesis.
 */
function withoutParentheses(expression: ExpressionSyntax): Extent {
  const [operand] = expression.operands;
  if (expression.operands.length !== 1 || !operand?.primary || operand.signs.length > 0)
    return expression;
  const { primary } = operand;
  return primary.kind === 'Parentheses' ? withoutParentheses(primary.expression) : primary;
}
