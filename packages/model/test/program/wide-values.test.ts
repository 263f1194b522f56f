import { describe, expect, it, test } from 'vitest';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import {
  applyBinary,
  applyUnary,
  compileExpression,
  ExecutionFault,
} from '../../src/program/evaluate.js';
import {
  areOpposite,
  binary,
  constant,
  negate,
  registerValue,
  type BinaryOperator,
  type UnaryOperator,
} from '../../src/program/expression.js';
import { precedence } from '../../src/program/infix.js';
import {
  formatNumber,
  formatValue,
  integerOfValue,
  isWord,
  valueOfInteger,
  valueToJson,
} from '../../src/program/wide-values.js';

const signed = (n: bigint): bigint => BigInt.asIntN(64, n);
const unsigned = (n: bigint): bigint => BigInt.asUintN(64, n);

/**
 * Limits of numbers of 8 to 64 bits and of doubles, with their neighbours, and constants of hash
 * functions.
 */
const edges: readonly bigint[] = [
  ...[0, 7, 8, 15, 16, 30, 31, 32, 33, 47, 48, 52, 53, 54, 62, 63].flatMap((bits) =>
    [-2n, -1n, 0n, 1n, 2n].flatMap((near) => [
      signed((1n << BigInt(bits)) + near),
      signed(-(1n << BigInt(bits)) + near),
    ]),
  ),
  ...[
    ...[0xcbf29ce484222325n, 0x100000001b3n, 0x9e3779b97f4a7c15n, 0xbf58476d1ce4e5b9n],
    ...[0x2545f4914f6cdd1dn, 0xaaaaaaaaaaaaaaaan, 0x5555555555555555n, 0xdeadbeefdeadbeefn],
    ...[0x0001000000001000n, 0x8000000000001000n, 0xffff800000001000n],
  ].map(signed),
];

function anyInteger(random: SeededRandom): bigint {
  let bits = 0n;
  for (let i = 0; i < 4; i++) bits = (bits << 16n) | BigInt(random.below(2 ** 16));
  return signed(bits >> BigInt(random.below(64)));
}

describe('values', () => {
  it('are the integers, one to one, but for one in 2048', () => {
    const random = new SeededRandom(1);
    const integerOf = new Map<number, bigint>();
    let without = 0;
    const numbers = [...edges, ...Array.from({ length: 20_000 }, () => anyInteger(random))];
    for (const integer of numbers) {
      const value = valueOfInteger(integer);
      if (value === undefined) {
        without += 1;
        continue;
      }
      expect(Number.isFinite(value) && !Object.is(value, -0)).toBe(true);
      expect(integerOfValue(value)).toBe(integer);
      expect(integerOf.get(value) ?? integer).toBe(integer);
      integerOf.set(value, integer);
      if (integer >= -(2n ** 53n) && integer < 2n ** 53n) expect(value).toBe(Number(integer));
      else expect(Number.isSafeInteger(value) || value === Number(integer)).toBe(false);
      expect(formatValue(value)).toBe(String(integer));
      expect(formatNumber(value)).toBe(isWord(value) ? String(integer) : `${integer}L`);
      expect(BigInt(valueToJson(value))).toBe(integer);
    }
    // Numbers drawn by length seldom have all 64 bits.
    expect(without).toBeLessThan(numbers.length / 2048);
  });

  it('exist for all edges', () => {
    for (const integer of edges) expect(valueOfInteger(integer)).toBeDefined();
  });

  it('are codes wherever their bits give one, next to the numbers that need none, too', () => {
    // Floating-point numbers that are codes: they are no integers from -2^53 to 2^53 - 1.
    const codes = [2 ** 53, -(2 ** 53) - 2, 2 ** 53 + 2, 2 ** 54, 0.5, -0.5, 2 ** -1074, 1.5];
    for (const code of [...codes, 2 ** 52 - 0.5, -Number.MAX_VALUE, Number.MAX_VALUE]) {
      const integer = integerOfValue(code);
      expect(integer >= -(2n ** 53n) && integer < 2n ** 53n, String(code)).toBe(false);
      expect(valueOfInteger(integer), String(code)).toBe(code);
    }
  });

  it('are missing for a part of those of 64 bits that cannot be smaller', () => {
    const random = new SeededRandom(2);
    const count = 400_000;
    let without = 0;
    for (let i = 0; i < count; i++) {
      const [high, low] = [random.below(2 ** 32), random.below(2 ** 32)];
      if (valueOfInteger((BigInt(high) << 32n) | BigInt(low)) === undefined) without += 1;
    }
    expect(without / count).toBeGreaterThan(0.8 / 2048);
    expect(without / count).toBeLessThan(1.2 / 2048);
  });
});

