import {
  binary,
  constant,
  forEachPart,
  innerOf,
  isSame,
  negate,
  opposites,
  type Expression,
} from '@fencewright/model/program/expression.js';
import { compare, compute, converted } from './arithmetic.js';
import { lowerAddress, lowerBinary, lowerCompare, lowerConversion } from './lower-arithmetic.js';
import { valueOfInteger } from '@fencewright/model/program/wide-values.js';
import { severalSizes, Unsupported } from './unsupported.js';

/** The knowledge about a value of a thread's code during the lowering of the thread. */
export type LoweredValue =
  | { readonly kind: 'number'; readonly number: bigint }
  /** An expression over the registers of the thread. */
  | { readonly kind: 'expression'; readonly expression: Expression }
  /** An uninitialised or undefined value. */
  | { readonly kind: 'undefined' }
  /** The value of `expression` if `defined` is not 0; otherwise, the value is uninitialised. */
  | { readonly kind: 'maybe'; readonly expression: Expression; readonly defined: Expression }
  /**
   * Several values. With `integer`, the pieces of one integer, such as the bytes of a structure,
   * with the position of each piece. `wholeValue` joins the pieces.
   */
  | {
      readonly kind: 'parts';
      readonly parts: readonly LoweredValue[];
      readonly integer?: IntegerPieces;
    };

/** The pieces that together form an integer of `size` bytes. */
export interface IntegerPieces {
  readonly size: number;
  /** The pieces of the integer, in the order of their offsets. */
  readonly cells: readonly CellPart[];
  /**
   * Whether the pieces of the integer were loaded at different times from shared memory: memory may
   * never have held all pieces at once.
   */
  readonly isTorn?: true;
}

/** A cell within a range of bytes; the offset counts from the first byte of the range. */
export interface CellPart {
  readonly offset: number;
  readonly size: number;
  /** Whether the bytes of the cell lie between fields, and count as 0. */
  readonly isPadding?: true;
}

/** The expressions within a value. */
export function expressionsOf(value: LoweredValue): readonly Expression[] {
  switch (value.kind) {
    case 'number':
    case 'undefined':
      return [];
    case 'expression':
      return [value.expression];
    case 'maybe':
      return [value.expression, value.defined];
    case 'parts':
      return value.parts.flatMap(expressionsOf);
  }
}

export const nothing: LoweredValue = { kind: 'undefined' };

export function numberValue(number: bigint | number): LoweredValue {
  return { kind: 'number', number: BigInt(number) };
}

/** The value of an expression; a constant becomes a number. */
export function expressionValue(expression: Expression): LoweredValue {
  return expression.kind === 'constant'
    ? numberValue(expression.value)
    : { kind: 'expression', expression };
}

/** The value as an expression. Throws `Unsupported` if there is none. */
export function toExpression(value: LoweredValue): Expression {
  switch (value.kind) {
    case 'number': {
      if (BigInt.asIntN(64, value.number) !== value.number)
        throw new Unsupported('a number of more than 64 bits is not supported here');
      const number = valueOfInteger(value.number);
      if (number === undefined)
        throw new Unsupported(
          `${value.number} is one of the few 64-bit numbers that cannot be represented`,
          'use another number',
        );
      return constant(number);
    }
    case 'expression':
      return value.expression;
    case 'undefined':
    case 'maybe':
      throw new Unsupported('an uninitialised value is used');
    case 'parts':
      if (value.integer) throw severalSizes('a structure');
      throw new Unsupported('a structure or an array is not supported as a value here');
  }
}

/** The number of nodes of an expression. */
export function sizeOf(expression: Expression): number {
  let size = 0;
  forEachPart(expression, () => {
    size += 1;
  });
  return size;
}

const truthOperators = new Set(['&&', '||', ...Object.keys(opposites)]);

/** Whether the syntax shows that the expression is 0 or 1. */
function isTruthValue(expression: Expression): boolean {
  const inner = innerOf(expression);
  switch (inner?.kind) {
    case 'constant':
      return inner.value === 0 || inner.value === 1;
    case 'unary':
      return inner.operator === '!';
    case 'binary':
      if (inner.operator === '&')
        return inner.right.kind === 'constant' ? inner.right.value === 1 : bothAre(inner);
      if (inner.operator === '|' || inner.operator === '^') return bothAre(inner);
      return truthOperators.has(inner.operator);
    case undefined:
      return false;
  }
}

function bothAre({ left, right }: { readonly left: Expression; readonly right: Expression }) {
  return isTruthValue(left) && isTruthValue(right);
}

const isNumber = (value: LoweredValue): value is Extract<LoweredValue, { kind: 'number' }> =>
  value.kind === 'number';

type Leaf = Exclude<Expression, { kind: 'constant' | 'unary' | 'binary' }>;

