import { binary, type Expression } from '@fencewright/model/program/expression.js';
import { checkPlaces } from './address-numbers.js';
import { unsigned, wrappedInteger } from './arithmetic.js';
import type { ByteMemory } from './memory.js';
import { Unsupported } from './unsupported.js';
import {
  binaryValue,
  compareValues,
  convertValue,
  expressionValue,
  numberValue,
  toExpression,
  type LoweredValue,
} from './value.js';

/** Arithmetic that reports overflow: `__builtin_add_overflow` and the like. */
interface Overflowing {
  readonly isSigned: boolean;
  readonly operation: 'add' | 'sub' | 'mul';
  readonly bits: number;
}

/** The arithmetic of an intrinsic, given by name; `undefined` for all other names. */
export function overflowing(name: string): Overflowing | undefined {
  const [, sign, operation, bits] =
    /^llvm\.([su])(add|sub|mul)\.with\.overflow\.i([0-9]+)$/.exec(name) ?? [];
  if (operation === undefined) return undefined;
  return {
    isSigned: sign === 's',
    operation: operation as Overflowing['operation'],
    bits: Number(bits),
  };
}

/**
 * The wrapped result, and 1 if the exact result is out of range. Throws `Unsupported` if they
 * depend on the memory layout.
 */
export function overflowOf(
  memory: ByteMemory,
  { isSigned, operation, bits }: Overflowing,
  left: bigint,
  right: bigint,
): readonly [bigint, bigint] {
  checkPlaces(memory, operation, bits, left, right);
  const [l, r] = isSigned ? [left, right] : [unsigned(left, bits), unsigned(right, bits)];
  const exact = { add: l + r, sub: l - r, mul: l * r }[operation];
  const result = wrappedInteger(exact, bits);
  const isExact = (isSigned ? result : unsigned(result, bits)) === exact;
  return [result, isExact ? 0n : 1n];
}

/** The wrapped result and the overflow flag for values of a thread. Throws `Unsupported`. */
export function overflowValue(
  memory: ByteMemory,
  how: Overflowing,
  left: LoweredValue,
  right: LoweredValue,
): LoweredValue {
  const { isSigned, operation, bits } = how;
  if (left.kind === 'number' && right.kind === 'number') {
    const both = overflowOf(memory, how, left.number, right.number);
    return { kind: 'parts', parts: both.map((each) => numberValue(each)) };
  }
  const of = (name: string, l: LoweredValue, r: LoweredValue, width = bits): LoweredValue =>
    binaryValue(name, width, l, r, false);
  const result = of(operation, left, right);
  const zero = numberValue(0);
  let isOutside: LoweredValue;
  if (operation === 'mul') {
    if (bits > 64)
      throw new Unsupported(
        'the overflow of products of more than 64 bits is not supported',
        'check the operands before',
      );
    const wide = (value: LoweredValue): LoweredValue =>
      convertValue(isSigned ? 'sext' : 'zext', bits, 64, value);
    if (bits <= 32)
      isOutside = compareValues('ne', 64, of('mul', wide(left), wide(right), 64), wide(result));
    else if (right.kind === 'number') isOutside = leavesRange(how, left, right.number);
    else if (left.kind === 'number') isOutside = leavesRange(how, right, left.number);
    else isOutside = isNotUndone(how, left, right, result);
  } else if (isSigned) {
    // On overflow, the result has the wrong sign.
    const first = of('xor', left, result);
    const second = operation === 'add' ? of('xor', right, result) : of('xor', left, right);
    isOutside = compareValues('slt', bits, of('and', first, second), zero);
  } else if (operation === 'add') isOutside = compareValues('ult', bits, result, left);
  else isOutside = compareValues('ult', bits, left, right);
  return { kind: 'parts', parts: [result, isOutside] };
}

/** Returns the smallest and the largest number of a type. */
function rangeOf({ isSigned, bits }: Overflowing): readonly [low: bigint, high: bigint] {
  const half = 1n << BigInt(bits - 1);
  return isSigned ? [-half, half - 1n] : [0n, 2n * half - 1n];
}

/** Whether the product of the value and the factor is out of range. */
function leavesRange(how: Overflowing, value: LoweredValue, factor: bigint): LoweredValue {
  const { isSigned, bits } = how;
  const by = isSigned ? factor : unsigned(factor, bits);
  if (by === 0n) return numberValue(0);
  const [low, high] = rangeOf(how);
  // Division of integers rounds towards zero, that is into the range.
  const [least, most] = by > 0n ? [low / by, high / by] : [high / by, low / by];
  const constantOf = (bound: bigint): LoweredValue => numberValue(wrappedInteger(bound, bits));
  const isAbove =
    most >= high
      ? numberValue(0)
      : compareValues(isSigned ? 'sgt' : 'ugt', bits, value, constantOf(most));
  if (least <= low) return isAbove;
  const isBelow = compareValues('slt', bits, value, constantOf(least));
  return binaryValue('or', 1, isAbove, isBelow, false);
}

/** Whether the wrapped product divided by a factor is not the other factor. */
function isNotUndone(
  { isSigned, bits }: Overflowing,
  left: LoweredValue,
  right: LoweredValue,
  product: LoweredValue,
): LoweredValue {
  const is = (relation: 'eq' | 'ne', value: LoweredValue, number: bigint): Expression =>
    toExpression(compareValues(relation, bits, value, numberValue(number)));
  const quotient = (): LoweredValue =>
    binaryValue(isSigned ? 'sdiv' : 'udiv', bits, product, left, false);
  const isOther = (): Expression => toExpression(compareValues('ne', bits, quotient(), right));
  // The parts stand in the order in which they are evaluated: no division faults.
  const isNotZero = is('ne', left, 0n);
  if (!isSigned) return expressionValue(binary('&&', isNotZero, isOther()));
  const isLeast = left.kind === 'number' && left.number === -1n;
  if (isLeast) return compareValues('eq', bits, right, numberValue(-(1n << BigInt(bits - 1))));
  const ofLeast = binary('&&', is('eq', left, -1n), is('eq', right, -(1n << BigInt(bits - 1))));
  const ofOthers = binary('&&', is('ne', left, -1n), isOther());
  return expressionValue(binary('&&', isNotZero, binary('||', ofLeast, ofOthers)));
}
