import { expect, test } from 'vitest';
import { InternalError } from '../../src/base/unreachable.js';
import { parseSmtModel } from '../../src/solvers/smt-model.js';
import type { SmtSolver } from '../../src/solvers/smt-solver.js';

/**
 * A system in which x starts at 0 and grows by 2. It never is 7; the invariant has to state that x
 * is even.
 */
const evenCounter = `
  (declare-fun inv (Int) Bool)
  (assert (forall ((x Int)) (=> (= x 0) (inv x))))
  (assert (forall ((x Int)) (=> (inv x) (inv (+ x 2)))))
`;

/** A query that no solver answers soon: a sum of three cubes. */
const hard = `
  (declare-const x Int) (declare-const y Int) (declare-const z Int)
  (assert (= (+ (* x x x) (* y y y) (* z z z)) 114))
`;

/** Tests that every SMT solver has to pass. */
export function smtSolverLaws(solverUnderTest: () => SmtSolver): void {
  test('sat comes with a model when one is asked for', async () => {
    const script = '(declare-const x Int) (assert (< 3 x 5))';
    const plain = await solverUnderTest().solve({ script });
    expect(plain.kind === 'sat' && plain.model).toBeUndefined();
    expect(plain.kind).toBe('sat');
    const answer = await solverUnderTest().solve({ script, wantsModel: true });
    if (answer.kind !== 'sat') throw new Error(answer.kind);
    expect(parseSmtModel(answer.model ?? '').get('x')).toEqual({
      name: 'x',
      parameters: [],
      sort: 'Int',
      body: '4',
    });
  });

  test('queries do not see each other', async () => {
    const solver = solverUnderTest();
    const one = solver.solve({ script: '(declare-const x Int) (assert (< x x))' });
    const other = solver.solve({ script: '(declare-const x Bool) (assert x)' });
    expect([(await one).kind, (await other).kind]).toEqual(['unsat', 'sat']);
  });

  test('queries with one prelude share it and nothing else', async () => {
    const solver = solverUnderTest();
    const prelude = '(declare-const x Int) (assert (< 0 x 10))';
    const kinds: string[] = [];
    for (let i = 0; i < 12; i++)
      kinds.push((await solver.solve({ prelude, script: `(assert (= x ${i}))` })).kind);
    const inside = (kind: string, i: number) => kind === (i > 0 && i < 10 ? 'sat' : 'unsat');
    expect(kinds.every(inside)).toBe(true);
    const without = await solver.solve({ script: '(declare-const x Int) (assert (= x 11))' });
    expect(without.kind).toBe('sat');
  });

  test('Horn clauses: an invariant, or none', async () => {
    const solver = solverUnderTest();
    const excluded = '(assert (forall ((x Int)) (=> (and (inv x) (= x 7)) false)))';
    const reached = '(assert (forall ((x Int)) (=> (and (inv x) (= x 8)) false)))';
    const even = {
      logic: 'HORN',
      script: evenCounter + excluded,
      wantsModel: true,
      timeout: 60_000,
    };
    const answer = await solver.solve(even);
    if (answer.kind !== 'sat') throw new Error(answer.kind);
    expect(parseSmtModel(answer.model ?? '').get('inv')?.parameters).toHaveLength(1);
    const parameters = { 'fp.spacer.q3': false };
    const other = { logic: 'HORN', script: evenCounter + reached, parameters, timeout: 60_000 };
    expect((await solver.solve(other)).kind).toBe('unsat');
  });

  test('an unreadable script is a fault of ours, and the next query is answered', async () => {
    const solver = solverUnderTest();
    await expect(solver.solve({ script: '(assert (= x 1))' })).rejects.toThrow(InternalError);
    await expect(solver.solve({ script: '(assert (= 1 1)' })).rejects.toThrow(InternalError);
    expect((await solver.solve({ script: '(assert false)' })).kind).toBe('unsat');
  });

  test('an effort that ends while the script is read ends the query, not the solver', async () => {
    const solver = solverUnderTest();
    const prelude = '(declare-const x Int)\n'.padEnd(200, '\n');
    const script = hard;
    for (const effort of [1, 2, 10]) {
      const cut = await solver.solve({ prelude, script: script.replaceAll('x', 'w'), effort });
      expect(cut).toMatchObject({ kind: 'unknown', reason: 'effort' });
      expect((await solver.solve({ script: '(assert false)' })).kind).toBe('unsat');
    }
  });

  test('a query that takes too long is unknown, and the next one is answered', async () => {
    const solver = solverUnderTest();
    const answer = await solver.solve({ script: hard, timeout: 300 });
    expect(answer).toMatchObject({ kind: 'unknown', reason: 'time' });
    expect((await solver.solve({ script: '(assert true)' })).kind).toBe('sat');
  });

  test('a query that would have to do too much is unknown and says so, whatever the time', async () => {
    const solver = solverUnderTest();
    for (const logic of [{}, { logic: 'QF_NIA' }]) {
      const answer = await solver.solve({ ...logic, script: hard, effort: 50_000 });
      expect(answer).toMatchObject({ kind: 'unknown', reason: 'effort' });
      expect(answer.effort).toBeGreaterThanOrEqual(50_000);
      expect(answer.effort).toBeLessThan(500_000);
    }
    // The limit applies to each query.
    const easy = { script: '(declare-const x Int) (assert (< x 0))', effort: 50_000 };
    for (let i = 0; i < 3; i++) {
      const answer = await solver.solve(easy);
      expect(answer.kind).toBe('sat');
      expect(answer.effort).toBeGreaterThan(0);
      expect(answer.effort).toBeLessThan(5_000);
    }
    const unlimited = await solver.solve({ script: hard, timeout: 300 });
    expect(unlimited).toMatchObject({ reason: 'time' });
  });

  test('a query can be cancelled, before and while it runs', async () => {
    const solver = solverUnderTest();
    const cancelled = { kind: 'unknown', reason: 'cancelled' };
    const before = await solver.solve({ script: hard, signal: AbortSignal.abort() });
    expect(before).toMatchObject(cancelled);
    const controller = new AbortController();
    const running = solver.solve({ script: hard, signal: controller.signal });
    setTimeout(() => controller.abort(), 300);
    expect(await running).toMatchObject(cancelled);
  });

  test('a long script arrives unchanged', async () => {
    const names = Array.from({ length: 8000 }, (_, i) => `variable-with-a-long-name-${i}`);
    const script = [
      ...names.map((name) => `(declare-const ${name} Int)`),
      ...names.slice(1).map((name, i) => `(assert (= ${name} (+ 1 ${names[i] ?? ''})))`),
      `(assert (= ${names[0] ?? ''} 5)) (assert (not (= ${names.at(-1) ?? ''} 8004)))`,
    ].join('\n');
    expect(script.length).toBeGreaterThan(500_000);
    expect((await solverUnderTest().solve({ script })).kind).toBe('unsat');
  });

  test('closing ends it, and it can be asked again', async () => {
    const solver = solverUnderTest();
    await solver.close();
    expect((await solver.solve({ script: '(assert true)' })).kind).toBe('sat');
  });
}
