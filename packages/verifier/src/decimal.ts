/**
 * Positive numbers as multiples of one power of ten: sums and comparisons of what JSON says are
 * exact.
 */
export interface Decimals {
  /** Of each number, how many units it is. */
  readonly units: readonly bigint[];
  /** The number that so many units are, rounded to the nearest. */
  readonly toNumber: (units: bigint) => number;
}

/** The decimal digits that JSON has for a number: `digits * 10^exponent`. */
function parts(number: number): { readonly digits: string; readonly exponent: number } {
  const [mantissa = '', power = '0'] = String(number).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: whole + fraction, exponent: Number(power) - fraction.length };
}

/** The numbers, all from 0 on, in a unit that fits all of them. */
export function toDecimals(numbers: readonly number[]): Decimals {
  const all = numbers.map(parts);
  const least = Math.min(0, ...all.map(({ exponent }) => exponent));
  return {
    units: all.map(({ digits, exponent }) => BigInt(digits) * 10n ** BigInt(exponent - least)),
    toNumber: (units) => Number(`${units}e${least}`),
  };
}
