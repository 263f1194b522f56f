/*
 * Values are numbers of 64 bits with a sign. Engines keep a value as a JavaScript number: it is
 * that number where it is one without loss, and otherwise a code, a number that no value within
 * -2^53..2^53-1 has: a fraction, or one far beyond (docs/adr/0020-numbers-of-64-bits.md).
 */

/** Values from `-edge` to `edge - 1` stand for themselves. */
const edge = 2 ** 53;

const float = new Float64Array(1);
const bits = new BigUint64Array(float.buffer);

/**
 * A 64-bit number, read as the bits of a floating-point number, has 11 bits for the exponent. For
 * numbers from -2^53 to 2^53 - 1, which need no code, the exponent is 0 or 2047; so no code is NaN
 * (2047). The exponent 1075, of the largest of these numbers as floating-point numbers, would
 * belong to 2^53 codes: they get the exponent 0 instead.
 */
const [taken, free] = [1075n, 0n];

/** Arbitrary bits, chosen so that round numbers have codes. */
const mixed = 0x5c1f7a93b2d6en;

function isItself(value: number): boolean {
  return Number.isInteger(value) && value >= -edge && value < edge;
}

/** Whether the value is of 32 bits. */
export function isWord(value: number): boolean {
  return (value | 0) === value;
}

/**
 * The value for an integer, modulo 2^64; `undefined` if the integer has no code, as for one in 2048
 * of them.
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

/** The value in decimal digits; with `unsignedBits`, as an unsigned number of this width. */
export function formatValue(value: number, unsignedBits?: number): string {
  if (unsignedBits !== undefined)
    return String(BigInt.asUintN(unsignedBits, integerOfValue(value)));
  return isItself(value) ? String(value) : String(integerOfValue(value));
}

/**
 * The value for JSON, like `formatValue`: a string of digits if JSON readers would round the
 * number.
 */
export function valueToJson(value: number, unsignedBits?: number): number | string {
  if (unsignedBits === undefined) return Number.isSafeInteger(value) ? value : formatValue(value);
  const integer = BigInt.asUintN(unsignedBits, integerOfValue(value));
  return integer <= Number.MAX_SAFE_INTEGER ? Number(integer) : String(integer);
}

/** The value in the native language, with suffix `L` for more than 32 bits. */
export function formatNumber(value: number): string {
  return isWord(value) ? String(value) : `${formatValue(value)}L`;
}
