import type { BinaryOperator, UnaryOperator } from '../operators.js';
import {
  and,
  type Bool,
  int,
  type Int,
  less,
  minus,
  not,
  modulo32,
  operate,
  or,
  same,
  truth,
  wrapped,
} from './terms.js';

/** The kinds of nodes common to all sorts of expressions: constants and operators. */
type Node<Leaf> =
  | Leaf
  | { readonly kind: 'constant'; readonly value: number }
  | { readonly kind: 'unary'; readonly operator: UnaryOperator; readonly operand: Node<Leaf> }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Node<Leaf>;
      readonly right: Node<Leaf>;
    };

/**
 * Returns the integer term of an expression; `leaf` returns the term of a node that is neither
 * constant nor operator.
 */
export function integer<Leaf extends { readonly kind: string }>(
  expression: Node<Leaf>,
  leaf: (leaf: Leaf) => Int,
): Int {
  const node = expression as Node<never>;
  if (node.kind === 'constant') return int(node.value);
  if (node.kind === 'unary') {
    if (node.operator === '!') return truth(condition(expression, leaf));
    const value = integer<Leaf>(node.operand, leaf);
    if (node.operator !== '-' && node.operator !== '~') return wrapped(value, node.operator);
    return minus(node.operator === '-' ? int(0) : int(-1), value);
  }
  if (node.kind !== 'binary') return leaf(expression as Leaf);
  if (isCondition(node.operator)) return truth(condition(expression, leaf));
  return operate(node.operator, integer<Leaf>(node.left, leaf), integer<Leaf>(node.right, leaf));
}

const unsignedComparisons: readonly BinaryOperator[] = ['<%', '<=%', '>%', '>=%'];

function isCondition(operator: BinaryOperator): boolean {
  return (
    ['==', '!=', '<', '<=', '>', '>=', '&&', '||'].includes(operator) ||
    unsignedComparisons.includes(operator)
  );
}

/** Returns the condition that an expression is not 0. */
export function condition<Leaf extends { readonly kind: string }>(
  expression: Node<Leaf>,
  leaf: (leaf: Leaf) => Int,
): Bool {
  const node = expression as Node<never>;
  if (node.kind === 'unary' && node.operator === '!')
    return not(condition<Leaf>(node.operand, leaf));
  if (node.kind !== 'binary' || !isCondition(node.operator))
    return not(same(integer(expression, leaf), int(0)));
  if (node.operator === '&&' || node.operator === '||') {
    const sides = [condition<Leaf>(node.left, leaf), condition<Leaf>(node.right, leaf)];
    return node.operator === '&&' ? and(sides) : or(sides);
  }
  const sides = [integer<Leaf>(node.left, leaf), integer<Leaf>(node.right, leaf)] as const;
  const [left, right] = unsignedComparisons.includes(node.operator) ? sides.map(modulo32) : sides;
  switch (node.operator) {
    case '==':
      return same(left, right);
    case '!=':
      return not(same(left, right));
    case '<':
    case '<%':
      return less(left, right);
    case '<=':
    case '<=%':
      return not(less(right, left));
    case '>':
    case '>%':
      return less(right, left);
    default:
      return not(less(left, right));
  }
}
