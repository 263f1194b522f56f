import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { chooseSmtSolver } from '../../src/node/choose-smt-solver.js';
import { createNativeZ3, hasNativeZ3 } from '../../src/node/z3-process.js';
import { describeWith } from '../../../../tools/external-program.js';
import { smtSolverLaws } from '../../../ground/test/solvers/smt-solver-laws.js';

describeWith('z3', ['--version'], 'a native z3', () => {
  const solver = createNativeZ3();
  afterAll(() => solver.close());
  smtSolverLaws(() => solver);

  test('is found, and preferred', () => {
    expect(hasNativeZ3()).toBe(true);
    expect(chooseSmtSolver().name).toBe('z3 (native)');
    expect(chooseSmtSolver('native').name).toBe('z3 (native)');
  });

  test('a query that needs too much memory is unknown', async () => {
    const small = createNativeZ3({ megabytes: 20 });
    const bits = '(declare-const x (_ BitVec 256)) (declare-const y (_ BitVec 256))';
    const script = `${bits} (assert (= (bvmul x y) (bvudiv x (bvadd y x))))`;
    const answer = await small.solve({ script, timeout: 20_000 });
    await small.close();
    expect(answer).toMatchObject({ kind: 'unknown', reason: 'memory' });
  });

  test('a parameter that this version does not know is unknown, with its words', async () => {
    const script = '(assert true)';
    const answer = await solver.solve({ script, parameters: { 'fp.no.such': 1 } });
    expect(answer).toMatchObject({ kind: 'unknown', reason: 'incomplete' });
    expect(answer.kind === 'unknown' && answer.detail).toMatch(/no\.such/);
  });

  test('an idle process does not keep Node.js alive', () => {
    const module = fileURLToPath(new URL('../../src/node/z3-process.ts', import.meta.url));
    const script = `const { createNativeZ3 } = await import(${JSON.stringify(module)});
      console.log((await createNativeZ3().solve({ script: '(assert true)' })).kind);`;
    const args = ['--conditions=source', '--import', 'tsx', '--input-type=module', '-e', script];
    expect(execFileSync(process.execPath, args, { encoding: 'utf8', timeout: 30_000 })).toBe(
      'sat\n',
    );
  });
});

test('what is not Z3 is not taken for it', () => {
  expect(hasNativeZ3('fencewright-no-such-program')).toBe(false);
  expect(hasNativeZ3('true')).toBe(false);
});
