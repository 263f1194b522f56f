import { expect, test } from 'vitest';
import { InternalError } from '../../src/base/unreachable.js';
import { formatSExpression, parseSExpressions } from '../../src/solvers/s-expression.js';
import { parseSmtModel } from '../../src/solvers/smt-model.js';

test('lists, symbols, quoted symbols, strings and comments', () => {
  const text = '; a comment\n(a (b |c d| "e ""f") ()) -1 |g|';
  expect(parseSExpressions(text)).toEqual([['a', ['b', 'c d', '"e ""f"'], []], '-1', 'g']);
});

test('what is printed reads back', () => {
  const text = '(define-fun |a b| ((x!0 Int)) Bool (and (<= x!0 5) (not (= x!0 (- 3)))))';
  const [expression = ''] = parseSExpressions(text);
  expect(formatSExpression(expression)).toBe(text);
});

test.each(['(', ')', '(a))', '"open'])('unbalanced text is a fault of ours: %s', (text) => {
  expect(() => parseSExpressions(text)).toThrow(InternalError);
});

test.each([
  ['as Z3 4.8 prints it', '(\n  (define-fun p ((x!0 Int)) Bool (= x!0 1))\n)'],
  ['with the old keyword', '(model (define-fun p ((x!0 Int)) Bool (= x!0 1)))'],
  ['as the library prints it', '(declare-sort S)\n(define-fun p ((x!0 Int)) Bool (= x!0 1))'],
  ['a single definition', '(define-fun p ((x!0 Int)) Bool (= x!0 1))'],
])('a model, %s', (_, text) => {
  const definition = {
    name: 'p',
    parameters: [{ name: 'x!0', sort: 'Int' }],
    sort: 'Bool',
    body: ['=', 'x!0', '1'],
  };
  expect([...parseSmtModel(text).values()]).toEqual([definition]);
});
