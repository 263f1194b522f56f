import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyBinary, applyUnary } from '@fencewright/model/program/evaluate.js';
import {
  binary,
  constant,
  registerValue,
  unary,
  type BinaryOperator,
  type Expression,
  type WrappingOperator,
} from '@fencewright/model/program/expression.js';
import { edges } from '@fencewright/reference/testing/with-wrapping.js';
import { Prover } from '../src/obligations/obligation.js';
import { integerTerm, programNodes } from '../src/steps/terms.js';
import { formatTerm, integer, variable } from '@fencewright/ground/smt/term.js';
import { proveText, useSolver } from './proving.js';

const solver = useSolver();

/** Masks with a translation to terms, and some without. */
const masks = [
  ...Array.from({ length: 31 }, (_, k) => 2 ** k),
  ...Array.from({ length: 32 }, (_, k) => 2 ** k - 1),
  ...Array.from({ length: 32 }, (_, k) => -(2 ** k)),
];
const notArithmetic = [5, 6, 10, -3, -7, 2 ** 31 - 3];

/** The term of an expression over register 0, which is `x`. */
const termOf = (expression: Expression): string =>
  formatTerm(
    integerTerm(
      expression,
      programNodes([], () => variable('x')),
    ),
  );

interface Case {
  readonly expression: Expression;
  readonly x: number;
  readonly value: number;
}

const fits = (value: number): boolean => (value | 0) === value;

const integers = fc.oneof(
  fc.integer(),
  fc.integer({ min: -9, max: 9 }),
  fc.constantFrom(-(2 ** 31), 2 ** 31 - 1),
);

const bitCase: fc.Arbitrary<Case> = fc
  .tuple(fc.constantFrom<BinaryOperator>('&', '|', '^'), integers, fc.constantFrom(...masks))
  .chain(([operator, x, mask]) =>
    fc.boolean().map((flipped): Case => ({
      expression: flipped
        ? binary(operator, constant(mask), registerValue(0))
        : binary(operator, registerValue(0), constant(mask)),
      x,
      value: applyBinary(operator, x, mask),
    })),
  );

const shiftCase: fc.Arbitrary<Case> = fc
  .tuple(fc.constantFrom<BinaryOperator>('<<', '>>'), integers, fc.nat(31))
  // A left shift that overflows faults, so its term does not matter.
  .filter(([operator, x, places]) => operator === '>>' || fits(x * 2 ** places))
  .map(([operator, x, places]) => ({
    expression: binary(operator, registerValue(0), constant(places)),
    x,
    value: applyBinary(operator, x, places),
  }));

const notCase: fc.Arbitrary<Case> = integers.map((x) => ({
  expression: unary('~', registerValue(0)),
  x,
  value: applyUnary('~', x),
}));

const wrappingCase: fc.Arbitrary<Case> = fc
  .tuple(
    fc.constantFrom<WrappingOperator>(
      ...(['+%', '-%', '*%', '/%', '%%', '<<%', '>>%', '<%', '<=%', '>%', '>=%'] as const),
    ),
    fc.oneof(integers, fc.constantFrom(...edges)),
    fc.oneof(integers, fc.constantFrom(...edges), fc.nat(31)),
    fc.boolean(),
  )
  .filter(
    ([operator, , n]) =>
      (n !== 0 || !['/%', '%%'].includes(operator)) &&
      ((n >= 0 && n <= 31) || !['<<%', '>>%'].includes(operator)),
  )
  .map(([operator, x, n, flipped]): Case => {
    // Operators whose right side must be constant get a constant right side.
    const isFlipped = flipped && !['/%', '%%', '<<%', '>>%'].includes(operator);
    return isFlipped
      ? {
          expression: binary(operator, constant(n), registerValue(0)),
          x,
          value: applyBinary(operator, n, x),
        }
      : {
          expression: binary(operator, registerValue(0), constant(n)),
          x,
          value: applyBinary(operator, x, n),
        };
  });

const conversionCase: fc.Arbitrary<Case> = fc
  .tuple(
    fc.constantFrom('i8', 'u8', 'i16', 'u16' as const),
    fc.oneof(integers, fc.constantFrom(...edges)),
  )
  .map(([operator, x]) => ({
    expression: unary(operator, registerValue(0)),
    x,
    value: applyUnary(operator, x),
  }));

