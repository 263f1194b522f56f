import { expect, test } from 'vitest';
import {
  boundsOf,
  codeOf,
  codeValue,
  type FirstHalf,
  halvesOf,
  integerOfCode,
  ofHalves,
  numberIfKnown,
} from '../../src/llvm-ir/integer-pieces.js';
import { numberValue } from '../../src/llvm-ir/value.js';
import { diceOf } from './dice.js';

/*
 * Tests codes for integers of 16 bytes. A code exists if one half has 28 bits and the other 36,
 * signs included. Decoding returns the halves, and different integers have different codes.
 */

const orders: readonly FirstHalf[] = ['lower', 'upper'];
/** Numbers at the limits of the two ranges, and some between. */
const numbers = [0n, 1n, -1n, 77n, 1n << 26n, -(1n << 26n)].concat(
  [27n, 35n].flatMap((bits) => {
    const end = 1n << bits;
    return [end - 1n, end, -end, -end - 1n];
  }),
);
const isWithin = (number: bigint, bits: bigint): boolean =>
  number >= -(1n << (bits - 1n)) && number < 1n << (bits - 1n);

test.each(orders)('codes keep both halves; first half: %s', (first) => {
  const codes = new Set<bigint>();
  let coded = 0;
  for (const lower of numbers)
    for (const upper of numbers) {
      const [lowerBits, upperBits] = first === 'lower' ? [28n, 36n] : [36n, 28n];
      const isCoded = isWithin(lower, lowerBits) && isWithin(upper, upperBits);
      const integer = (upper << 64n) | BigInt.asUintN(64, lower);
      const code = codeOf(BigInt.asIntN(128, integer), first);
      expect({ lower, upper, isCoded: code !== undefined }).toEqual({ lower, upper, isCoded });
      const halves = [numberValue(lower), numberValue(upper)] as const;
      expect(boundsOf(...halves, first)).toHaveLength(
        Number(!isWithin(lower, lowerBits)) + Number(!isWithin(upper, upperBits)),
      );
      if (code === undefined) continue;
      coded += 1;
      codes.add(code);
      expect(codeValue(...halves, first)).toEqual(numberValue(code));
      expect(halvesOf(integerOfCode(numberValue(code), first))).toEqual(halves);
    }
  expect(codes.size).toBe(coded);
  expect(coded).toBeGreaterThan(50);
});

test.each(orders)('codes equal no address; first half: %s', (first) => {
  const dice = diceOf(1);
  for (let i = 0; i < 1000; i++) {
    const half = (): bigint => (dice.chance(30) ? 0n : BigInt(dice.below(1 << 27)));
    const [lower, upper] = [half(), half()];
    const code = codeOf((upper << 64n) | lower, first)!;
    expect(code >= 0n && code < 1n << 27n).toBe(false);
  }
});

test('an integer of two known halves is their number', () => {
  expect(numberIfKnown(ofHalves(numberValue(3), numberValue(2)))).toEqual(
    numberValue((2n << 64n) | 3n),
  );
});
