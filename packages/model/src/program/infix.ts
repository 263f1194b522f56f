import { innerOf, isConversion, type BinaryOperator, type Expression } from './expression.js';
import { formatNumber } from './wide-values.js';

/**
 * The precedence of the binary operators in C: a larger number binds tighter. Wrapping and 64-bit
 * operators bind like the plain ones. All associate to the left.
 */
export const precedence: Readonly<Record<BinaryOperator, number>> = {
  '||': 1,
  '&&': 2,
  '|': 3,
  '^': 4,
  '&': 5,
  '==': 6,
  '!=': 6,
  '<': 7,
  '<=': 7,
  '>': 7,
  '>=': 7,
  '<%': 7,
  '<=%': 7,
  '>%': 7,
  '>=%': 7,
  '<<': 8,
  '>>': 8,
  '<<%': 8,
  '>>%': 8,
  '+': 9,
  '-': 9,
  '+%': 9,
  '-%': 9,
  '*': 10,
  '/': 10,
  '%': 10,
  '*%': 10,
  '/%': 10,
  '%%': 10,
  '<:%': 7,
  '<=:%': 7,
  '>:%': 7,
  '>=:%': 7,
  '>>:': 8,
  '<<:%': 8,
  '>>:%': 8,
  '+:': 9,
  '-:': 9,
  '+:%': 9,
  '-:%': 9,
  '*:': 10,
  '/:': 10,
  '*:%': 10,
  '/:%': 10,
  '%:%': 10,
};
/** The precedence of the unary operators, as a number comparable with `precedence`. */
export const unaryPrecedence = 11;

/** How leaves of expressions are written, and which parentheses are written beyond those of C. */
export interface Notation<Leaf> {
  /**
   * Formats a leaf; `least` is the precedence below which a leaf in this position needs
   * parentheses: 0 if the leaf stands alone.
   */
  readonly leaf: (leaf: Leaf, least: number) => string;
  /**
   * Returns whether the operand of a unary operator gets parentheses although its precedence does
   * not require them.
   */
  readonly encloses: (operator: string, operand: Expression<Leaf>) => boolean;
}

/**
 * Whether the operand starts with a minus sign, so that a sign cannot stand directly in front of
 * the operand.
 */
export function isSigned<Leaf>(_operator: string, operand: Expression<Leaf>): boolean {
  const inner = innerOf(operand);
  return inner?.kind === 'constant'
    ? formatNumber(inner.value).startsWith('-')
    : inner?.kind === 'unary' && inner.operator === '-';
}

/**
 * Formats an expression in C's notation, with the parentheses that C needs; parentheses also
 * surround an expression that binds more loosely than `least`.
 */
export function formatInfix<Leaf>(
  expression: Expression<Leaf>,
  notation: Notation<Leaf>,
  least = 0,
): string {
  const inner = innerOf(expression);
  switch (inner?.kind) {
    case 'constant':
      return formatNumber(inner.value);
    case 'unary': {
      if (isConversion(inner.operator))
        return `${inner.operator}(${formatInfix(inner.operand, notation)})`;
      const operand = formatInfix(inner.operand, notation, unaryPrecedence + 1);
      const isEnclosed = notation.encloses(inner.operator, inner.operand);
      return `${inner.operator}${isEnclosed ? `(${operand})` : operand}`;
    }
    case 'binary': {
      const own = precedence[inner.operator];
      const left = formatInfix(inner.left, notation, own);
      const right = formatInfix(inner.right, notation, own + 1);
      const text = `${left} ${inner.operator} ${right}`;
      return own < least ? `(${text})` : text;
    }
    case undefined:
      return notation.leaf(expression as Leaf, least);
  }
}
