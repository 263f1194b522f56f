import {
  binary,
  constant,
  conversions,
  innerOf,
  isComparison,
  isWide,
  unary,
  type BinaryOperator,
  type Expression,
} from '@fencewright/model/program/expression.js';
import { integerOfValue, isWord, valueOfInteger } from '@fencewright/model/program/wide-values.js';
import { Unsupported } from './unsupported.js';

/*
 * Arithmetic of C as expressions of programs. Integers are kept with their signs. All operations
 * are exact, by wrapping operators and operators on 64 bits. Evaluation faults where C leaves
 * signed overflow undefined. An integer of 64 bits gets the simpler operators on 32 bits if bounds
 * show that these suffice.
 */

const minimum = -(2 ** 31);
const maximum = 2 ** 31 - 1;

function constantOf<Leaf>(expression: Expression<Leaf>): number | undefined {
  const inner = innerOf(expression);
  return inner?.kind === 'constant' ? inner.value : undefined;
}

/**
 * The number of `bits` bits, below 32, that equals the expression modulo 2 to the power of `bits`.
 */
function wrap<Leaf>(expression: Expression<Leaf>, bits: number): Expression<Leaf> {
  if (bits === 1) return binary('&', expression, constant(1));
  if (bits === 8) return unary('i8', expression);
  if (bits === 16) return unary('i16', expression);
  const sign = 2 ** (bits - 1);
  return binary('-', binary('^', masked(expression, bits), constant(sign)), constant(sign));
}

/** The expression for a number of `bits` bits, below 32, read as unsigned. */
function masked<Leaf>(expression: Expression<Leaf>, bits: number): Expression<Leaf> {
  if (bits === 8) return unary('u8', expression);
  if (bits === 16) return unary('u16', expression);
  return binary('&', expression, constant(2 ** bits - 1));
}

/** Bounds of a value, both included. */
type ValueBounds = readonly [low: number, high: number];

const word: ValueBounds = [minimum, maximum];
const anything: ValueBounds = [-Infinity, Infinity];

function isWithin([low, high]: ValueBounds, [least, most]: ValueBounds): boolean {
  return low >= least && high <= most;
}

function rangeOfSum(operator: string, left: ValueBounds, right: ValueBounds): ValueBounds {
  if (operator === '+') return [left[0] + right[0], left[1] + right[1]];
  if (operator === '-') return [left[0] - right[1], left[1] - right[0]];
  const corners = left.flatMap((a) => right.map((b) => (a === 0 || b === 0 ? 0 : a * b)));
  return [Math.min(...corners), Math.max(...corners)];
}

/** Bounds of the expression's values, read off its syntax, if evaluation does not fault. */
function rangeOf<Leaf>(expression: Expression<Leaf>): ValueBounds {
  const inner = innerOf(expression);
  switch (inner?.kind) {
    case undefined:
      return anything;
    case 'constant':
      return isWord(inner.value) ? [inner.value, inner.value] : anything;
    case 'unary': {
      const { operator } = inner;
      if (operator === '!') return [0, 1];
      if (operator === '-') return word;
      const range = rangeOf(inner.operand);
      if (operator === '~') return [-1 - range[1], -1 - range[0]];
      const { bits, isSigned } = conversions[operator];
      return isSigned ? [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1] : [0, 2 ** bits - 1];
    }
    case 'binary': {
      const { operator } = inner;
      if (isComparison(operator) || operator === '&&' || operator === '||') return [0, 1];
      if (isWide(operator)) return anything;
      const [left, right] = [rangeOf(inner.left), rangeOf(inner.right)];
      switch (operator) {
        case '&': {
          const masks = [left, right].filter(([low]) => low >= 0).map(([, high]) => high);
          if (masks.length > 0) return [0, Math.min(...masks)];
          return isWithin(left, word) && isWithin(right, word) ? word : anything;
        }
        case '|':
        case '^':
          return isWithin(left, word) && isWithin(right, word) ? word : anything;
        case '%': {
          const most = Math.max(Math.abs(right[0]), Math.abs(right[1])) - 1;
          return [left[0] >= 0 ? 0 : -most, most];
        }
        case '/':
          return left[0] >= 0 && right[0] >= 0 ? [0, maximum] : word;
        case '>>':
          return left[0] >= 0 ? [0, maximum] : word;
        case '+':
        case '-':
        case '*': {
          const [low, high] = rangeOfSum(operator, left, right);
          return [Math.max(low, minimum), Math.min(high, maximum)];
        }
        default:
          return word;
      }
    }
  }
}

