import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Expression } from '../src/automata.js';
import { evaluate } from '../src/evaluate.js';
import { type BinaryOperator, Fault, type UnaryOperator } from '../src/operators.js';
import { integer } from '../src/proof/expressions.js';
import { int } from '../src/proof/terms.js';

const edges = [
  ...[-(2 ** 31), 1 - 2 ** 31, 2 ** 31 - 1, 2 ** 31 - 2, -(2 ** 30), 2 ** 30, -2, -1, 0, 1, 2, 3],
  ...[31, 32, 127, 128, -128, -129, 255, 256, 32767, 32768, -32768, -32769, 65535, 65536],
];
const number = fc.oneof(fc.constantFrom(...edges), fc.integer(), fc.integer({ min: -2, max: 33 }));

/**
 * The expected values by the conversions of JavaScript's own numbers; the verifier uses integers of
 * any size.
 */
const meant: Partial<Record<BinaryOperator, (a: number, b: number) => number | string>> = {
  '+%': (a, b) => (a + b) | 0,
  '-%': (a, b) => (a - b) | 0,
  '*%': (a, b) => Math.imul(a, b),
  '/%': (a, b) => (b === 0 ? 'division by zero' : Math.floor((a >>> 0) / (b >>> 0)) | 0),
  '%%': (a, b) => (b === 0 ? 'division by zero' : ((a >>> 0) % (b >>> 0)) | 0),
  '<<%': (a, b) => (b < 0 || b > 31 ? 'overflow' : a << b),
  '>>%': (a, b) => (b < 0 || b > 31 ? 'overflow' : (a >>> b) | 0),
  '<%': (a, b) => Number(a >>> 0 < b >>> 0),
  '<=%': (a, b) => Number(a >>> 0 <= b >>> 0),
  '>%': (a, b) => Number(a >>> 0 > b >>> 0),
  '>=%': (a, b) => Number(a >>> 0 >= b >>> 0),
};
const conversions: Partial<Record<UnaryOperator, (a: number) => number>> = {
  i8: (a) => new Int8Array([a])[0]!,
  u8: (a) => new Uint8Array([a])[0]!,
  i16: (a) => new Int16Array([a])[0]!,
  u16: (a) => new Uint16Array([a])[0]!,
};

const constant = (value: number): Expression => ({ kind: 'constant', value });

function outcome(expression: Expression): number | string {
  try {
    return evaluate(expression, [], []);
  } catch (error) {
    if (error instanceof Fault) return error.kind;
    throw error;
  }
}

/** Returns the number that the expression's term folds to; the term has no variables. */
function folded(expression: Expression): number | undefined {
  const { value } = integer(expression, () => int(0));
  return value === undefined ? undefined : Number(value);
}

describe.each(Object.entries(meant))('%s', (operator, expected) => {
  it('is what machines do, executed and as a term', () => {
    let terms = 0;
    fc.assert(
      fc.property(number, number, (a, b) => {
        const expression: Expression = {
          kind: 'binary',
          operator: operator as BinaryOperator,
          left: constant(a),
          right: constant(b),
        };
        const right = expected(a, b);
        expect(outcome(expression)).toBe(right);
        if (typeof right === 'string') return;
        const term = folded(expression);
        if (term === undefined) return;
        expect(term).toBe(right);
        terms++;
      }),
      { numRuns: 2000, seed: 12 },
    );
    expect(terms).toBeGreaterThan(300);
  });
});

describe.each(Object.entries(conversions))('%s', (operator, expected) => {
  it('is what machines do, of sums, too', () => {
    fc.assert(
      fc.property(number, number, (a, b) => {
        const sum: Expression = {
          kind: 'binary',
          operator: '+%',
          left: constant(a),
          right: constant(b),
        };
        for (const [operand, value] of [
          [constant(a), a],
          [sum, (a + b) | 0],
        ] as const) {
          const expression: Expression = {
            kind: 'unary',
            operator: operator as UnaryOperator,
            operand,
          };
          expect(outcome(expression)).toBe(expected(value));
          expect(folded(expression)).toBe(expected(value));
        }
      }),
      { numRuns: 2000, seed: 13 },
    );
  });
});
