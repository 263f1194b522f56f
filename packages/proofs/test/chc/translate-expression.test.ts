import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { chooseSmtSolver } from '../../../core/src/node/choose-smt-solver.js';
import { compileExpression, ExecutionFault } from '@fencewright/model/program/evaluate.js';
import {
  binary,
  constant,
  hasPart,
  registerValue,
  unary,
  type Expression,
} from '@fencewright/model/program/expression.js';
import { equal } from '@fencewright/ground/smt/arithmetic.js';
import { formatTerm, integer, not, variable } from '@fencewright/ground/smt/term.js';
import { edges } from '@fencewright/reference/testing/with-wrapping.js';
import { translateExpression } from '../../src/chc/translate-expression.js';

const solver = chooseSmtSolver();
afterAll(() => solver.close());

const operators = ['+', '-', '*', '/', '%', '&', '|', '^', '<<', '>>'] as const;
const tests = ['==', '!=', '<', '<=', '>', '>=', '&&', '||'] as const;
const wrapping = ['+%', '-%', '*%', '/%', '%%', '<<%', '>>%', '<%', '<=%', '>%', '>=%'] as const;
const number = fc.oneof(
  fc.integer({ min: -9, max: 9 }),
  fc.constantFrom(15, 2 ** 31 - 1, -(2 ** 31)),
);
/** Random expressions over numbers at which results wrap. */
const { wide } = fc.letrec<{ wide: Expression }>((tie) => ({
  wide: fc.oneof(
    { depthSize: 'small' },
    fc.oneof(number, fc.constantFrom(...edges), fc.integer()).map(constant),
    fc.nat(1).map(registerValue),
    fc
      .tuple(fc.constantFrom('-', '!', '~', 'i8', 'u8', 'i16', 'u16' as const), tie('wide'))
      .map(([o, e]) => unary(o, e)),
    {
      weight: 3,
      arbitrary: fc
        .tuple(fc.constantFrom(...wrapping), tie('wide'), tie('wide'))
        .map(([o, l, r]) => binary(o, l, r)),
    },
    fc
      .tuple(fc.constantFrom(...operators, ...tests), tie('wide'), tie('wide'))
      .map(([o, l, r]) => binary(o, l, r)),
  ),
}));
const { expression } = fc.letrec<{ expression: Expression }>((tie) => ({
  expression: fc.oneof(
    { depthSize: 'small' },
    number.map(constant),
    fc.nat(1).map(registerValue),
    fc
      .tuple(fc.constantFrom('-', '!', '~' as const), tie('expression'))
      .map(([o, e]) => unary(o, e)),
    fc
      .tuple(fc.constantFrom(...operators, ...tests), tie('expression'), tie('expression'))
      .map(([o, l, r]) => binary(o, l, r)),
  ),
}));

function evaluated(e: Expression, registers: readonly number[]): number | string {
  try {
    return compileExpression(e, [])(registers, 0);
  } catch (error) {
    if (error instanceof ExecutionFault) return error.kind;
    throw error;
  }
}

test('known operands of operators that wrap: the value, or a fault, or any integer', () => {
  let exact = 0;
  fc.assert(
    fc.property(wide, fc.constantFrom(...edges), fc.constantFrom(...edges), (e, a, b) => {
      const value = evaluated(e, [a, b]);
      const registers = [integer(a), integer(b)];
      const anyInteger = () => variable('any');
      const translated = translateExpression(e, { registers, symbols: [], anyInteger });
      if (value === 'division-by-zero')
        expect(translated.fault).not.toEqual({ kind: 'truth', value: false });
      if (typeof value === 'string') return;
      expect(translated.fault).not.toEqual({ kind: 'truth', value: true });
      if (translated.value.kind !== 'integer') return;
      expect(translated.value.value).toBe(value);
      exact++;
    }),
    { numRuns: randomRuns(5000, 100_000), seed: randomSeed(8) },
  );
  expect(exact).toBeGreaterThan(2500);
});

test('known operands: the value, or a fault, or any integer', () => {
  let exact = 0;
  fc.assert(
    fc.property(expression, number, number, (e, a, b) => {
      const value = evaluated(e, [a, b]);
      const registers = [integer(a), integer(b)];
      const anyInteger = () => variable('any');
      const translated = translateExpression(e, { registers, symbols: [], anyInteger });
      if (value === 'division-by-zero') {
        // The term reports a fault, or depends on an unknown function.
        const mayFault = translated.fault.kind !== 'truth' || translated.fault.value;
        expect(mayFault).toBe(true);
      }
      if (typeof value === 'string') return;
      expect(translated.fault).not.toEqual({ kind: 'truth', value: true });
      if (translated.value.kind !== 'integer') return;
      expect(translated.value.value).toBe(value);
      exact++;
    }),
    { numRuns: randomRuns(5000, 100_000), seed: randomSeed(7) },
  );
  expect(exact).toBeGreaterThan(2500);
});

test.each([
  ['', expression, number],
  [', operators that wrap among them', wide, fc.oneof(number, fc.constantFrom(...edges))],
])(
  'unknown operands: the term has the value that the evaluator gives%s',
  async (_, some, value) => {
    const registers = [variable('a'), variable('b')];
    let asked = 0;
    const met = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(some, value, value, async (e, a, b) => {
        const value = evaluated(e, [a, b]);
        if (typeof value === 'string') return;
        const anyInteger = () => variable('any');
        const translated = translateExpression(e, { registers, symbols: [], anyInteger });
        const text = formatTerm(translated.value);
        if (text.includes('any')) return;
        asked++;
        hasPart(e, (part) => {
          if ('operator' in part) met.set(part.operator, (met.get(part.operator) ?? 0) + 1);
          return false;
        });
        const script = [
          '(declare-const a Int) (declare-const b Int)',
          `(assert (= a ${formatTerm(integer(a))})) (assert (= b ${formatTerm(integer(b))}))`,
          `(assert (or ${formatTerm(translated.fault)}`,
          `${formatTerm(not(equal(translated.value, integer(value))))}))`,
        ].join('\n');
        expect((await solver.solve({ script })).kind).toBe('unsat');
      }),
      { numRuns: randomRuns(400, 8000), seed: randomSeed(11) },
    );
    expect(asked).toBeGreaterThan(200);
    if (some === wide)
      for (const operator of [...wrapping, 'i8', 'u8', 'i16', 'u16'])
        expect(met.get(operator), operator).toBeGreaterThan(5);
  },
);
