import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { at, valueAt } from '../../src/base/at.js';
import { InternalError } from '../../src/base/unreachable.js';
import { equal, less, plus, times } from '../../src/smt/arithmetic.js';
import { termOfSExpression } from '../../src/smt/read-term.js';
import {
  and,
  apply,
  equation,
  falsity,
  formatTerm,
  integer,
  isSameTerm,
  not,
  opposite,
  or,
  truth,
  variable,
  type Term,
} from '../../src/smt/term.js';
import { parseSExpressions } from '../../src/solvers/s-expression.js';

function read(text: string, mostNodes = 1000): Term | undefined {
  return termOfSExpression(at(parseSExpressions(text), 0), mostNodes);
}

const names = fc.constantFrom('x', 'a b', 'v0', 'x!0', 'register p.r 2', '-', '12a');
const { term } = fc.letrec<{ term: Term }>((tie) => ({
  term: fc.oneof(
    { maxDepth: 5 },
    fc.integer().map(integer),
    names.map(variable),
    fc.constantFrom(truth, falsity),
    fc
      .tuple(
        fc.constantFrom('+', 'ite', 'select', 'bits_and', '=>'),
        fc.array(tie('term'), { minLength: 2, maxLength: 3 }),
      )
      .map(([operator, operands]) => apply(operator, ...operands)),
    tie('term').map(opposite),
    tie('term').map(not),
    fc.array(tie('term'), { maxLength: 3 }).map((terms) => and(...terms)),
    fc.array(tie('term'), { maxLength: 3 }).map((terms) => or(...terms)),
    fc.tuple(tie('term'), tie('term')).map(([a, b]) => equation(a, b)),
  ),
}));

test('what is printed reads back, and only the same terms are printed in the same way', () => {
  let same = 0;
  fc.assert(
    fc.property(term, term, (a, b) => {
      const back = read(formatTerm(a), 100_000);
      expect(back).toEqual(a);
      expect(back && isSameTerm(back, a)).toBe(true);
      const isSame = isSameTerm(a, b);
      expect(formatTerm(a) === formatTerm(b)).toBe(isSame);
      if (isSame) same++;
    }),
    { numRuns: randomRuns(2000, 40_000), seed: randomSeed(20_130_324) },
  );
  expect(same).toBeGreaterThan(10);
});

test('what a solver abbreviates is written out, and what it quantifies is not looked into', () => {
  expect(read('(let ((z (<= c d))) (and z (or z (= a (- 1)))))')).toEqual(
    read('(and (<= c d) (or (<= c d) (= a (- 1))))'),
  );
  // The inner x is a different variable from the outer x.
  expect(read('(let ((y x)) (let ((x 5) (z y)) (+ x z)))')).toEqual(read('(+ 5 x)'));
  const quantified = read('(and (exists ((e Int)) (= e a)) (<= a 3))');
  expect(quantified?.kind === 'apply' && quantified.operands.map(({ kind }) => kind)).toEqual([
    'opaque',
    'apply',
  ]);
  const doubled = Array.from({ length: 30 }, (_, i) => `(let ((v${i + 1} (+ v${i} v${i})))`);
  expect(read(`${doubled.join('')} v30${')'.repeat(30)}`, 5000)).toBeUndefined();
});

test('what is known is seen to be known', () => {
  const x = variable('x');
  expect(plus(integer(2), integer(3))).toEqual(integer(5));
  expect(times(integer(1), x)).toBe(x);
  expect(less(x, x)).toBe(falsity);
  expect(equal(integer(4), x)).toEqual(apply('=', x, integer(4)));
  expect(equation(integer(4), x)).toEqual(apply('=', integer(4), x));
  expect(not(not(equal(x, integer(1))))).toEqual(equal(x, integer(1)));
  expect(and(truth, equal(x, x))).toBe(truth);
  expect(or(falsity, falsity)).toBe(falsity);
});

test('what has to be there and is not is a fault of ours', () => {
  expect(at([7], 0)).toBe(7);
  expect(valueAt(new Map([['a', 0]]), 'a')).toBe(0);
  expect(() => at([7], -1)).toThrow(InternalError);
  expect(() => valueAt(new Map<string, number>(), 'b')).toThrow(InternalError);
});
