import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../../../src/base/random.js';
import { compare, compute, converted } from '../../../src/frontends/llvm-ir/arithmetic.js';
import {
  type Lowered,
  lowerBinary,
  lowerCompare,
  lowerConversion,
} from '../../../src/frontends/llvm-ir/lower-arithmetic.js';
import { Unsupported } from '../../../src/frontends/llvm-ir/unsupported.js';
import { compileExpression, ExecutionFault } from '../../../src/program/evaluate.js';
import {
  constant,
  type Expression,
  registerValue,
  type ThreadLeaf,
} from '../../../src/program/expression.js';

const minimum = -(2n ** 31n);
const maximum = 2n ** 31n - 1n;

/** What the lowered value is for those registers; `undefined` where the execution faults. */
function evaluate(
  { value, guards }: Lowered<ThreadLeaf>,
  registers: readonly number[],
): bigint | undefined {
  try {
    for (const guard of guards)
      if (compileExpression(guard, [])(registers, 0) === 0) return undefined;
    return BigInt(compileExpression(value, [])(registers, 0));
  } catch (fault) {
    if (!(fault instanceof ExecutionFault)) throw fault;
    return undefined;
  }
}

/** A number with a sign of that many bits, at most 32 of them used; often near an end. */
function someNumber(random: SeededRandom, bits: number): bigint {
  if (bits === 1) return BigInt(random.below(2));
  const used = Math.min(bits, 32);
  const near = BigInt(random.below(7) - 3);
  const half = 2n ** BigInt(used - 1);
  const value = [near, half + near, BigInt(random.below(2 ** used)), BigInt(random.below(64))];
  return BigInt.asIntN(used, value[random.below(4)]!);
}

const widths = [1, 8, 16, 32, 64];
const binaries = 'add sub mul udiv sdiv urem srem shl lshr ashr and or xor'.split(' ');

describe('arithmetic of C in expressions of programs', () => {
  it.each(widths.flatMap((bits) => binaries.map((name) => [bits, name] as const)))(
    'i%i %s is exact, or a fault',
    (bits, name) => {
      const random = new SeededRandom(bits * 100 + binaries.indexOf(name));
      let exact = 0;
      for (let turn = 0; turn < 3000; turn++) {
        const [left, right] = [someNumber(random, bits), someNumber(random, bits)];
        let expected: bigint;
        try {
          expected = compute(name, bits, left, right);
        } catch (undefinedInC) {
          expect(undefinedInC).toBeInstanceOf(Unsupported);
          continue;
        }
        const rightIsConstant = random.below(2) === 0;
        const operand: Expression = rightIsConstant ? constant(Number(right)) : registerValue(1);
        let lowered: Lowered<ThreadLeaf>;
        try {
          lowered = lowerBinary<ThreadLeaf>(name, bits, registerValue(0), operand);
        } catch (refused) {
          expect(refused).toBeInstanceOf(Unsupported);
          expect(bits).toBe(1);
          continue;
        }
        const value = evaluate(lowered, [Number(left), Number(right)]);
        if (value === undefined) expect(bits).toBeGreaterThanOrEqual(32);
        else {
          expect({ left, right, value }).toEqual({ left, right, value: expected });
          exact += 1;
        }
        const isSmall = left >= 0n && right >= 0n && expected >= 0n && expected <= maximum;
        const isExact = bits > 1 && ['add', 'sub', 'mul', 'udiv', 'urem'].includes(name);
        const unwrapped = { add: left + right, mul: left * right }[name] ?? expected;
        if (isExact && isSmall && unwrapped === expected) expect(value).toBe(expected);
      }
      const isRefused = bits === 1 && !['add', 'sub', 'mul', 'and', 'or', 'xor'].includes(name);
      if (!isRefused) expect(exact).toBeGreaterThan(100);
    },
  );

  it.each(widths)('comparisons of i%i are exact', (bits) => {
    const random = new SeededRandom(bits);
    for (const name of 'eq ne slt sle sgt sge ult ule ugt uge'.split(' ')) {
      let holds = 0;
      for (let turn = 0; turn < 1000; turn++) {
        const [left, right] = [someNumber(random, bits), someNumber(random, bits)];
        const operand: Expression =
          random.below(2) === 0 ? constant(Number(right)) : registerValue(1);
        const value = lowerCompare<ThreadLeaf>(name, bits, registerValue(0), operand);
        const expected = compare(name, bits, left, right) ? 1n : 0n;
        const found = evaluate({ value, guards: [] }, [Number(left), Number(right)]);
        expect({ name, left, right, found }).toEqual({ name, left, right, found: expected });
        holds += Number(expected);
      }
      expect(holds).toBeGreaterThan(10);
      expect(holds).toBeLessThan(990);
    }
  });

  it.each(
    widths.flatMap((from) =>
      widths.flatMap((to) =>
        ['trunc', 'zext', 'sext'].flatMap((name) =>
          (name === 'trunc' ? to < from : to > from) ? [[name, from, to] as const] : [],
        ),
      ),
    ),
  )('%s from i%i to i%i is exact, or a fault', (name, from, to) => {
    const random = new SeededRandom(from * 100 + to);
    let faults = 0;
    for (let turn = 0; turn < 1000; turn++) {
      const operand = someNumber(random, from);
      const expected = converted(name, operand, from, to);
      const lowered = lowerConversion<ThreadLeaf>(name, from, to, registerValue(0));
      const found = evaluate(lowered, [Number(operand)]);
      const fits = expected >= minimum && expected <= maximum;
      expect({ operand, found }).toEqual({ operand, found: fits ? expected : undefined });
      if (!fits) faults += 1;
    }
    expect(faults > 0).toBe(name === 'zext' && from === 32);
  });

  it('refuses operations that are none of integers', () => {
    expect(() => lowerBinary('fadd', 32, constant(1), constant(2))).toThrow(Unsupported);
    expect(() => lowerCompare('oeq', 32, constant(1), constant(2))).toThrow(Unsupported);
    expect(() => lowerConversion('fptosi', 64, 32, constant(1))).toThrow(Unsupported);
  });
});
