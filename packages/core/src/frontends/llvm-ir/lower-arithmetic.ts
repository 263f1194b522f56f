import {
  binary,
  constant,
  innerOf,
  unary,
  type BinaryOperator,
  type Expression,
} from '../../program/expression.js';
import { Unsupported } from './unsupported.js';

/*
 * Arithmetic of C as expressions of programs, whose numbers have 32 bits and do not wrap. Integers
 * are kept with their signs. Those narrower than 32 bits are exact. Of wider ones, and of 32 bits
 * without a sign, results are right as long as they and what they are made of fit into 32 bits with
 * a sign; otherwise evaluation faults, or a guard is 0, and then the execution has to fault, too.
 * Operators that wrap at 32 and 64 bits would go here.
 */

/** A value, and the guards that have to hold for it to be right. */
export interface Lowered<Leaf> {
  readonly value: Expression<Leaf>;
  /** Empty for most; where one of them is 0, the execution faults. */
  readonly guards: readonly Expression<Leaf>[];
}

const minimum = -(2 ** 31);

function plain<Leaf>(value: Expression<Leaf>): Lowered<Leaf> {
  return { value, guards: [] };
}

function constantOf<Leaf>(expression: Expression<Leaf>): number | undefined {
  const inner = innerOf(expression);
  return inner?.kind === 'constant' ? inner.value : undefined;
}

/** The number of that many bits, below 32, that equals the expression modulo their power of two. */
function wrap<Leaf>(expression: Expression<Leaf>, bits: number): Expression<Leaf> {
  if (bits === 1) return binary('&', expression, constant(1));
  const sign = 2 ** (bits - 1);
  return binary('-', binary('^', masked(expression, bits), constant(sign)), constant(sign));
}

/** A number of that many bits, below 32, read without its sign. */
function masked<Leaf>(expression: Expression<Leaf>, bits: number): Expression<Leaf> {
  return binary('&', expression, constant(2 ** bits - 1));
}

/** Whether the expression can be seen to be 0 or more. */
function isNonNegative<Leaf>(expression: Expression<Leaf>): boolean {
  const inner = innerOf(expression);
  switch (inner?.kind) {
    case 'constant':
      return inner.value >= 0;
    case 'unary':
      return ['!', 'u8', 'u16'].includes(inner.operator);
    case 'binary':
      switch (inner.operator) {
        case '&':
          return isNonNegative(inner.left) || isNonNegative(inner.right);
        case '>>':
        case '%':
          return isNonNegative(inner.left);
        case '/':
          return isNonNegative(inner.left) && isNonNegative(inner.right);
        case '+':
        case '-':
        case '*':
        case '|':
        case '^':
        case '<<':
        case '+%':
        case '-%':
        case '*%':
        case '/%':
        case '%%':
        case '<<%':
        case '>>%':
          return false;
        default:
          return true;
      }
    case undefined:
      return false;
  }
}

