import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomRuns, randomSeed } from '../../../tools/random-runs.js';
import { formatInvariant } from '@fencewright/model/program/format-invariant.js';
import type { InvariantExpression } from '@fencewright/model/program/program.js';
import type { PairPredicate } from '../src/horn/horn-clauses.js';
import { comparison, type Comparator } from '../src/horn/linear-form.js';
import { summarize, type PlacedClaim } from '../src/horn/placed-claims.js';
import { at } from '@fencewright/ground/base/at.js';
import { termOfSExpression } from '@fencewright/ground/smt/read-term.js';
import { formatTerm } from '@fencewright/ground/smt/term.js';
import { parseSExpressions } from '@fencewright/ground/solvers/s-expression.js';
import { Projection } from '../src/horn/projection.js';
import { toProofProgram } from '../src/steps/proof-program.js';
import { readSolution } from '../src/horn/read-solution.js';
import { openProgram } from './proving.js';

/**
 * Returns the value of an expression over shared variables. `cells` has the value of each variable.
 */
function evaluate(expression: InvariantExpression, cells: readonly number[]): number {
  if (expression.kind === 'constant') return expression.value;
  if (expression.kind === 'cell') return cells[expression.symbol] ?? 0;
  if (expression.kind === 'unary') return -evaluate(expression.operand, cells);
  if (expression.kind !== 'binary') throw new Error(expression.kind);
  const [a, b] = [evaluate(expression.left, cells), evaluate(expression.right, cells)];
  const operators: Partial<Record<string, (x: number, y: number) => number>> = {
    '+': (x, y) => x + y,
    '-': (x, y) => x - y,
    '*': (x, y) => x * y,
    '==': (x, y) => Number(x === y),
    '!=': (x, y) => Number(x !== y),
    '<': (x, y) => Number(x < y),
    '<=': (x, y) => Number(x <= y),
    '>': (x, y) => Number(x > y),
    '>=': (x, y) => Number(x >= y),
  };
  return operators[expression.operator]!(a, b);
}

const sums: fc.Arbitrary<InvariantExpression> = fc.letrec<{ sum: InvariantExpression }>((tie) => ({
  sum: fc.oneof(
    { maxDepth: 4 },
    fc
      .integer({ min: -3, max: 3 })
      .map((value): InvariantExpression => ({ kind: 'constant', value })),
    fc.nat(2).map((symbol): InvariantExpression => ({ kind: 'cell', symbol })),
    tie('sum').map((operand): InvariantExpression => ({ kind: 'unary', operator: '-', operand })),
    fc
      .tuple(fc.constantFrom('+', '-', '*'), tie('sum'), tie('sum'))
      .map(([operator, left, right]): InvariantExpression => ({
        kind: 'binary',
        operator: operator as '+',
        left,
        right,
      })),
  ),
})).sum;

it('a comparison that is written anew says the same', () => {
  const values = fc.integer({ min: -4, max: 4 });
  fc.assert(
    fc.property(
      fc.constantFrom<Comparator>('==', '!=', '<', '<=', '>', '>='),
      sums,
      fc.tuple(values, values, values),
      (operator, difference, cells) => {
        const written = comparison(operator, difference);
        const zero: InvariantExpression = { kind: 'constant', value: 0 };
        const asked = { kind: 'binary', operator, left: difference, right: zero } as const;
        const value = typeof written === 'boolean' ? Number(written) : evaluate(written, cells);
        expect(value).toBe(evaluate(asked, cells));
      },
    ),
    { numRuns: randomRuns(500, 10_000, 250), seed: randomSeed(20_180_714) },
  );
});

