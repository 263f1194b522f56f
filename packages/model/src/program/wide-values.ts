/*
 * Values are signed 64-bit integers. Engines keep a value as a JavaScript number: as itself from
 * -2^53 to 2^53 - 1, otherwise as a code, a floating-point number that is no integer of this range
 * (docs/adr/0020-numbers-of-64-bits.md).
 */

/** The bound of values that are their own code: values from `-edge` to `edge - 1`. */
const edge = 2 ** 53;

const float = new Float64Array(1);
const bits = new BigUint64Array(float.buffer);

/**
 * The exponents 1075 and 0 of floating-point numbers. An integer outside -2^53 to 2^53 - 1 is coded
 * as the floating-point number with the integer's 64 bits, some of them changed. The 11 bits of the
 * exponent are then neither 0 nor 2047, so that no code is NaN. Floating-point numbers with
 * exponent 1075 are integers that need no code; integers with this exponent are coded with exponent
 * 0 instead.
 */
const [taken, free] = [1075n, 0n];

/**
 * The bits by which an integer differs from its code; the bits are arbitrary, but chosen so that
 * round numbers have codes.
 */
const mixed = 0x5c1f7a93b2d6en;

function isItself(value: number): boolean {
  return Number.isInteger(value) && value >= -edge && value < edge;
}

/** Whether the value is a number of 32 bits. */
export function isWord(value: number): boolean {
  return (value | 0) === value;
}

/**
 * The value that represents an integer, modulo 2^64; `undefined` if the integer has no code, as for
 * one in 2048 of the integers outside -2^53 to 2^53 - 1.
 */
export function valueOfInteger(integer: bigint): number | undefined {
  const signed = BigInt.asIntN(64, integer);
  const number = Number(signed);
  if (isItself(number) && BigInt(number) === signed) return number;
  const unsigned = BigInt.asUintN(64, signed);
  const exponent = unsigned >> 53n;
  bits[0] =
    (unsigned & (1n << 52n) ? 1n << 63n : 0n) |
    ((exponent === taken ? free : exponent) << 52n) |
    ((unsigned ^ mixed) & ((1n << 52n) - 1n));
  const [code = 0] = float;
  return isItself(code) ? undefined : code;
}

/** The integer represented by a value. */
export function integerOfValue(value: number): bigint {
  if (isItself(value)) return BigInt(value);
  float[0] = value;
  const [raw = 0n] = bits;
  const exponent = (raw >> 52n) & 2047n;
  return BigInt.asIntN(
    64,
    ((exponent === free ? taken : exponent) << 53n) |
      ((raw >> 63n) << 52n) |
      ((raw ^ mixed) & ((1n << 52n) - 1n)),
  );
}

/** Formats a value in decimal digits; with `unsignedBits`, as an unsigned number of this width. */
export function formatValue(value: number, unsignedBits?: number): string {
  if (unsignedBits !== undefined)
    return String(BigInt.asUintN(unsignedBits, integerOfValue(value)));
  return isItself(value) ? String(value) : String(integerOfValue(value));
}

/**
 * Converts a value for JSON, like `formatValue`: a string of digits if JSON readers would round the
 * number.
 */
export function valueToJson(value: number, unsignedBits?: number): number | string {
  if (unsignedBits === undefined) return Number.isSafeInteger(value) ? value : formatValue(value);
  const integer = BigInt.asUintN(unsignedBits, integerOfValue(value));
  return integer <= Number.MAX_SAFE_INTEGER ? Number(integer) : String(integer);
}

/** Formats a value in the native language, with suffix `L` for more than 32 bits. */
export function formatNumber(value: number): string {
  return isWord(value) ? String(value) : `${formatValue(value)}L`;
}
