import { afterAll, expect, test } from 'vitest';
import { chooseSmtSolver } from '../../../src/node/choose-smt-solver.js';
import { checkInvariant } from '../../../src/reach/chc/check-invariant.js';
import type { HornSystem } from '../../../src/reach/chc/horn-system.js';
import { equal, integer, less, plus, variable } from '../../../src/reach/chc/term.js';

const solver = chooseSmtSolver();
afterAll(() => solver.close());

/** x starts at 0 and grows by 2; can it be 7? */
const x = variable('x');
const system: HornSystem = {
  predicates: [{ name: 'p', parameters: ['x'], comment: '' }],
  clauses: [
    { constraint: [], head: { predicate: 0, arguments: [integer(0)] }, others: [] },
    {
      body: 0,
      constraint: [],
      head: { predicate: 0, arguments: [plus(x, integer(2))] },
      others: [],
    },
    { body: 0, constraint: [equal(x, integer(7))], others: [] },
  ],
};

const model = (body: string): string => `((define-fun p ((y Int)) Bool ${body}))`;

test.each([
  ['an invariant', model('(= (mod y 2) 0)'), 'unsat'],
  ['one that does not hold at the start', model('(and (= (mod y 2) 0) (> y 0))'), 'sat'],
  ['one that a step leaves', model('(= y 0)'), 'sat'],
  ['one that lets the question be answered with yes', model('(>= y 0)'), 'sat'],
  ['none at all', '()', 'sat'],
])('%s', async (_, text, kind) => {
  expect((await checkInvariant(system, text, solver, {})).kind).toBe(kind);
});

test('every clause of a long system is looked at', async () => {
  const many = Array.from({ length: 100 }, (_, i) => ({
    body: 0,
    constraint: [less(x, integer(-i))],
    others: [],
  }));
  const long = { ...system, clauses: [...system.clauses, ...many, system.clauses[2]!] };
  const even = model('(and (>= y 0) (= (mod y 2) 0))');
  expect((await checkInvariant(long, even, solver, {})).kind).toBe('unsat');
  const last = { body: 0, constraint: [equal(x, integer(8))], others: [] };
  const broken = { ...long, clauses: [...long.clauses, last] };
  expect((await checkInvariant(broken, even, solver, {})).kind).toBe('sat');
});
