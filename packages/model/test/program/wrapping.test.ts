import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import {
  applyBinary,
  applyUnary,
  compileExpression,
  evaluateExpression,
  ExecutionFault,
} from '../../src/program/evaluate.js';
import {
  areOpposite,
  binary,
  constant,
  conversions,
  negate,
  registerValue,
  unary,
  type WrappingOperator,
} from '../../src/program/expression.js';
import { edges } from '@fencewright/reference/testing/with-wrapping.js';

const calculating = ['+%', '-%', '*%', '/%', '%%', '<<%', '>>%'] as const;
const comparing = ['<%', '<=%', '>%', '>=%'] as const;
const all: readonly WrappingOperator[] = [...calculating, ...comparing];

/**
 * Returns the result of a C operator on unsigned numbers, before reduction modulo the power of two;
 * `undefined` where C defines none.
 */
function exactly(operator: WrappingOperator, a: bigint, b: bigint): bigint | undefined {
  switch (operator) {
    case '+%':
      return a + b;
    case '-%':
      return a - b;
    case '*%':
      return a * b;
    case '/%':
      return b === 0n ? undefined : a / b;
    case '%%':
      return b === 0n ? undefined : a % b;
    case '<<%':
      return b > 31n ? undefined : a << b;
    case '>>%':
      return b > 31n ? undefined : a >> b;
    case '<%':
      return a < b ? 1n : 0n;
    case '<=%':
      return a <= b ? 1n : 0n;
    case '>%':
      return a > b ? 1n : 0n;
    case '>=%':
      return a >= b ? 1n : 0n;
  }
}

/** Returns the value of `evaluate`, or the kind of its fault. */
function outcome(evaluate: () => number): number | string {
  try {
    return evaluate();
  } catch (error) {
    if (error instanceof ExecutionFault) return error.kind;
    throw error;
  }
}

/**
 * Returns the expected result, computed with BigInt: of signed numbers, the signed number with the
 * resulting 32 bits.
 */
function expected(operator: WrappingOperator, a: number, b: number): number | string {
  const result = exactly(operator, BigInt.asUintN(32, BigInt(a)), BigInt.asUintN(32, BigInt(b)));
  if (result !== undefined) return Number(BigInt.asIntN(32, result));
  return operator === '/%' || operator === '%%' ? 'division-by-zero' : 'overflow';
}

describe.each(all)('%s', (operator) => {
  const number = fc.oneof(
    fc.integer(),
    fc.constantFrom(...edges),
    // Counts, and small divisors.
    fc.integer({ min: -3, max: 40 }),
  );

  it('is exact at all pairs of edges', () => {
    for (const a of edges)
      for (const b of [...edges, 3, 7, 31, 32])
        expect(
          outcome(() => applyBinary(operator, a, b)),
          `${a} ${operator} ${b}`,
        ).toBe(expected(operator, a, b));
  });

  it('is exact, and one value in both evaluators', () => {
    let wrapped = 0;
    fc.assert(
      fc.property(number, number, (a, b) => {
        const right = expected(operator, a, b);
        const expression = binary(operator, registerValue(0), registerValue(1));
        const own = outcome(() => compileExpression(expression, [])([a, b], 0));
        expect(own).toBe(right);
        expect(Object.is(own, -0)).toBe(false);
        const valueOf = (leaf: number): number => leaf;
        expect(outcome(() => evaluateExpression(binary<number>(operator, a, b), valueOf))).toBe(
          right,
        );
        if (typeof right === 'string') return;
        const exact = exactly(
          operator,
          BigInt.asUintN(32, BigInt(a)),
          BigInt.asUintN(32, BigInt(b)),
        );
        if (exact !== BigInt(right)) wrapped++;
      }),
      { numRuns: randomRuns(3000, 60_000), seed: randomSeed(8) },
    );
    // Quotients and comparisons hardly ever leave the numbers with sign.
    if (['+%', '-%', '*%', '<<%'].includes(operator)) expect(wrapped).toBeGreaterThan(300);
  });
});

