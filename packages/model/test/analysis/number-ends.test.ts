import { describe, expect, it } from 'vitest';
import {
  applyToEnds,
  applyUnaryToEnds,
  type Ends,
  joinedEnds,
  type RoughSet,
  widened,
  withEnds,
} from '../../src/analysis/number-ends.js';
import { evaluateSet, joinRough } from '../../src/analysis/value-set.js';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import { applyBinary, applyUnary, ExecutionFault } from '../../src/program/evaluate.js';
import { binary, constant, registerValue, unary } from '../../src/program/expression.js';
import { integerOfValue, valueOfInteger } from '../../src/program/wide-values.js';

const random = new SeededRandom(7);

/** Whether the set contains the value, by the set's definition. */
function has(set: RoughSet, value: number): boolean {
  if (set === 'any') return true;
  if (!('kind' in set)) return set.includes(value);
  const mask = 2n ** BigInt(set.bits) - 1n;
  return set.ends.some((end) => BigInt(end) === (integerOfValue(value) & mask));
}

/** Returns a value of the set, as a 64-bit number or as a signed or unsigned 32-bit number. */
function member({ bits, ends }: Ends): number {
  const end = BigInt(ends[random.below(ends.length)]!);
  for (;;) {
    const above = BigInt(random.below(2 ** 30)) * BigInt(random.below(4) === 0 ? 2 ** 20 : 1);
    const whole = BigInt.asIntN(random.below(2) === 0 ? 64 : 32, (above << BigInt(bits)) | end);
    const value = valueOfInteger(whole);
    if (value !== undefined && (whole & (2n ** BigInt(bits) - 1n)) === end) return value;
    if (bits >= 32) {
      const wide = valueOfInteger(BigInt.asIntN(64, (above << BigInt(bits)) | end));
      if (wide !== undefined) return wide;
    }
  }
}

function randomEnds(): Ends {
  const bits = [8, 12, 16, 20, 28, 31, 32, 40, 48][random.below(9)]!;
  const ends = Array.from({ length: 1 + random.below(3) }, () =>
    random.below(3) === 0 ? 2 ** bits - 1 - random.below(4) : random.below(200),
  );
  return { kind: 'ends', bits, ends: [...new Set(ends)].sort((a, b) => a - b) };
}

const operators = [
  ...['+', '-', '*', '&', '|', '^', '<<', '>>', '+%', '-%', '*%', '<<%', '>>%', '/', '%'],
  ...['+:', '-:', '*:', '>>:', '+:%', '-:%', '*:%', '<<:%', '>>:%', '%:%', '/:%', '%%', '/%'],
] as const;

function resultOf(apply: () => number): number | undefined {
  try {
    return apply();
  } catch (error) {
    if (error instanceof ExecutionFault) return undefined;
    throw error;
  }
}

describe('ends of numbers', () => {
  it('have every result of an operator on their values', () => {
    let [known, results] = [0, 0];
    for (let turn = 0; turn < 20_000; turn++) {
      const operator = operators[random.below(operators.length)]!;
      const isShift = operator.startsWith('<<') || operator.startsWith('>>');
      const other = [random.below(isShift ? 40 : 300), 255, 2 ** 28 - 1, -16][random.below(4)]!;
      const one = randomEnds();
      const two: RoughSet = isShift || random.below(2) === 0 ? [other] : randomEnds();
      const sides: [RoughSet, RoughSet] =
        isShift || random.below(2) === 0 ? [one, two] : [two, one];
      const set = applyToEnds(operator, ...sides);
      if (set !== 'any') known += 1;
      for (let i = 0; i < 4; i++) {
        const [a, b] = sides.map((side) =>
          'kind' in (side as Ends) ? member(side as Ends) : other,
        );
        const result = resultOf(() => applyBinary(operator, a!, b!));
        if (result === undefined) continue;
        results += 1;
        expect({ operator, sides, a, b, isIn: has(set, result) }).toMatchObject({ isIn: true });
      }
    }
    expect(known).toBeGreaterThan(5_000);
    expect(results).toBeGreaterThan(20_000);
  });

  it('have every result of a conversion', () => {
    for (let turn = 0; turn < 5_000; turn++) {
      const ends = randomEnds();
      for (const operator of ['-', '~', '!', 'i8', 'u8', 'i16', 'u16', 'i32', 'u32'] as const) {
        const value = member(ends);
        const result = resultOf(() => applyUnary(operator, value));
        if (result !== undefined) expect(has(applyUnaryToEnds(operator, ends), result)).toBe(true);
      }
    }
  });

  it('have the values of both sets that are joined, and of one that grows', () => {
    for (let turn = 0; turn < 500; turn++) {
      const [one, other] = [randomEnds(), randomEnds()];
      const numbers = Array.from({ length: 1 + random.below(80) }, () => member(one));
      const values = [member(one), member(other)];
      for (const joined of [joinedEnds(one, other), joinRough(one, other), joinRough(other, one)])
        for (const value of values) expect(has(joined, value)).toBe(true);
      for (const joined of [joinRough(numbers, other), widened(other, joinRough(numbers, other))])
        for (const value of [...numbers, member(other)]) expect(has(joined, value)).toBe(true);
      const grown = [...new Set(numbers)];
      for (const value of grown) expect(has(widened(grown.slice(1), grown), value)).toBe(true);
      expect(withEnds(numbers, one)).toEqual(numbers);
    }
  });

  it('tell the pointer below a tag that may be any', () => {
    const tagged = joinRough(
      Array.from({ length: 40 }, (_, tag) => tag * 2 ** 28 + 64),
      Array.from({ length: 40 }, (_, tag) => tag * 2 ** 28 + 96),
    );
    const pointer = binary('&', registerValue(0), constant(2 ** 28 - 1));
    expect(evaluateSet(pointer, [tagged], [])).toEqual([64, 96]);
    expect(evaluateSet(unary('i16', registerValue(0)), [tagged], [])).toEqual([64, 96]);
  });
});
