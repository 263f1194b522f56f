import { whyUndecided } from '@fencewright/reports/words/why-undecided.js';
import { afterAll, expect, test } from 'vitest';
import { check } from '../../../core/src/api/check.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import { chooseSmtSolver } from '../../../core/src/node/choose-smt-solver.js';
import { createHornEngine } from '../../src/chc/horn-engine.js';
import { createExplicitEngine } from '@fencewright/reference/explicit/explicit-engine.js';
import { enumerateAttacks } from '@fencewright/engines/robustness/attacks.js';
import { attacksToDecide, instrumentAttack } from '@fencewright/reference/instrument/instrument.js';
import type { SmtAnswer, SmtQuery, SmtSolver } from '@fencewright/ground/solvers/smt-solver.js';
import { programOf } from '../../../engines/test/robustness/native-program.js';

/** A question about a feasible attack, which a solver must not deny. */
function feasibleQuestion() {
  const program = programOf(`var x, y
    thread p { local r; x = 1; r = y; }
    thread q { local r; y = 1; r = x; }`);
  const [attack] = attacksToDecide(program, enumerateAttacks(program));
  if (!attack) throw new Error('no attack');
  return instrumentAttack(program, attack);
}

/**
 * Returns a solver that gives one answer to all questions about Horn clauses, and another answer to
 * all other questions.
 */
function solverThatSays(clauses: SmtAnswer, others: SmtAnswer): SmtSolver {
  return {
    name: 'says',
    solve: ({ logic }: SmtQuery) => Promise.resolve(logic === 'HORN' ? clauses : others),
    close: () => Promise.resolve(),
  };
}

const z3 = chooseSmtSolver();
afterAll(() => z3.close());

test.each([
  'var x, a[2] thread p { local r; x = 1; r = a[0]; a[x + 1] = 1; } thread q { local r; r = x; }',
  'var x, y thread p { local r; x = 1; r = 1 / y; } thread q { local s; s = x; }',
])('a mistake of the program is no execution without attacks: %s', async (text) => {
  const { verdict } = await check(programOf(text), { engine: { name: 'chc', smtSolver: z3 } });
  expect(verdict.kind).toBe('error');
});

test('a question about an attack is one about mistakes, too', async () => {
  // The goal is unreachable, as no thread stores to y. The division by y is a fault nevertheless.
  const program = programOf(`var x, y
    thread p { local r; x = 1; r = 1 / y; }
    thread q { local s; s = x; }`);
  const [attack] = attacksToDecide(program, enumerateAttacks(program));
  const engine = createHornEngine({ solver: z3, explicit: createExplicitEngine() });
  const answer = await engine.explore(instrumentAttack(program, attack!), new Budget());
  expect(answer.goals).toEqual([]);
  expect(answer.faults).toMatchObject([{ fault: 'division-by-zero' }]);
});

test.each([
  [
    'others go on where a thread blocks for ever',
    'not-robust',
    `var x, y, z
     thread p { local r; r = z; assume(r == 1); x = 1; r = y; }
     thread q { local r; r = x; z = 1; assume(r == 1); z = 2; }
     thread s { local p; y = 1; fence; p = x; }`,
  ],
  [
    'nobody sees the middle of a lock block',
    'robust',
    `var x, y, z
     thread p { local r; x = 1; r = y; }
     thread q { local s; s = z; assume(s == 1); y = 1; fence; s = x; }
     thread c { lock; z = 1; z = 0; unlock; }`,
  ],
])('%s', async (_, expected, text) => {
  const { verdict } = await check(programOf(text), { engine: { name: 'chc', smtSolver: z3 } });
  expect(verdict.kind).toBe(expected);
  expect((await check(programOf(text))).verdict.kind).toBe(expected);
});

const unknown: SmtAnswer = { kind: 'unknown', reason: 'incomplete', detail: '' };
const everywhere: SmtAnswer = { kind: 'sat', model: '()' };

test.each([
  ['an interpretation that fails its check', everywhere, { kind: 'sat' }],
  ['an interpretation that cannot be checked', everywhere, unknown],
  ['no answer', unknown, { kind: 'unsat' }],
] as const)('%s decides nothing', async (_, clauses, others) => {
  const solver = solverThatSays(clauses, others);
  const engine = createHornEngine({ solver, explicit: createExplicitEngine() });
  const answer = await engine.explore(feasibleQuestion(), new Budget());
  expect(answer).toMatchObject({ goals: [], incomplete: 'undecided' });
});

const exhausted: SmtAnswer = { kind: 'unknown', reason: 'effort', detail: '' };

test.each([
  ['for an interpretation', exhausted, { kind: 'unsat' }],
  ['for its check', everywhere, exhausted],
] as const)(
  'a solver that would have to do too much %s decides nothing, and it is said',
  async (_, clauses, others) => {
    const solver = solverThatSays(clauses, others);
    const engine = createHornEngine({ solver, explicit: createExplicitEngine() });
    const answer = await engine.explore(feasibleQuestion(), new Budget());
    expect(answer).toMatchObject({ goals: [], incomplete: 'effort' });
  },
);

test('what the solver does is limited in its own count, and by no clock', async () => {
  const asked: SmtQuery[] = [];
  const solver: SmtSolver = {
    name: 'listens',
    solve: (query) => {
      asked.push(query);
      return z3.solve(query);
    },
    close: () => Promise.resolve(),
  };
  const text =
    'var x, y thread p { local r; x = 1; fence; r = y; } thread q { local r; y = 1; r = x; }';
  const engine = { name: 'chc', smtSolver: solver } as const;
  const { verdict } = await check(programOf(text), { engine });
  expect(verdict.kind).not.toBe('unknown');
  expect(asked.length).toBeGreaterThan(0);
  for (const { effort, timeout } of asked) {
    expect(effort).toBeGreaterThan(0);
    expect(timeout).toBeUndefined();
  }
  const { verdict: starved } = await check(programOf(text), {
    engine: { ...engine, smtEffort: 1 },
  });
  expect(starved).toMatchObject({ kind: 'unknown', reason: 'effort' });
  expect(starved.kind === 'unknown' && whyUndecided(starved)).toMatch(/work of the solver/);
});

test('only an interpretation that passes its check says that nothing is reached', async () => {
  const solver = solverThatSays(everywhere, { kind: 'unsat' });
  const engine = createHornEngine({ solver, explicit: createExplicitEngine() });
  const answer = await engine.explore(feasibleQuestion(), new Budget());
  expect(answer.incomplete).toBeUndefined();
});
