import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { chooseSmtSolver } from '../../../src/node/choose-smt-solver.js';
import { compileExpression, ExecutionFault } from '../../../src/program/evaluate.js';
import { binary, constant, registerValue, unary } from '../../../src/program/expression.js';
import type { Expression } from '../../../src/program/expression.js';
import { equal } from '../../../src/smt/arithmetic.js';
import { formatTerm, integer, not, variable } from '../../../src/smt/term.js';
import { translateExpression } from '../../../src/reach/chc/translate-expression.js';

const solver = chooseSmtSolver();
afterAll(() => solver.close());

const operators = ['+', '-', '*', '/', '%', '&', '|', '^', '<<', '>>'] as const;
const tests = ['==', '!=', '<', '<=', '>', '>=', '&&', '||'] as const;
const number = fc.oneof(
  fc.integer({ min: -9, max: 9 }),
  fc.constantFrom(15, 2 ** 31 - 1, -(2 ** 31)),
);
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

test('known operands: the value, or a fault, or any integer', () => {
  let exact = 0;
  fc.assert(
    fc.property(expression, number, number, (e, a, b) => {
      const value = evaluated(e, [a, b]);
      const registers = [integer(a), integer(b)];
      const anyInteger = () => variable('any');
      const translated = translateExpression(e, { registers, symbols: [], anyInteger });
      if (value === 'division-by-zero') {
        // A fault is told, or depends on what is not known.
        const mayFault = translated.fault.kind !== 'truth' || translated.fault.value;
        expect(mayFault).toBe(true);
      }
      if (typeof value === 'string') return;
      expect(translated.fault).not.toEqual({ kind: 'truth', value: true });
      if (translated.value.kind !== 'integer') return;
      expect(translated.value.value).toBe(value);
      exact++;
    }),
    { numRuns: 5000, seed: 7 },
  );
  expect(exact).toBeGreaterThan(2500);
});

test('unknown operands: the term has the value that the evaluator gives', async () => {
  const registers = [variable('a'), variable('b')];
  let asked = 0;
  await fc.assert(
    fc.asyncProperty(expression, number, number, async (e, a, b) => {
      const value = evaluated(e, [a, b]);
      if (typeof value === 'string') return;
      const anyInteger = () => variable('any');
      const translated = translateExpression(e, { registers, symbols: [], anyInteger });
      const text = formatTerm(translated.value);
      if (text.includes('any')) return;
      asked++;
      const script = [
        '(declare-const a Int) (declare-const b Int)',
        `(assert (= a ${formatTerm(integer(a))})) (assert (= b ${formatTerm(integer(b))}))`,
        `(assert (or ${formatTerm(translated.fault)}`,
        `${formatTerm(not(equal(translated.value, integer(value))))}))`,
      ].join('\n');
      expect((await solver.solve({ script })).kind).toBe('unsat');
    }),
    { numRuns: 400, seed: 11 },
  );
  expect(asked).toBeGreaterThan(200);
});
