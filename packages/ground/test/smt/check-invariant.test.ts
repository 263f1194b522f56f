import { afterAll, expect, test } from 'vitest';
import { chooseSmtSolver } from '../../../core/src/node/choose-smt-solver.js';
import { checkInvariant } from '../../src/smt/check-invariant.js';
import { formatHornSystem, type HornSystem } from '../../src/smt/horn-system.js';
import { equal, less, plus } from '../../src/smt/arithmetic.js';
import { integer, variable } from '../../src/smt/term.js';

const solver = chooseSmtSolver();
afterAll(() => solver.close());

/** A system in which x starts at 0 and grows by 2; asks whether x can be 7. */
const x = variable('x');
const from = { body: [{ predicate: 0, arguments: [x] }], variables: ['x'] };
const system: HornSystem = {
  predicates: [{ name: 'p', parameters: ['x'], comment: '' }],
  clauses: [
    { body: [], constraint: [], head: { predicate: 0, arguments: [integer(0)] }, variables: [] },
    {
      ...from,
      constraint: [],
      head: { predicate: 0, arguments: [plus(x, integer(2))] },
    },
    { ...from, constraint: [equal(x, integer(7))] },
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
    ...from,
    constraint: [less(x, integer(-i))],
  }));
  const long = { ...system, clauses: [...system.clauses, ...many, system.clauses[2]!] };
  const even = model('(and (>= y 0) (= (mod y 2) 0))');
  expect((await checkInvariant(long, even, solver, {})).kind).toBe('unsat');
  const last = { ...from, constraint: [equal(x, integer(8))] };
  const broken = { ...long, clauses: [...long.clauses, last] };
  expect((await checkInvariant(broken, even, solver, {})).kind).toBe('sat');
});

test('a clause with two premises needs both', async () => {
  const [a, b] = [variable('a'), variable('b')];
  const premises = [
    { predicate: 0, arguments: [a] },
    { predicate: 0, arguments: [b] },
  ];
  const sum = { predicate: 0, arguments: [plus(a, b)] };
  const sums: HornSystem = {
    ...system,
    clauses: [
      { body: [], constraint: [], head: { predicate: 0, arguments: [integer(2)] }, variables: [] },
      { body: premises, constraint: [], head: sum, variables: ['a', 'b'] },
      { ...from, constraint: [equal(x, integer(7))] },
    ],
  };
  expect((await checkInvariant(sums, model('(= (mod y 2) 0)'), solver, {})).kind).toBe('unsat');
  expect((await checkInvariant(sums, model('(= y 2)'), solver, {})).kind).toBe('sat');
  expect((await checkInvariant(sums, model('(not (= y 7))'), solver, {})).kind).toBe('sat');
  const asked = await solver.solve({ script: formatHornSystem(sums), logic: 'HORN' });
  expect(asked.kind).toBe('sat');
});