const fits = (n: bigint, bits: number): boolean => BigInt.asIntN(bits, n) === n;

/**
 * Returns `n` if it is a signed number of that many bits; otherwise `undefined`, which means a
 * fault.
 */
function within(n: bigint, bits: number): bigint | undefined {
  return fits(n, bits) ? n : undefined;
}

/** Returns the defined result of an operator on signed 64-bit integers; `undefined` for a fault. */
function defined(operator: BinaryOperator, a: bigint, b: bigint): bigint | undefined {
  const truth = (holds: boolean): bigint => (holds ? 1n : 0n);
  const [ua, ub] = [unsigned(a), unsigned(b)];
  const isShift = b >= 0n && b < 64n;
  switch (operator) {
    case '==':
      return truth(a === b);
    case '!=':
      return truth(a !== b);
    case '<':
      return truth(a < b);
    case '<=':
      return truth(a <= b);
    case '>':
      return truth(a > b);
    case '>=':
      return truth(a >= b);
    case '&&':
      return truth(a !== 0n && b !== 0n);
    case '||':
      return truth(a !== 0n || b !== 0n);
    case '&':
      return a & b;
    case '|':
      return a | b;
    case '^':
      return a ^ b;
    case '%':
      return b === 0n ? undefined : a % b;
    case '+:':
      return within(a + b, 64);
    case '-:':
      return within(a - b, 64);
    case '*:':
      return within(a * b, 64);
    case '/:':
      return b === 0n ? undefined : within(a / b, 64);
    case '>>:':
      return isShift ? a >> b : undefined;
    case '+:%':
      return signed(a + b);
    case '-:%':
      return signed(a - b);
    case '*:%':
      return signed(a * b);
    case '/:%':
      return b === 0n ? undefined : signed(ua / ub);
    case '%:%':
      return b === 0n ? undefined : signed(ua % ub);
    case '<<:%':
      return isShift ? signed(a << b) : undefined;
    case '>>:%':
      return isShift ? signed(ua >> b) : undefined;
    case '<:%':
      return truth(ua < ub);
    case '<=:%':
      return truth(ua <= ub);
    case '>:%':
      return truth(ua > ub);
    case '>=:%':
      return truth(ua >= ub);
    default:
      return definedOfWords(operator, a, b);
  }
}

/**
 * Returns the defined result of an operator of 32 bits; `undefined` for larger operands and faults.
 * Operators that wrap have a test of their own.
 */
function definedOfWords(operator: BinaryOperator, a: bigint, b: bigint): bigint | undefined {
  if (!fits(a, 32) || !fits(b, 32)) return undefined;
  switch (operator) {
    case '+':
      return within(a + b, 32);
    case '-':
      return within(a - b, 32);
    case '*':
      return within(a * b, 32);
    case '/':
      return b === 0n ? undefined : within(a / b, 32);
    case '<<':
      return b >= 0n && b < 32n ? within(a << b, 32) : undefined;
    case '>>':
      return b >= 0n && b < 32n ? a >> b : undefined;
    default:
      return BigInt(applyBinary(operator, Number(a), Number(b)));
  }
}

