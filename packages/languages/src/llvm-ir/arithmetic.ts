import { Unsupported } from './unsupported.js';

/**
 * Exact arithmetic on integers of 1 to 64 bits as in C on x86. An integer is kept with its sign; an
 * integer of one bit is 0 or 1.
 */

/** The integer of `bits` bits that equals `value` modulo 2 to the power of `bits`. */
export function wrappedInteger(value: bigint, bits: number): bigint {
  return bits === 1 ? BigInt.asUintN(1, value) : BigInt.asIntN(bits, value);
}

/** The integer read as unsigned. */
export function unsigned(value: bigint, bits: number): bigint {
  return BigInt.asUintN(bits, value);
}

/**
 * The result of an LLVM operation, given by name. Throws `Unsupported` for an operation that is not
 * supported, a division by 0, a shift by too many bits, a quotient that does not fit, and, with
 * `isSignedOnly`, a signed overflow.
 */
export function compute(
  operation: string,
  bits: number,
  left: bigint,
  right: bigint,
  isSignedOnly = false,
): bigint {
  const exact = exactly(operation, bits, left, right);
  const result = wrappedInteger(exact, bits);
  // The least number divided by -1 is undefined in LLVM, and a fault on x86.
  const isDivided = operation === 'sdiv' || operation === 'srem';
  const leaves = isDivided
    ? right === -1n && left === -(1n << BigInt(bits - 1))
    : isSignedOnly && result !== exact;
  if (leaves && bits > 1)
    throw new Unsupported('a signed integer overflows, which C leaves undefined');
  return result;
}

function exactly(operation: string, bits: number, left: bigint, right: bigint): bigint {
  switch (operation) {
    case 'add':
      return left + right;
    case 'sub':
      return left - right;
    case 'mul':
      return left * right;
    case 'and':
      return left & right;
    case 'or':
      return left | right;
    case 'xor':
      return left ^ right;
    case 'sdiv':
      return left / divisor(right);
    case 'srem':
      return left % divisor(right);
    case 'udiv':
      return unsigned(left, bits) / divisor(unsigned(right, bits));
    case 'urem':
      return unsigned(left, bits) % divisor(unsigned(right, bits));
    case 'shl':
      return left << distance(right, bits);
    case 'lshr':
      return unsigned(left, bits) >> distance(right, bits);
    case 'ashr':
      return left >> distance(right, bits);
    default:
      throw new Unsupported(`'${operation}' is not supported`);
  }
}

function divisor(value: bigint): bigint {
  if (value === 0n) throw new Unsupported('a division by zero');
  return value;
}

function distance(value: bigint, bits: number): bigint {
  if (value < 0n || value >= BigInt(bits))
    throw new Unsupported(`a shift by ${value} of ${bits} bits, which C leaves undefined`);
  return value;
}

/** Whether two integers satisfy a relation of LLVM's `icmp`, given by name. */
export function compare(relation: string, bits: number, left: bigint, right: bigint): boolean {
  // As a signed number, the single bit 1 is -1.
  const signed: [bigint, bigint] = bits === 1 ? [-left, -right] : [left, right];
  const isUnsigned = relation.startsWith('u');
  const [a, b] = isUnsigned ? [unsigned(left, bits), unsigned(right, bits)] : signed;
  switch (relation) {
    case 'eq':
      return a === b;
    case 'ne':
      return a !== b;
    case 'ult':
    case 'slt':
      return a < b;
    case 'ule':
    case 'sle':
      return a <= b;
    case 'ugt':
    case 'sgt':
      return a > b;
    case 'uge':
    case 'sge':
      return a >= b;
    default:
      throw new Unsupported(`the relation '${relation}' is not supported`);
  }
}

/** The integer of `from` bits converted to `to` bits. */
export function converted(operation: string, value: bigint, from: number, to: number): bigint {
  switch (operation) {
    case 'trunc':
    case 'inttoptr':
    case 'ptrtoint':
    case 'bitcast':
    case 'freeze':
      return wrappedInteger(value, to);
    case 'zext':
      return wrappedInteger(unsigned(value, from), to);
    case 'sext':
      return wrappedInteger(from === 1 ? -value : value, to);
    default:
      throw new Unsupported(`'${operation}' is not supported`);
  }
}

/**
 * The value that an `atomicrmw` instruction stores, given the old value in memory and the operand.
 */
export function modified(operation: string, bits: number, old: bigint, operand: bigint): bigint {
  switch (operation) {
    case 'xchg':
      return operand;
    case 'nand':
      return wrappedInteger(~(old & operand), bits);
    case 'max':
      return old > operand ? old : operand;
    case 'min':
      return old < operand ? old : operand;
    case 'umax':
      return unsigned(old, bits) > unsigned(operand, bits) ? old : operand;
    case 'umin':
      return unsigned(old, bits) < unsigned(operand, bits) ? old : operand;
    default:
      return compute(operation, bits, old, operand);
  }
}
