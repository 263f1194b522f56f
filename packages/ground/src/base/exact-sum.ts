/**
 * Returns the sum of numbers by their decimal digits, rounded once: `+` applied to 0.1 and 0.2
 * surprises users.
 */
export function exactSum(numbers: readonly number[]): number {
  const parts = numbers.map((number) => {
    const [mantissa = '', power = '0'] = String(number).split('e');
    const [whole = '', fraction = ''] = mantissa.split('.');
    return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
  });
  const least = Math.min(0, ...parts.map(({ exponent }) => exponent));
  const sum = parts.reduce(
    (total, { digits, exponent }) => total + digits * 10n ** BigInt(exponent - least),
    0n,
  );
  return Number(`${sum}e${least}`);
}
