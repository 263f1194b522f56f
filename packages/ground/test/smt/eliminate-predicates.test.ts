import { afterAll, expect, test } from 'vitest';
import { chooseSmtSolver } from '../../../core/src/node/choose-smt-solver.js';
import { checkInvariant } from '../../src/smt/check-invariant.js';
import { eliminatePredicates } from '../../src/smt/eliminate-predicates.js';
import { formatHornSystem, type HornSystem } from '../../src/smt/horn-system.js';
import { equal, plus } from '../../src/smt/arithmetic.js';
import { integer, not, variable } from '../../src/smt/term.js';

const solver = chooseSmtSolver();
afterAll(() => solver.close());

/**
 * Returns a system in which x starts at 0 and grows by 1 from each of three predicates to the next;
 * asks whether x can be `asked` at the last predicate.
 */
function round(asked: number, isGuarded = false): HornSystem {
  const x = variable('x');
  const from = (predicate: number) => ({
    body: [{ predicate, arguments: [x] }],
    variables: ['x'],
  });
  const step = (body: number, predicate: number) => ({
    ...from(body),
    constraint: isGuarded ? [not(equal(x, integer(100 + body)))] : [],
    head: { predicate, arguments: [plus(x, integer(1))] },
  });
  return {
    predicates: ['p', 'q', 'r'].map((name) => ({ name, parameters: ['x'], comment: '' })),
    clauses: [
      { body: [], constraint: [], head: { predicate: 0, arguments: [integer(0)] }, variables: [] },
      step(0, 1),
      step(1, 2),
      step(2, 0),
      { ...from(2), constraint: [equal(x, integer(asked))] },
    ],
  };
}

test('of a round one predicate stays, and its model is checked against all clauses', async () => {
  const system = round(7);
  const { system: reduced, eliminated } = eliminatePredicates(system, 0);
  expect(eliminated).toHaveLength(2);
  const left = new Set(eliminated.map(({ predicate }) => predicate));
  const [kept] = [...system.predicates.keys()].filter((predicate) => !left.has(predicate));
  // At p, q and r the rest of x by 3 is 0, 1 and 2; 7 has the rest 1.
  const { name } = system.predicates[kept ?? 0]!;
  const model = `((define-fun ${name} ((y Int)) Bool (= (mod y 3) ${kept})))`;
  expect(
    reduced.clauses.every(({ body }) => body.every(({ predicate }) => predicate === kept)),
  ).toBe(true);
  expect((await checkInvariant(system, model, solver, {}, eliminated)).kind).toBe('unsat');
  const weak = `((define-fun ${name} ((y Int)) Bool true))`;
  expect((await checkInvariant(system, weak, solver, {}, eliminated)).kind).toBe('sat');
});

test('a question that can be reached stays one', async () => {
  const system = round(8);
  const { system: reduced } = eliminatePredicates(system, 0);
  const ask = (clauses: HornSystem) =>
    solver.solve({ logic: 'HORN', script: formatHornSystem(clauses), timeout: 20_000 });
  expect((await ask(reduced)).kind).toBe('unsat');
  expect((await ask(eliminatePredicates(round(8, true), 0).system)).kind).toBe('unsat');
  expect((await ask(eliminatePredicates(round(7), 0).system)).kind).toBe('sat');
});