/** The value, guarded so that none of the operands is negative. */
function unsignedOnly<Leaf>(
  value: Expression<Leaf>,
  ...operands: readonly Expression<Leaf>[]
): Lowered<Leaf> {
  const doubtful = operands.filter((operand) => !isNonNegative(operand));
  return { value, guards: doubtful.map((operand) => binary('>=', operand, constant(0))) };
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
const bitwise: Readonly<Record<string, BinaryOperator>> = { and: '&', or: '|', xor: '^' };

/** The operation of that name in LLVM, on integers of 1 to 64 bits. Throws `Unsupported`. */
export function lowerBinary<Leaf>(
  operation: string,
  bits: number,
  left: Expression<Leaf>,
  right: Expression<Leaf>,
): Lowered<Leaf> {
  const same = bitwise[operation];
  if (same) return plain(binary(same, left, right));
  if (bits === 1) return lowerOneBit(operation, left, right);
  const operator = signed[operation];
  if (bits < 32) {
    if (operator) return plain(wrap(binary(operator, left, right), bits));
    return plain(wrap(lowerNarrowUnsigned(operation, bits, left, right), bits));
  }
  if (operation === 'ashr' && (constantOf(right) ?? 0) > 31)
    return plain(binary('>>', left, constant(31)));
  if (operator) return plain(binary(operator, left, right));
  return lowerUnsigned(operation, bits, left, right);
}

function lowerOneBit<Leaf>(
  operation: string,
  left: Expression<Leaf>,
  right: Expression<Leaf>,
): Lowered<Leaf> {
  if (operation === 'add' || operation === 'sub') return plain(binary('^', left, right));
  if (operation === 'mul') return plain(binary('&', left, right));
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

/** The operations that read numbers of 32 bits and more without their sign. */
function lowerUnsigned<Leaf>(
  operation: string,
  bits: number,
  left: Expression<Leaf>,
  right: Expression<Leaf>,
): Lowered<Leaf> {
  const by = constantOf(right);
  const power = by !== undefined && by > 0 ? Math.log2(by) : undefined;
  switch (operation) {
    case 'urem':
      if (Number.isInteger(power)) return plain(binary('&', left, constant(by! - 1)));
      return unsignedOnly(binary('%', left, right), left, right);
    case 'udiv':
      if (Number.isInteger(power)) return shiftedRight(bits, left, power!);
      return unsignedOnly(binary('/', left, right), left, right);
    case 'lshr':
      if (by !== undefined && by >= 0 && by < bits) return shiftedRight(bits, left, by);
      return unsignedOnly(binary('>>', left, right), left);
    default:
      throw new Unsupported(`'${operation}' is not supported`);
  }
}

/** A number of 32 bits or more, without its sign, shifted by a constant below their number. */
function shiftedRight<Leaf>(bits: number, left: Expression<Leaf>, by: number): Lowered<Leaf> {
  if (by === 0) return plain(left);
  const shifted = binary('>>', left, constant(Math.min(by, 31)));
  const kept = bits - by;
  return kept < 32 ? plain(masked(shifted, kept)) : unsignedOnly(shifted, left);
}

const relations: Readonly<Record<string, BinaryOperator>> = {
  eq: '==',
  ne: '!=',
  lt: '<',
  le: '<=',
  gt: '>',
  ge: '>=',
};

/** Whether two integers stand in the relation that `icmp` calls so. Throws `Unsupported`. */
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
  // With a sign, the one bit of 1 stands for -1.
  if (bits === 1 && !isUnsigned) return binary(operator, right, left);
  const fits = bits === 1 || (isNonNegative(left) && isNonNegative(right));
  if (!isUnsigned || fits) return binary(operator, left, right);
  return binary(operator, flipped(left), flipped(right));
}

/** In the order of all integers with a sign, what the expression is in that of those without. */
function flipped<Leaf>(expression: Expression<Leaf>): Expression<Leaf> {
  const value = constantOf(expression);
  return value === undefined
    ? binary('^', expression, constant(minimum))
    : constant(value ^ minimum);
}

/** The integer of `from` bits as one of `to` bits. Throws `Unsupported`. */
export function lowerConversion<Leaf>(
  operation: string,
  from: number,
  to: number,
  operand: Expression<Leaf>,
): Lowered<Leaf> {
  switch (operation) {
    case 'bitcast':
    case 'freeze':
      return plain(operand);
    case 'trunc':
    case 'ptrtoint':
      return plain(to < 32 ? wrap(operand, to) : operand);
    case 'sext':
      return plain(from === 1 ? unary('-', operand) : operand);
    case 'zext':
    case 'inttoptr':
      if (from === 1 || from === to) return plain(operand);
      return from < 32 ? plain(masked(operand, from)) : unsignedOnly(operand, operand);
    default:
      throw new Unsupported(`'${operation}' is not supported`);
  }
}