describe('terms of clauses', () => {
  it('know integers only; what is not known is one unknown for each text', () => {
    const projection = new Projection(new Set(['x', 'a.r']));
    const rewrite = (text: string): string => {
      const term = termOfSExpression(at(parseSExpressions(text), 0), 100);
      return term ? formatTerm(projection.rewrite(term)) : 'too large';
    };
    const term =
      '(and (= 3 3) (<= |x| (select m |a.r|)) (= (select m |a.r|) (bits_and |x| 1)) (= (* |x| |a.r|) 2) (not (= 1 2)))';
    expect(rewrite(term)).toBe('(and (<= |v0| |v1|) (= |v1| |v2|) (= |v3| 2))');
    expect(projection.variables).toEqual(['v0', 'v1', 'v2', 'v3']);
    expect([...projection.forgotten]).toEqual(['arrays', 'operators']);
    expect(rewrite('(= (* 2 |a.r|) (remainder |x| 4))')).toBe('(= (* 2 |v4|) (remainder |v0| 4))');
    expect(rewrite('(or (= 1 2) (and (< 2 1) (= |x| 0)))')).toBe('false');
  });
});

const open = openProgram(`program P
  var x, y
  thread t[*] { local r; first: r = x; second: y = r; third: x = r; }`);

function proofProgram() {
  const program = toProofProgram(open, []);
  if ('unsupported' in program) throw new Error(program.unsupported.kind);
  return program;
}

describe('solutions', () => {
  const [first, second, third] = proofProgram().threads[0]!.places as [number, number, number];
  const predicate: PairPredicate = {
    name: 'I',
    ends: [
      { thread: 0, place: second },
      { thread: 0, place: third },
    ],
    parameters: [
      { kind: 'variable', variable: 0 },
      { kind: 'variable', variable: 1 },
      { kind: 'register', end: 0, register: 0 },
      { kind: 'register', end: 1, register: 0 },
    ],
  };
  const read = (body: string): readonly string[] => {
    const model = `((define-fun I ((a Int) (b Int) (c Int) (d Int)) Bool ${body}))`;
    return readSolution(proofProgram(), [predicate], model).map(({ claim }) =>
      formatInvariant(open, {
        name: 'i',
        binders: [
          { name: 'p', thread: 0 },
          { name: 'q', thread: 0 },
        ],
        condition: claim,
      }).replace(/^.*?\): /, ''),
    );
  };

  it('are read part by part, in the words of the language', () => {
    expect(read('true')).toEqual([]);
    expect(read('false')).toEqual(['0']);
    expect(read('(not (or (<= a 0) (>= b 2)))')).toEqual(['x > 0', 'y < 2']);
    expect(read('(= (+ c (* (- 1) a) 1) 0)')).toEqual(['p.r + 1 == x']);
    expect(read('(let ((z (<= c d))) (and z (or z (= a 1))))')).toEqual([
      'p.r <= q.r',
      'p.r <= q.r || x == 1',
    ]);
    expect(read('(=> (= a 1) (= (mod b 2) 0))')).toEqual(['x != 1 || (y % 2 + 2) % 2 == 0']);
  });

  it('lose what the language cannot say, and nothing else', () => {
    expect(read('(and (exists ((e Int)) (= e a)) (<= a 3))')).toEqual(['x <= 3']);
    expect(read('(= (f a) 0)')).toEqual([]);
  });

  it('become few invariants', () => {
    const never: InvariantExpression = { kind: 'constant', value: 0 };
    const pair = (a: number, b: number): PlacedClaim => ({
      threads: [0, 0],
      places: [a, b],
      claim: never,
    });
    const claims = [pair(second, second), pair(second, third), pair(third, third)];
    const small: InvariantExpression = {
      kind: 'binary',
      operator: '<=',
      left: { kind: 'register', binder: 0, register: 0 },
      right: { kind: 'constant', value: 1 },
    };
    const alone = [first, third].map((place): PlacedClaim => ({
      threads: [0],
      places: [place],
      claim: small,
    }));
    let number = 0;
    const lines = summarize(proofProgram(), [...claims, ...alone], () => `i${number++}`).map(
      (invariant) => formatInvariant(open, invariant),
    );
    expect(lines).toEqual([
      'invariant i0(a: t, b: t): a @ second || a @ third ==> !(b @ second || b @ third)',
      'invariant i1(a: t): a @ first || a @ third ==> a.r <= 1',
    ]);
  });
});
