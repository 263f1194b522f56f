/**
 * The sum of numbers as their decimal digits give it, rounded once: what `+` makes of 0.1 and 0.2
 * is not what people expect.
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
