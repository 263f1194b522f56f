import { InternalError } from '@fencewright/ground/base/unreachable.js';
import { applyBinary, applyUnary, ExecutionFault } from '@fencewright/model/program/evaluate.js';
import {
  type BinaryOperator,
  type Expression,
  innerOf,
  isConversion,
  isWide,
  mapParts,
  type Inner,
  type WrappingOperator,
} from '@fencewright/model/program/expression.js';
import { conversionSupport, numberInC, wrappingSupport, type Support } from './c-support.js';

/** The notation in C of expressions over some kind of leaves (registers, cells). */
interface CNotation<Leaf> {
  /** Returns the text of a leaf, which may be an operand of any operator. */
  readonly leaf: (leaf: Leaf) => string;
  /** Notes that the printed text needs a support function. */
  readonly uses: (support: Support) => void;
  /**
   * Whether an execution of the program may fault. Then the C text checks each operation that may
   * fault: C leaves some of these undefined, and gives others a result.
   */
  readonly isChecked: boolean;
}

/** The class of an operator for its parentheses in C; `function` is for operators that C lacks. */
type OperatorClass =
  'product' | 'sum' | 'shift' | 'comparison' | 'bits' | 'conjunction' | 'function';

const classes: Readonly<Record<BinaryOperator, OperatorClass>> = {
  '*': 'product',
  '/': 'product',
  '%': 'product',
  '+': 'sum',
  '-': 'sum',
  '<<': 'shift',
  '>>': 'shift',
  '==': 'comparison',
  '!=': 'comparison',
  '<': 'comparison',
  '<=': 'comparison',
  '>': 'comparison',
  '>=': 'comparison',
  '&': 'bits',
  '|': 'bits',
  '^': 'bits',
  '&&': 'conjunction',
  '||': 'conjunction',
  '+%': 'function',
  '-%': 'function',
  '*%': 'function',
  '/%': 'function',
  '%%': 'function',
  '<<%': 'function',
  '>>%': 'function',
  '<%': 'function',
  '<=%': 'function',
  '>%': 'function',
  '>=%': 'function',
  '+:': 'function',
  '-:': 'function',
  '*:': 'function',
  '/:': 'function',
  '>>:': 'function',
  '+:%': 'function',
  '-:%': 'function',
  '*:%': 'function',
  '/:%': 'function',
  '%:%': 'function',
  '<<:%': 'function',
  '>>:%': 'function',
  '<:%': 'function',
  '<=:%': 'function',
  '>:%': 'function',
  '>=:%': 'function',
};

/**
 * Throws an error for an operator on 64-bit numbers, as no program with 64-bit numbers is printed.
 */
function noWord(operator: string): never {
  throw new InternalError(`'${operator}' in C`);
}

function isWrapping(operator: BinaryOperator): operator is WrappingOperator {
  return operator in wrappingSupport;
}

/**
 * Whether an operand needs no parentheses: C does not require parentheses, and compilers do not
 * warn without parentheses.
 */
function isBare(parent: BinaryOperator, child: BinaryOperator, isLeft: boolean): boolean {
  const inside = classes[child];
  if (inside === 'function') return true;
  switch (classes[parent]) {
    case 'comparison':
      return inside === 'sum' || inside === 'product';
    case 'conjunction':
      return inside === 'comparison' || (isLeft && child === parent);
    case 'sum':
      return inside === 'product' || (isLeft && inside === 'sum');
    case 'product':
      return isLeft && parent === '*' && child === '*';
    case 'shift':
    case 'bits':
    case 'function':
      return false;
  }
}

function numberOf<Leaf>(expression: Expression<Leaf>): number | undefined {
  const inner = innerOf(expression);
  return inner?.kind === 'constant' ? inner.value : undefined;
}

/**
 * Returns the value of an operator whose operands are constants; `undefined` on a fault, or for
 * other operands.
 */
function valueOf<Leaf>(inner: Inner<Leaf> | undefined): number | undefined {
  try {
    if (inner?.kind === 'unary') {
      const operand = numberOf(inner.operand);
      return operand === undefined ? undefined : applyUnary(inner.operator, operand);
    }
    if (inner?.kind !== 'binary') return undefined;
    const { operator } = inner;
    const [left, right] = [numberOf(inner.left), numberOf(inner.right)];
    if (left === undefined) return undefined;
    if (operator === '&&' && left === 0) return 0;
    if (operator === '||' && left !== 0) return 1;
    return right === undefined ? undefined : applyBinary(operator, left, right);
  } catch (error) {
    if (error instanceof ExecutionFault) return undefined;
    throw error;
  }
}

/** Returns the expression with operators on constants evaluated, except for faults. */
function folded<Leaf>(expression: Expression<Leaf>): Expression<Leaf> {
  const parts = mapParts(expression, folded);
  const value = valueOf(innerOf(parts));
  return value === undefined ? parts : { kind: 'constant', value };
}

/**
 * Writes expressions in C. Sums, products and quotients that C leaves undefined are faults;
 * functions replace operators that differ in C.
 */