/** Whether the bounds show that the expression is not negative. */
function isNonNegative<Leaf>(expression: Expression<Leaf>): boolean {
  return rangeOf(expression)[0] >= 0;
}

/** Whether the bounds show that the expression is not negative and fits in 32 bits. */
function isSmall<Leaf>(expression: Expression<Leaf>): boolean {
  return isWithin(rangeOf(expression), [0, maximum]);
}

const signed: Readonly<Record<string, BinaryOperator>> = {
  add: '+',
  sub: '-',
  mul: '*',
  sdiv: '/',
  srem: '%',
  shl: '<<',
  ashr: '>>',
};
const wrapping: Readonly<Record<string, BinaryOperator>> = {
  add: '+%',
  sub: '-%',
  mul: '*%',
  udiv: '/%',
  urem: '%%',
  shl: '<<%',
  lshr: '>>%',
};
const bitwise: Readonly<Record<string, BinaryOperator>> = { and: '&', or: '|', xor: '^' };
/** The operators on 64 bits that fault on signed overflow, by LLVM's names of the operations. */
const wideSigned: Readonly<Record<string, BinaryOperator>> = { add: '+:', sub: '-:', mul: '*:' };
/** The operators on 64 bits that do not fault on signed overflow, by LLVM's names. */
const wide: Readonly<Record<string, BinaryOperator>> = {
  add: '+:%',
  sub: '-:%',
  mul: '*:%',
  sdiv: '/:',
  udiv: '/:%',
  srem: '%',
  urem: '%:%',
  shl: '<<:%',
  ashr: '>>:',
  lshr: '>>:%',
};

/**
 * The result of an LLVM operation, given by name, on integers of 1 to 64 bits. If `isSignedOnly`,
 * signed overflow is a fault. Throws `Unsupported`.
 */
export function lowerBinary<Leaf>(
  operation: string,
  bits: number,
  left: Expression<Leaf>,
  right: Expression<Leaf>,
  isSignedOnly = false,
): Expression<Leaf> {
  const result = lowerUnguarded(operation, bits, left, right, isSignedOnly);
  if (!isUnguardedDivision(operation, bits) || !mayBeLeastByMinusOne(bits, left, right))
    return result;
  // The quotient overflows for exactly these operands. It is only computed for this fault.
  const quotient =
    bits === 64
      ? binary<Leaf>('/:', left, right)
      : binary<Leaf>('/', bits < 32 ? binary('*', left, constant(2 ** (32 - bits))) : left, right);
  return binary(bits === 64 ? '+:' : '+', result, binary('&', quotient, constant(0)));
}

/**
 * Whether the operation is a division whose operator does not fault where the least number is
 * divided by -1: this is undefined in LLVM, and a fault on x86, also for the remainder.
 */
function isUnguardedDivision(operation: string, bits: number): boolean {
  return operation === 'srem' || (operation === 'sdiv' && bits < 32);
}

/** Whether the least number of `bits` bits may be divided by -1, as far as bounds show. */
function mayBeLeastByMinusOne<Leaf>(
  bits: number,
  left: Expression<Leaf>,
  right: Expression<Leaf>,
): boolean {
  const by = constantOf(right);
  if (by !== undefined && by !== -1) return false;
  const [low, high] = rangeOf(right);
  return rangeOf(left)[0] <= -(2 ** (bits - 1)) && low <= -1 && high >= -1;
}

