import {
  binary,
  constant,
  type Binary,
  type Expression,
} from '@fencewright/model/program/expression.js';
import type { RmwLeaf } from '@fencewright/model/program/rmw.js';
import {
  binaryValue,
  type CellPart,
  convertValue,
  expressionValue,
  nothing,
  numberValue,
  toExpression,
  type LoweredValue,
} from './value.js';
import { severalSizes, Unsupported } from './unsupported.js';

/*
 * Integers and their bytes. Compilers pass, copy, and atomically access a structure of up to 16
 * bytes as one integer. The model represents an integer of 16 bytes by its code: a number of 64
 * bits that is made of both halves of the integer.
 */

/** The maximum size in bytes of an integer that the model represents without a code. */
export const largestInteger = 8;

/**
 * The half of a 16-byte integer that is in the lowest bits of its code. Value sets of codes stay
 * precise if only the highest bits count up, so this half should be the pointer, and the other half
 * the tag.
 */
export type FirstHalf = 'lower' | 'upper';

/**
 * The number of bits for the first half in a code of an integer of 16 bytes; each half is a signed
 * number. A pointer is a small number in the model, and a tag counts up from small numbers. An
 * integer with a larger half has no code: an execution that computes one ends at this limit of the
 * model.
 */
const firstBits = 28;
/** The number of bits for the second half in a code of an integer of 16 bytes. */
const secondBits = 64 - firstBits;
/**
 * The offset of the first number in a code, so that no code equals an address, whatever object the
 * first number points to.
 */
const bias = 2 ** (firstBits - 1);

/**
 * Converts the lower and the upper half of an integer to the first and the second half of its code;
 * or the halves of a code to those of the integer.
 */
function inOrder<T>(first: FirstHalf, halves: readonly [T, T]): readonly [T, T] {
  return first === 'lower' ? halves : [halves[1], halves[0]];
}

/** The part of a value of `size` bytes that begins `offset` bytes from the start. */
export function pieceOf(
  value: LoweredValue,
  size: number,
  { offset, size: part }: CellPart,
): LoweredValue {
  if (offset === 0 && part === size) return value;
  switch (value.kind) {
    case 'number':
      return numberValue(BigInt.asIntN(8 * part, value.number >> BigInt(8 * offset)));
    case 'undefined':
      return nothing;
    case 'maybe': {
      const whole: LoweredValue = { kind: 'expression', expression: value.expression };
      const piece = pieceOf(whole, size, { offset, size: part });
      return { kind: 'maybe', expression: toExpression(piece), defined: value.defined };
    }
    case 'expression': {
      const shifted = binaryValue('lshr', 8 * size, value, numberValue(8 * offset), false);
      return convertValue('trunc', 8 * size, 8 * part, shifted);
    }
    case 'parts':
      return pieceOfParts(value, { offset, size: part });
  }
}

/** Whether all bytes of the integer are initialised and were loaded together. */
export function hasOneValue(value: LoweredValue): boolean {
  if (value.kind !== 'parts') return value.kind === 'number' || value.kind === 'expression';
  const { parts, integer } = value;
  return integer !== undefined && !integer.isTorn && parts.every((part) => hasOneValue(part));
}

function pieceOfParts(
  { parts, integer }: Extract<LoweredValue, { kind: 'parts' }>,
  { offset, size }: CellPart,
): LoweredValue {
  const inside: CellPart[] = [];
  const values: LoweredValue[] = [];
  integer?.cells.forEach((cell, i) => {
    const start = Math.max(offset, cell.offset);
    const end = Math.min(offset + size, cell.offset + cell.size);
    if (start >= end) return;
    inside.push({ offset: start - offset, size: end - start });
    values.push(pieceOf(parts[i]!, cell.size, { offset: start - cell.offset, size: end - start }));
  });
  const isWhole = inside.length === 1 && inside[0]!.size === size;
  return isWhole ? values[0]! : { kind: 'parts', parts: values, integer: { size, cells: inside } };
}

/**
 * The integer of at most 8 bytes joined from the pieces of a value; other values unchanged. Throws
 * `Unsupported` if a piece is uninitialised.
 */
export function wholeValue(value: LoweredValue): LoweredValue {
  if (value.kind !== 'parts' || !value.integer) return value;
  const { size, isTorn } = value.integer;
  if (isTorn) throw severalSizes('a structure');
  return joined(value.parts, value.integer.cells, size);
}

function joined(
  parts: readonly LoweredValue[],
  cells: readonly CellPart[],
  size: number,
): LoweredValue {
  let all: LoweredValue = numberValue(0);
  cells.forEach(({ offset, size: part }, i) => {
    const piece = wholeValue(parts[i]!);
    if (piece.kind === 'undefined' || piece.kind === 'maybe')
      throw new Unsupported(
        'a structure is accessed as a whole while a part of the structure is uninitialised',
        'initialise all fields of the structure',
      );
    // The shift drops the bits beyond the integer.
    const isLast = offset + part === size;
    const wide = convertValue(isLast ? 'sext' : 'zext', 8 * part, 8 * size, piece);
    const shifted = binaryValue('shl', 8 * size, wide, numberValue(8 * offset), false);
    all = binaryValue('or', 8 * size, all, shifted, false);
  });
  return all;
}