/**
 * The result of an LLVM operation, given by name; with `isSignedOnly`, signed overflow is
 * undefined. Throws `Unsupported`.
 */
export function binaryValue(
  operation: string,
  bits: number,
  left: LoweredValue,
  right: LoweredValue,
  isSignedOnly: boolean,
): LoweredValue {
  if (isNumber(left) && isNumber(right))
    return numberValue(compute(operation, bits, left.number, right.number, isSignedOnly));
  return (
    simpler(operation, bits, left, right) ??
    expressionValue(
      lowerBinary<Leaf>(operation, bits, toExpression(left), toExpression(right), isSignedOnly),
    )
  );
}

/** The sum or product of addresses and distances. Throws `Unsupported`. */
export function addressValue(
  operation: 'add' | 'mul',
  left: LoweredValue,
  right: LoweredValue,
): LoweredValue {
  if (isNumber(left) && isNumber(right))
    return numberValue(compute(operation, 64, left.number, right.number));
  const sum = operation === 'add' && isNumber(right) ? addedTo(left, right.number) : undefined;
  return (
    sum ??
    simpler(operation, 64, left, right) ??
    expressionValue(lowerAddress<Leaf>(operation, toExpression(left), toExpression(right)))
  );
}

/** The result of an operation that a constant operand makes trivial; otherwise `undefined`. */
function simpler(
  operation: string,
  bits: number,
  left: LoweredValue,
  right: LoweredValue,
): LoweredValue | undefined {
  const [l, r] = [left, right].map((each) => (isNumber(each) ? each.number : undefined));
  switch (operation) {
    case 'add':
      return l === 0n ? right : r === 0n ? left : undefined;
    case 'sub':
      return r === 0n ? left : undefined;
    case 'or':
      return l === 0n ? right : r === 0n ? left : undefined;
    case 'shl':
    case 'lshr':
    case 'ashr':
      return r === 0n ? left : undefined;
    case 'xor':
      if (l === 0n) return right;
      if (r === 0n) return left;
      return bits === 1 && r === 1n && left.kind === 'expression' && isTruthValue(left.expression)
        ? expressionValue(negate(left.expression))
        : undefined;
    case 'and':
      if (l === 0n || r === 0n) return numberValue(0);
      return r === 1n && left.kind === 'expression' && isTruthValue(left.expression)
        ? left
        : undefined;
    case 'mul':
      if (l === 0n || r === 0n) return numberValue(0);
      return l === 1n ? right : r === 1n ? left : undefined;
    case 'sdiv':
    case 'udiv':
      return r === 1n ? left : undefined;
    default:
      return undefined;
  }
}

/**
 * The sum of `left`, which is `e + a`, and `by`, as `e + (a + by)`, for pointers: offsets within an
 * object cannot overflow. `undefined` if `left` has no such form, or if the sum of the constants is
 * too large.
 */
function addedTo(left: LoweredValue, by: bigint): LoweredValue | undefined {
  if (left.kind !== 'expression') return undefined;
  const { expression } = left;
  if (expression.kind !== 'binary' || expression.operator !== '+') return undefined;
  if (expression.right.kind !== 'constant') return undefined;
  const sum = BigInt(expression.right.value) + by;
  if (sum === 0n) return expressionValue(expression.left);
  if (BigInt.asIntN(31, sum) !== sum) return undefined;
  return expressionValue(binary('+', expression.left, constant(Number(sum))));
}

/** Whether the values satisfy a relation of `icmp`, given by name: 0 or 1. Throws `Unsupported`. */
export function compareValues(
  relation: string,
  bits: number,
  left: LoweredValue,
  right: LoweredValue,
): LoweredValue {
  if (isNumber(left) && isNumber(right))
    return numberValue(compare(relation, bits, left.number, right.number) ? 1 : 0);
  const [l, r] = [toExpression(left), toExpression(right)];
  const isEquality = relation === 'eq' || relation === 'ne';
  if (isEquality && r.kind === 'constant' && r.value === 0 && isTruthValue(l))
    return expressionValue(relation === 'ne' ? l : negate(l));
  if (isEquality && isSame(l, r)) return numberValue(relation === 'eq' ? 1 : 0);
  return expressionValue(lowerCompare<Leaf>(relation, bits, l, r));
}

/** The value of `from` bits converted to `to` bits. Throws `Unsupported`. */
export function convertValue(
  operation: string,
  from: number,
  to: number,
  operand: LoweredValue,
): LoweredValue {
  if (isNumber(operand)) return numberValue(converted(operation, operand.number, from, to));
  const expression = toExpression(operand);
  if (operation !== 'sext' && isTruthValue(expression)) return operand;
  return expressionValue(lowerConversion<Leaf>(operation, from, to, expression));
}