function lowerUnguarded<Leaf>(
  operation: string,
  bits: number,
  left: Expression<Leaf>,
  right: Expression<Leaf>,
  isSignedOnly: boolean,
): Expression<Leaf> {
  const same = bitwise[operation];
  if (same) return binary(same, left, right);
  if (bits === 1) return lowerOneBit(operation, left, right);
  if (bits === 64) return lowerWide(operation, left, right, isSignedOnly);
  if (bits > 32) throw new Unsupported(`'${operation}' of ${bits} bits is not supported`);
  const operator = signed[operation];
  if (bits < 32) {
    if (operator) return wrap(binary(operator, left, right), bits);
    return wrap(lowerNarrowUnsigned(operation, bits, left, right), bits);
  }
  const exact = wrapping[operation];
  if (exact && !isSignedOnly) {
    const isSameForSmall = operation === 'udiv' || operation === 'urem' || operation === 'lshr';
    if (!isSameForSmall || !isNonNegative(left) || !isNonNegative(right))
      return binary(exact, left, right);
    return binary(operation === 'udiv' ? '/' : operation === 'urem' ? '%' : '>>', left, right);
  }
  if (operator) return withoutSign(operator, left, right);
  throw new Unsupported(`'${operation}' is not supported`);
}

/**
 * The result of an operation on 64 bits. The operator for 32 bits is used if bounds show that it
 * suffices. With `isSignedOnly`, signed overflow is undefined.
 */
function lowerWide<Leaf>(
  operation: string,
  left: Expression<Leaf>,
  right: Expression<Leaf>,
  isSignedOnly: boolean,
): Expression<Leaf> {
  const operator = (isSignedOnly ? wideSigned[operation] : undefined) ?? wide[operation];
  if (!operator) throw new Unsupported(`'${operation}' is not supported`);
  const by = constantOf(right);
  const opposite = operation === 'sub' && by !== undefined ? oppositeIfNegative(by) : undefined;
  // `isBias` of integer-pieces.ts tells its own subtractions from those of the program.
  if (opposite !== undefined) return lowerWide('add', left, constant(opposite), isSignedOnly);
  switch (operation) {
    case 'add':
    case 'sub':
    case 'mul': {
      const plain = signed[operation]!;
      const ranges = [rangeOf(left), rangeOf(right)] as const;
      const isEnough =
        ranges.every((range) => isWithin(range, word)) &&
        isWithin(rangeOfSum(plain, ...ranges), word);
      return withoutSign(isEnough ? plain : operator, left, right);
    }
    case 'urem': {
      const mask = by === undefined ? undefined : valueOfInteger(integerOfValue(by) - 1n);
      if (mask !== undefined && isPowerOfTwo(integerOfValue(by!)))
        return binary('&', left, constant(mask));
      return binary(isSmall(left) && isSmall(right) ? '%' : operator, left, right);
    }
    case 'udiv':
    case 'sdiv':
      return binary(isSmall(left) && isSmall(right) ? '/' : operator, left, right);
    case 'lshr':
    case 'ashr': {
      const isShort = by !== undefined && by >= 0 && by < 32;
      const isEnough = operation === 'lshr' ? isSmall(left) : isWithin(rangeOf(left), word);
      return binary(isShort && isEnough ? '>>' : operator, left, right);
    }
    default:
      return binary(operator, left, right);
  }
}

/**
 * The negation of a negative value; `undefined` for other values, and if the result has no code.
 */
function oppositeIfNegative(value: number): number | undefined {
  const integer = integerOfValue(value);
  return integer < 0n && integer > -(2n ** 63n) ? valueOfInteger(-integer) : undefined;
}

function isPowerOfTwo(integer: bigint): boolean {
  return integer > 0n && (integer & (integer - 1n)) === 0n;
}

/**
 * The sum or product of an address and distances, all of 32 bits. Evaluation faults on overflow,
 * since no object lies beyond 32 bits.
 */
export function lowerAddress<Leaf>(
  operation: 'add' | 'mul',
  left: Expression<Leaf>,
  right: Expression<Leaf>,
): Expression<Leaf> {
  return withoutSign(operation === 'add' ? '+' : '*', left, right);
}

