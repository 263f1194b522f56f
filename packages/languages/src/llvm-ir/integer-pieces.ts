import { binary, constant, type Expression } from '@fencewright/model/program/expression.js';
import {
  binaryValue,
  type CellPart,
  convertValue,
  nothing,
  numberValue,
  toExpression,
  type Value,
} from './value.js';
import { severalSizes, Unsupported } from './unsupported.js';

/*
 * Integers and the bytes that they consist of. Compilers take a structure of up to 16 bytes for one
 * integer where they pass it, copy it, or access it atomically.
 */

/** The largest integer that is one value as it is, in bytes. */
export const largestInteger = 8;

/**
 * An integer of 16 bytes is one value only as two numbers with signs, of its lower and its upper 8
 * bytes: a pointer is an address here, and a tag counts up from small numbers. Of others the model
 * has none: executions that come to one end there, by a limit of the model.
 */
const lowerBits = 28;
const upperBits = 64 - lowerBits;
/**
 * The code holds the lower number plus this: no code is an address, whatever object the lower
 * number points to.
 */
const bias = 2 ** (lowerBits - 1);

/** The bytes of a value of so many bytes that lie there. */
export function pieceOf(value: Value, size: number, { offset, size: part }: CellPart): Value {
  if (offset === 0 && part === size) return value;
  switch (value.kind) {
    case 'number':
      return numberValue(BigInt.asIntN(8 * part, value.number >> BigInt(8 * offset)));
    case 'undefined':
      return nothing;
    case 'maybe': {
      const whole: Value = { kind: 'expression', expression: value.expression };
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

function pieceOfParts(
  { parts, integer }: Extract<Value, { kind: 'parts' }>,
  { offset, size }: CellPart,
): Value {
  const inside: CellPart[] = [];
  const values: Value[] = [];
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
 * The integer of at most 8 bytes whose pieces those of the value are, as one value. Others are as
 * they are. Throws `Unsupported` where a piece is not defined.
 */
export function wholeValue(value: Value): Value {
  if (value.kind !== 'parts' || !value.integer) return value;
  const { size, isTorn } = value.integer;
  if (isTorn) throw severalSizes('a structure');
  return joined(value.parts, value.integer.cells, size);
}

function joined(parts: readonly Value[], cells: readonly CellPart[], size: number): Value {
  let all: Value = numberValue(0);
  cells.forEach(({ offset, size: part }, i) => {
    const piece = wholeValue(parts[i]!);
    if (piece.kind === 'undefined' || piece.kind === 'maybe')
      throw new Unsupported(
        'a part of a structure has no value where it is accessed as a whole',
        'give a value to all of its fields',
      );
    // What is beyond the integer is shifted out of it.
    const isLast = offset + part === size;
    const wide = convertValue(isLast ? 'sext' : 'zext', 8 * part, 8 * size, piece);
    const shifted = binaryValue('shl', 8 * size, wide, numberValue(8 * offset), false);
    all = binaryValue('or', 8 * size, all, shifted, false);
  });
  return all;
}

/** The lower and the upper half of an integer of 16 bytes. Throws `Unsupported` as `wholeValue`. */
export function halvesOf(value: Value): readonly [lower: Value, upper: Value] {
  if (value.kind === 'parts' && value.integer?.isTorn) throw severalSizes('a structure');
  const half = (offset: number): Value => {
    const piece = pieceOf(value, 16, { offset, size: 8 });
    return piece.kind === 'parts' && piece.integer
      ? joined(piece.parts, piece.integer.cells, 8)
      : piece;
  };
  return [half(0), half(8)];
}

/** An integer of 16 bytes with those halves. */
export function ofHalves(lower: Value, upper: Value): Value {
  const cells = [0, 8].map((offset): CellPart => ({ offset, size: 8 }));
  return { kind: 'parts', parts: [lower, upper], integer: { size: 16, cells } };
}

/** The number of an integer of 16 bytes, where that of its halves is known; else as it is. */
export function numberIfKnown(value: Value): Value {
  if (value.kind !== 'parts') return value;
  const [lower, upper] = halvesOf(value);
  if (lower.kind !== 'number' || upper.kind !== 'number') return value;
  return numberValue((upper.number << 64n) | BigInt.asUintN(64, lower.number));
}

function fits(number: bigint, bits: number): boolean {
  return BigInt.asIntN(bits, number) === number;
}

/** The code of a number of 16 bytes; `undefined` for what the model has none for. */
export function codeOf(number: bigint): bigint | undefined {
  const [lower, upper] = [BigInt.asIntN(64, number), BigInt.asIntN(64, number >> 64n)];
  if (!fits(lower, lowerBits) || !fits(upper, upperBits)) return undefined;
  return BigInt.asIntN(64, (upper << BigInt(lowerBits)) | (lower + BigInt(bias)));
}

/** The code of an integer with those halves, which have to be within `boundsOf`. */
export function codeValue(lower: Value, upper: Value): Value {
  const high = binaryValue('shl', 64, upper, numberValue(lowerBits), false);
  return binaryValue(
    'or',
    64,
    high,
    binaryValue('add', 64, lower, numberValue(bias), false),
    false,
  );
}

/** What has to hold for an integer with those halves to have a code, each by itself. */
export function boundsOf(lower: Value, upper: Value): readonly Expression[] {
  const within = (value: Value, bits: number): readonly Expression[] => {
    if (value.kind === 'number') return fits(value.number, bits) ? [] : [constant(0)];
    // A comparison with the bounds would depend on where the objects lie that `value` points to.
    const moved = binaryValue('add', 64, value, numberValue(2 ** (bits - 1)), false);
    const beyond = binaryValue('lshr', 64, moved, numberValue(bits), false);
    return [binary('==', toExpression(beyond), constant(0))];
  };
  return [...within(lower, lowerBits), ...within(upper, upperBits)];
}

/** The integer of 16 bytes with that code. */
export function integerOfCode(code: Value): Value {
  const low = binaryValue('and', 64, code, numberValue(2 ** lowerBits - 1), false);
  const lower = binaryValue('sub', 64, low, numberValue(bias), false);
  return ofHalves(lower, binaryValue('ashr', 64, code, numberValue(lowerBits), false));
}