export class CExpressions<Leaf> {
  readonly #notation: CNotation<Leaf>;

  constructor(notation: CNotation<Leaf>) {
    this.#notation = notation;
  }

  /** Returns the text of an expression that stands alone or is an argument. */
  value(expression: Expression<Leaf>): string {
    return this.#text(folded(expression));
  }

  /** Returns the text of a condition: only zero or non-zero matters. */
  condition(expression: Expression<Leaf>): string {
    return this.#truth(folded(expression));
  }

  /**
   * Returns the text of an expression as an operand of any operator, in parentheses if necessary.
   */
  operand(expression: Expression<Leaf>): string {
    return this.#enclosed(folded(expression), () => false);
  }

  #truth(expression: Expression<Leaf>): string {
    const inner = innerOf(expression);
    const text = this.#text(expression);
    const isNumber =
      inner?.kind === 'binary' && !['comparison', 'conjunction'].includes(classes[inner.operator]);
    return isNumber ? `${this.#enclosed(expression, () => false)} != 0` : text;
  }

  /**
   * Returns the text of an expression, in parentheses unless `isBareOperator` says that its
   * operator needs none.
   */
  #enclosed(
    expression: Expression<Leaf>,
    isBareOperator: (operator: BinaryOperator | '!') => boolean,
  ): string {
    const text = this.#text(expression);
    const inner = innerOf(expression);
    const isNegation = inner?.kind === 'unary' && inner.operator === '!';
    const operator = inner?.kind === 'binary' ? inner.operator : isNegation ? '!' : undefined;
    // An operator written as a function or a product is judged by its text.
    const isPrimary = operator === undefined || /^\w*\([^()]*\)$|^\w+$/.test(text);
    return isPrimary || isBareOperator(operator) ? text : `(${text})`;
  }

  #text(expression: Expression<Leaf>): string {
    const inner = innerOf(expression);
    switch (inner?.kind) {
      case undefined:
        return this.#notation.leaf(expression as Leaf);
      case 'constant':
        return numberInC(inner.value);
      case 'unary':
        return this.#unary(inner);
      case 'binary':
        return this.#binary(inner);
    }
  }

  #unary({ operator, operand }: Extract<Inner<Leaf>, { kind: 'unary' }>): string {
    if (numberOf(operand) !== undefined) return this.#call('fault');
    if (operator === 'i32' || operator === 'u32') return noWord(operator);
    if (isConversion(operator)) return this.#call(conversionSupport[operator], operand);
    if (operator === '!') {
      const text = this.#truth(operand);
      return /^!*\w+(\([^()]*\))?$/.test(text) ? `!${text}` : `!(${text})`;
    }
    const text = this.#enclosed(operand, () => false);
    return /^\w/.test(text) || text.startsWith('(') ? operator + text : `${operator}(${text})`;
  }

  #binary({ operator, left, right }: Extract<Inner<Leaf>, { kind: 'binary' }>): string {
    const by = numberOf(right);
    if (by !== undefined && numberOf(left) !== undefined) return this.#call('fault');
    if (isWide(operator)) return noWord(operator);
    if (isWrapping(operator)) return this.#call(wrappingSupport[operator], left, right);
    if (classes[operator] === 'conjunction') {
      const side = (part: Expression<Leaf>, isLeft: boolean): string => {
        const inner = innerOf(part);
        const text = this.#truth(part);
        const isBinary = inner?.kind === 'binary';
        const isFine =
          !isBinary ||
          classes[inner.operator] !== 'conjunction' ||
          isBare(operator, inner.operator, isLeft);
        return isFine ? text : `(${text})`;
      };
      return `${side(left, true)} ${operator} ${side(right, false)}`;
    }
    if ((operator === '/' || operator === '%') && by === 0) return this.#call('fault');
    if (operator === '%' && (by === undefined || by === -1))
      return this.#call('remainder_of', left, right);
    if (operator === '<<') return this.#shiftLeft(left, right, by);
    if (operator === '>>' && (by === undefined ? this.#notation.isChecked : by < 0 || by > 31))
      return this.#call('shift_right', left, right);
    return this.#infix(operator, left, right);
  }

  /** Returns the text of a left shift; shifting a negative number to the left is undefined in C. */
  #shiftLeft(left: Expression<Leaf>, right: Expression<Leaf>, by: number | undefined): string {
    return by !== undefined && by >= 0 && by < 31
      ? this.#infix('*', left, { kind: 'constant', value: 2 ** by })
      : this.#call('shift_left', left, right);
  }

  #infix(operator: BinaryOperator, left: Expression<Leaf>, right: Expression<Leaf>): string {
    const side = (part: Expression<Leaf>, isLeft: boolean): string =>
      this.#enclosed(part, (child) => child !== '!' && isBare(operator, child, isLeft));
    return `${side(left, true)} ${operator} ${side(right, false)}`;
  }

  #call(support: Support, ...values: readonly Expression<Leaf>[]): string {
    this.#notation.uses(support);
    return `${support}(${values.map((value) => this.#text(value)).join(', ')})`;
  }
}