describe('the term of an operator on bits', () => {
  it('has the value that executions compute, for all integers of 32 bits', async () => {
    const cases = fc.sample(fc.oneof(bitCase, shiftCase, notCase, wrappingCase, conversionCase), {
      numRuns: 5000,
      seed: 4711,
    });
    const prover = new Prover(solver);
    const wrong = cases.map(({ expression, x, value }, i) => {
      expect(termOf(expression)).not.toMatch(/bits_|shift_|unsigned_|wrapping_/);
      return `(let ((x ${formatTerm(integer(x))})) (and (= number ${i}) (not (= ${termOf(expression)} ${formatTerm(integer(value))}))))`;
    });
    const script = `(declare-const number Int)\n(assert (or ${wrong.join('\n')}))`;
    expect(await prover.find({ claim: 'all values', roles: [], script })).toEqual({
      kind: 'holds',
    });
    const one = `(assert (let ((x 6)) (not (= ${termOf(binary('&', registerValue(0), constant(3)))} 3))))`;
    expect((await prover.find({ claim: '6 & 3 is 3', roles: [], script: one })).kind).toBe('fails');
  });

  it('is an unknown function where there is no arithmetic for it', () => {
    for (const mask of notArithmetic)
      expect(termOf(binary('&', registerValue(0), constant(mask)))).toContain('bits_and');
    expect(termOf(binary('&', registerValue(0), registerValue(0)))).toBe('(bits_and |x| |x|)');
    expect(termOf(binary('<<', constant(1), registerValue(0)))).toBe('(shift_left 1 |x|)');
    expect(termOf(binary('>>', registerValue(0), constant(32)))).toBe('(shift_right |x| 32)');
  });

  it('is an unknown function, too, where an operator that wraps has none', () => {
    const [x, y] = [registerValue(0), registerValue(0)];
    expect(termOf(binary('/%', x, y))).toBe('(unsigned_quotient |x| |x|)');
    expect(termOf(binary('%%', x, constant(0)))).toBe('(unsigned_remainder |x| 0)');
    expect(termOf(binary('<<%', constant(1), y))).toBe('(wrapping_shift_left 1 |x|)');
    expect(termOf(binary('>>%', x, constant(32)))).toBe('(unsigned_shift_right |x| 32)');
  });

  it('lets proofs use it', async () => {
    const text = (step: string, claim: string) => `program P
      var x
      thread t[*] { local r; loop { r = x; x = ${step}; } }
      invariant claim: ${claim}`;
    for (const [step, claim, verdict] of [
      ['r + 2', '(x & 1) == 0', 'inductive'],
      ['r + 1', '(x & 1) == 0', 'broken'],
      ['(r + 1) & 3', 'x >= 0 && x <= 3', 'inductive'],
      ['(r + 1) & 4', 'x == 0 || x == 4', 'inductive'],
      ['(r << 1) | 1', 'x == 0 || (x & 1) == 1', 'inductive'],
      ['(r + 9) >> 3', 'x <= 1', 'inductive'],
      ['r ^ 1', 'x == 0 || x == 1', 'inductive'],
      ['(r & 3) % 3', 'x <= 2', 'inductive'],
      ['u8(r +% 1)', 'x >= 0 && x <= 255', 'inductive'],
      ['u8(r +% 1)', 'x < 255', 'broken'],
      ['i8(r -% 1)', 'x >= -128 && x <= 127', 'inductive'],
      ['i16(r *% 3)', 'x >= -32768 && x <= 32767', 'inductive'],
      ['r +% 2', '(x & 1) == 0', 'inductive'],
      ['r +% 3', '(x & 1) == 0', 'broken'],
      ['r >>% 1', 'x >= 0', 'inductive'],
      ['(r +% 1) %% 7', 'x <% 7', 'inductive'],
      ['r +% 1', 'x >= 0', 'broken'],
    ] as const) {
      // A second invariant is about the values that threads have loaded.
      const full = `${text(step, claim)}\n      invariant read(a: t): ${claim.replaceAll('x', 'a.r')}`;
      const { result } = await proveText(full, { solver, searchInstances: false });
      expect(result.invariants[0]?.verdict, full).toBe(verdict);
    }
  });

  it('also of rmws', async () => {
    const text = `program P var x thread t[*] { local r; loop { r = fetch_or(x, 2); fetch_and(x, 3); fetch_xor(x, 1); } }
      invariant low: x >= 0 && x <= 3`;
    const { result } = await proveText(text, { solver, searchInstances: false });
    expect(result.invariants.map(({ verdict }) => verdict)).toEqual(['inductive']);
  });
});