/**
 * The lower and the upper half of an integer of 16 bytes. Throws `Unsupported` as `wholeValue`
 * does.
 */
export function halvesOf(value: LoweredValue): readonly [lower: LoweredValue, upper: LoweredValue] {
  if (value.kind === 'parts' && value.integer?.isTorn) throw severalSizes('a structure');
  const half = (offset: number): LoweredValue => {
    const piece = pieceOf(value, 16, { offset, size: 8 });
    return piece.kind === 'parts' && piece.integer
      ? joined(piece.parts, piece.integer.cells, 8)
      : piece;
  };
  return [half(0), half(8)];
}

/** The integer of 16 bytes with the given halves. */
export function ofHalves(lower: LoweredValue, upper: LoweredValue): LoweredValue {
  const cells = [0, 8].map((offset): CellPart => ({ offset, size: 8 }));
  return { kind: 'parts', parts: [lower, upper], integer: { size: 16, cells } };
}

/** The number of an integer of 16 bytes if both halves are known; otherwise the value unchanged. */
export function numberIfKnown(value: LoweredValue): LoweredValue {
  if (value.kind !== 'parts') return value;
  const [lower, upper] = halvesOf(value);
  if (lower.kind !== 'number' || upper.kind !== 'number') return value;
  return numberValue((upper.number << 64n) | BigInt.asUintN(64, lower.number));
}

function fits(number: bigint, bits: number): boolean {
  return BigInt.asIntN(bits, number) === number;
}

/** The code of a number of 16 bytes; `undefined` if the model has no code for the number. */
export function codeOf(number: bigint, firstHalf: FirstHalf): bigint | undefined {
  const [lower, upper] = [BigInt.asIntN(64, number), BigInt.asIntN(64, number >> 64n)];
  const [first, second] = inOrder(firstHalf, [lower, upper]);
  if (!fits(first, firstBits) || !fits(second, secondBits)) return undefined;
  return BigInt.asIntN(64, (second << BigInt(firstBits)) | (first + BigInt(bias)));
}

/**
 * The number plus half of 2 to the power of `bits`, as a subtraction of a negative constant. The
 * lowering of programs makes no such subtraction, so that `isBias` recognises those of codes.
 */
function biased(value: LoweredValue, bits: number): LoweredValue {
  const half = 2 ** (bits - 1);
  return value.kind === 'number'
    ? numberValue(value.number + BigInt(half))
    : expressionValue(binary('-:%', toExpression(value), constant(-half)));
}

/**
 * Whether the expression is the addition of the offset in a code of a 16-byte integer. Codes are
 * the same in all memory layouts.
 */
export function isBias({ operator, left, right }: Binary<RmwLeaf>): boolean {
  return (
    operator === '-:%' &&
    left.kind !== 'old' &&
    right.kind === 'constant' &&
    [firstBits, secondBits].some((bits) => right.value === -(2 ** (bits - 1)))
  );
}

/** The code of an integer with the given halves, which have to satisfy `boundsOf`. */
export function codeValue(
  lower: LoweredValue,
  upper: LoweredValue,
  firstHalf: FirstHalf,
): LoweredValue {
  const [first, second] = inOrder(firstHalf, [lower, upper]);
  const high = binaryValue('shl', 64, second, numberValue(firstBits), false);
  return binaryValue('or', 64, high, biased(first, firstBits), false);
}

/** The conditions under all of which an integer with the given halves has a code. */
export function boundsOf(
  lower: LoweredValue,
  upper: LoweredValue,
  firstHalf: FirstHalf,
): readonly Expression[] {
  const within = (value: LoweredValue, bits: number): readonly Expression[] => {
    if (value.kind === 'number') return fits(value.number, bits) ? [] : [constant(0)];
    // A comparison with the bounds would depend on the layout if `value` is an address.
    const beyond = binaryValue('lshr', 64, biased(value, bits), numberValue(bits), false);
    return [binary('==', toExpression(beyond), constant(0))];
  };
  const [first, second] = inOrder(firstHalf, [lower, upper]);
  return [...within(first, firstBits), ...within(second, secondBits)];
}

/** The integer of 16 bytes with a code. */
export function integerOfCode(code: LoweredValue, firstHalf: FirstHalf): LoweredValue {
  const low = binaryValue('and', 64, code, numberValue(2 ** firstBits - 1), false);
  const first = binaryValue('sub', 64, low, numberValue(bias), false);
  const second = binaryValue('ashr', 64, code, numberValue(firstBits), false);
  return ofHalves(...inOrder(firstHalf, [first, second]));
}