/**
 * Returns the value as an integer; `undefined` for a fault of the operator, `no code` if the result
 * has no code.
 */
function outcome(evaluate: () => number): bigint | undefined | 'no code' {
  try {
    return integerOfValue(evaluate());
  } catch (error) {
    if (!(error instanceof ExecutionFault)) throw error;
    return error.kind === 'no-code' ? 'no code' : undefined;
  }
}

/**
 * The operators of 32 bits without those that wrap, which fault for other reasons and have a test
 * of their own.
 */
const operators = (Object.keys(precedence) as BinaryOperator[]).filter(
  (operator) => !['/%', '%%', '<<%', '>>%'].includes(operator),
);

test.each(operators)('%s is what it is defined to be, of all values', (operator) => {
  const random = new SeededRandom(precedence[operator] * 1000 + operator.length);
  const numbers = [...edges, ...Array.from({ length: 60 }, () => anyInteger(random))];
  let results = 0;
  for (const a of numbers)
    for (const b of numbers) {
      const [left, right] = [valueOfInteger(a), valueOfInteger(b)];
      if (left === undefined || right === undefined) continue;
      const expected = defined(operator, a, b);
      const found = outcome(() => applyBinary(operator, left, right));
      const isCoded = expected === undefined || valueOfInteger(expected) !== undefined;
      const wanted = isCoded ? expected : 'no code';
      if (found !== wanted) expect.fail(`${a} ${operator} ${b} is ${found}, not ${wanted}`);
      if (expected !== undefined) results += 1;
    }
  expect(results).toBeGreaterThan(500);
});

const conversionsOf: Readonly<Record<UnaryOperator, (n: bigint) => bigint | undefined>> = {
  '-': (n) => (fits(n, 32) ? within(-n, 32) : undefined),
  '!': (n) => (n === 0n ? 1n : 0n),
  '~': (n) => ~n,
  i8: (n) => BigInt.asIntN(8, n),
  u8: (n) => BigInt.asUintN(8, n),
  i16: (n) => BigInt.asIntN(16, n),
  u16: (n) => BigInt.asUintN(16, n),
  i32: (n) => BigInt.asIntN(32, n),
  u32: (n) => BigInt.asUintN(32, n),
};

test.each(Object.keys(conversionsOf) as UnaryOperator[])(
  '%s is right for all values',
  (operator) => {
    for (const n of edges) {
      const expected = conversionsOf[operator](n);
      const found = outcome(() => applyUnary(operator, valueOfInteger(n)!));
      expect({ n, found }).toEqual({ n, found: expected });
    }
  },
);

test('an index of more than 32 bits is outside of every array', () => {
  const symbols = [{ name: 'a', base: 5, length: 3, isArray: true, initial: [0, 0, 0] }];
  const element = compileExpression(
    { kind: 'element', symbol: 0, index: registerValue(0) },
    symbols,
  );
  const random = new SeededRandom(3);
  let codesWithin = 0;
  for (let i = 0; i < 10_000; i++) {
    const index = valueOfInteger(anyInteger(random) | (1n << 40n));
    if (index === undefined) continue;
    if (index >= 0 && index < 3) codesWithin += 1;
    expect(outcome(() => element([index], 0))).toBe(undefined);
  }
  // For some of these indices, the code lies between 0 and 3.
  expect(codesWithin).toBeGreaterThan(20);
});

test('comparisons of 64 bits have opposites', () => {
  for (const operator of ['<:%', '<=:%', '>:%', '>=:%'] as const) {
    const condition = binary(operator, registerValue(0), constant(3));
    expect(areOpposite(condition, negate(condition))).toBe(true);
    for (const n of edges) {
      const value = valueOfInteger(n)!;
      const holds = compileExpression(condition, [])([value], 0);
      expect(compileExpression(negate(condition), [])([value], 0)).toBe(1 - holds);
    }
  }
});
