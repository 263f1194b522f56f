/**
 * A list of positive numbers as multiples of one power of ten (the unit), for exact sums and
 * comparisons of numbers from JSON.
 */
interface Decimals {
  /** The numbers of the list, each as a multiple of the unit. */
  readonly units: readonly bigint[];
  /** Converts a number of units to a number, rounded to the nearest one. */
  readonly toNumber: (units: bigint) => number;
}

/** Returns the decimal digits of a number as written in JSON: `digits * 10^exponent`. */
function parts(number: number): { readonly digits: string; readonly exponent: number } {
  const [mantissa = '', power = '0'] = String(number).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: whole + fraction, exponent: Number(power) - fraction.length };
}

/** Converts numbers, none negative, to integer multiples of a common unit. */
export function toDecimals(numbers: readonly number[]): Decimals {
  const all = numbers.map(parts);
  const least = Math.min(0, ...all.map(({ exponent }) => exponent));
  return {
    units: all.map(({ digits, exponent }) => BigInt(digits) * 10n ** BigInt(exponent - least)),
    toNumber: (units) => Number(`${units}e${least}`),
  };
}