/** The binary expression, with `a - 1` in place of `a + -1`. */
function withoutSign<Leaf>(
  operator: BinaryOperator,
  left: Expression<Leaf>,
  right: Expression<Leaf>,
): Expression<Leaf> {
  const by = constantOf(right);
  return operator.startsWith('+') && by !== undefined && isWord(by) && by < 0 && by > minimum
    ? binary(`-${operator.slice(1)}` as BinaryOperator, left, constant(-by))
    : binary(operator, left, right);
}

function lowerOneBit<Leaf>(
  operation: string,
  left: Expression<Leaf>,
  right: Expression<Leaf>,
): Expression<Leaf> {
  if (operation === 'add' || operation === 'sub') return binary('^', left, right);
  if (operation === 'mul') return binary('&', left, right);
  throw new Unsupported(`'${operation}' of truth values is not supported`);
}

function lowerNarrowUnsigned<Leaf>(
  operation: string,
  bits: number,
  left: Expression<Leaf>,
  right: Expression<Leaf>,
): Expression<Leaf> {
  switch (operation) {
    case 'udiv':
      return binary('/', masked(left, bits), masked(right, bits));
    case 'urem':
      return binary('%', masked(left, bits), masked(right, bits));
    case 'lshr':
      return binary('>>', masked(left, bits), right);
    default:
      throw new Unsupported(`'${operation}' is not supported`);
  }
}

const relations: Readonly<Record<string, BinaryOperator>> = {
  eq: '==',
  ne: '!=',
  lt: '<',
  le: '<=',
  gt: '>',
  ge: '>=',
};

/** Whether two integers satisfy a relation of `icmp`, given by name. Throws `Unsupported`. */
export function lowerCompare<Leaf>(
  relation: string,
  bits: number,
  left: Expression<Leaf>,
  right: Expression<Leaf>,
): Expression<Leaf> {
  const isEquality = relation === 'eq' || relation === 'ne';
  const operator = relations[isEquality ? relation : relation.slice(1)];
  if (!operator || !(isEquality || /^[us][lg]/.test(relation)))
    throw new Unsupported(`the relation '${relation}' is not supported`);
  if (isEquality) return binary(operator, left, right);
  const isUnsigned = relation.startsWith('u');
  // As a signed number, the single bit 1 is -1.
  if (bits === 1 && !isUnsigned) return binary(operator, right, left);
  const fits = bits === 1 || (isNonNegative(left) && isNonNegative(right));
  if (!isUnsigned || fits) return binary(operator, left, right);
  const unsigned = `${operator}${bits > 32 ? ':%' : '%'}` as BinaryOperator;
  return binary(unsigned, left, right);
}

/** The expression without an outer conversion to 32 bits; equal modulo 2^32. */
function withoutConversion<Leaf>(expression: Expression<Leaf>): Expression<Leaf> {
  const inner = innerOf(expression);
  const isConverted =
    inner?.kind === 'unary' && (inner.operator === 'i32' || inner.operator === 'u32');
  return isConverted ? inner.operand : expression;
}

/** The integer of `from` bits converted to `to` bits. Throws `Unsupported`. */
export function lowerConversion<Leaf>(
  operation: string,
  from: number,
  to: number,
  operand: Expression<Leaf>,
): Expression<Leaf> {
  for (const bits of [from, to])
    if (bits > 32 && bits !== 64)
      throw new Unsupported(`integers of ${bits} bits are not supported`);
  switch (operation) {
    case 'bitcast':
    case 'freeze':
      return operand;
    case 'trunc':
    case 'ptrtoint':
      if (to < 32) return wrap(operand, to);
      return to === from || isWithin(rangeOf(operand), word)
        ? operand
        : unary('i32', withoutConversion(operand));
    case 'sext':
      return from === 1 ? unary('-', operand) : operand;
    case 'zext':
    case 'inttoptr':
      if (from === 1 || from === to || isNonNegative(operand)) return operand;
      return from < 32 ? masked(operand, from) : unary('u32', withoutConversion(operand));
    default:
      throw new Unsupported(`'${operation}' is not supported`);
  }
}