/** Sample numbers: all of 8 bits; of 16 bits the limits with their neighbours and some others. */
const samples: Readonly<Record<8 | 16, readonly number[]>> = {
  8: Array.from({ length: 256 }, (_, i) => i),
  16: [...Array(65536).keys()].filter(
    (n) => n < 4 || n > 65532 || Math.abs(n - 32768) < 3 || Math.abs(n - 256) < 2 || n % 4099 === 0,
  ),
};

describe.each(['i8', 'u8', 'i16', 'u16'] as const)('%s', (type) => {
  const { bits, isSigned } = conversions[type];
  const wrap = (value: bigint): number =>
    Number(isSigned ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value));

  test.each(['+%', '-%', '*%', '/%', '%%', '>>%', '<%', '>=%'] as const)(
    `of all a %s b of ${bits} bits is that of the exact result`,
    (operator) => {
      let wrapped = 0;
      for (const i of samples[bits])
        for (const j of samples[bits]) {
          // As in C: operands are promoted, and the result is converted.
          const [a, b] = [wrap(BigInt(i)), wrap(BigInt(j))];
          const result = exactly(
            operator,
            BigInt.asUintN(32, BigInt(a)),
            BigInt.asUintN(32, BigInt(b)),
          );
          if (result === undefined) continue;
          const exact = BigInt.asIntN(32, result);
          const value = applyUnary(type, applyBinary(operator, a, b));
          if (value !== wrap(exact)) expect.fail(`${type}(${a} ${operator} ${b}) is not ${value}`);
          // Arithmetic modulo 2^bits follows from arithmetic modulo 2^32, as 2^bits divides 2^32.
          if (['+%', '-%', '*%'].includes(operator)) {
            const own = exactly(operator, BigInt(a), BigInt(b))!;
            if (value !== wrap(own)) expect.fail(`${a} ${operator} ${b}`);
            if (own !== BigInt(value)) wrapped++;
          }
        }
      if (['+%', '-%', '*%'].includes(operator)) expect(wrapped).toBeGreaterThan(50);
    },
  );

  it('takes any number of 32 bits', () => {
    fc.assert(
      fc.property(fc.oneof(fc.integer(), fc.constantFrom(...edges)), (value) => {
        expect(applyUnary(type, value)).toBe(wrap(BigInt(value)));
        expect(compileExpression(unary(type, registerValue(0)), [])([value], 0)).toBe(
          wrap(BigInt(value)),
        );
      }),
      { seed: 9 },
    );
  });
});

describe('comparisons of numbers without sign', () => {
  it.each([
    ['<%', '>=%'],
    ['<=%', '>%'],
    ['>%', '<=%'],
    ['>=%', '<%'],
  ] as const)('the opposite of %s is %s', (operator, opposite) => {
    const [a, b] = [registerValue(0), registerValue(1)];
    const condition = binary(operator, a, b);
    expect(negate(condition)).toEqual(binary(opposite, a, b));
    expect(areOpposite(condition, binary(opposite, a, b))).toBe(true);
    for (const x of edges)
      for (const y of edges)
        expect(applyBinary(operator, x, y) + applyBinary(opposite, x, y)).toBe(1);
  });

  it('are not those of numbers with sign', () => {
    const [a, b] = [registerValue(0), registerValue(1)];
    expect(areOpposite(binary('<%', a, b), binary('>=', a, b))).toBe(false);
    expect(compileExpression(binary('<%', a, b), [])([1, -1], 0)).toBe(1);
    expect(compileExpression(binary('<', a, b), [])([1, -1], 0)).toBe(0);
  });
});

it('leaves the operators of the language as they are: they fault', () => {
  const big = 2 ** 31 - 1;
  for (const evaluate of [
    () => applyBinary('+', big, 1),
    () => applyBinary('-', -big, 2),
    () => applyBinary('*', big, 2),
    () => applyBinary('<<', 1, 31),
    () => applyBinary('+', applyBinary('+%', big, 0), 1),
  ])
    expect(outcome(evaluate)).toBe('overflow');
  expect(constant(applyBinary('+%', big, 1))).toEqual(constant(-(2 ** 31)));
});
