import { describe, expect, test } from 'vitest';
import { check } from '../../src/api/check.js';
import { fence } from '../../src/api/fence.js';
import { prove } from '../../src/api/prove.js';
import { templatesOf } from '@fencewright/model/program/model.js';
import type { SmtSolver } from '@fencewright/ground/solvers/smt-solver.js';
import { isModelLimit, modelLimit } from '@fencewright/model/program/model-limit.js';
import { programOf } from '../../../engines/test/robustness/native-program.js';

/** The statement that front ends write at an operation outside the model: it always faults. */
const end = 'f = 2147483647 + (f == f);';

/**
 * Returns a program whose thread `a` counts, exceeds the limits of the model, and then stores and
 * loads in a cycle with thread `b`.
 */
const afterCounting = (most: number, rest = end): string => `var n, x, y
  thread a { local r, s, f; do { fetch_add(n, 1); r = n; } while (r < ${most});
    ${rest} x = 1; s = y; }
  thread b { local r; while (n < 0) { }  y = 1; r = x; }`;

/**
 * Options without the local closure that looks for faults: it takes long here and finds nothing.
 */
const quick = { without: ['local-closure'] } as const;

describe('where the model ends', () => {
  test('is said in a form that the texts of the language have', () => {
    const { threads } = programOf(`var x thread a { local f; ${end} x = 1; }`);
    const [thread] = threads;
    expect(thread!.transitions.map(({ instruction }) => isModelLimit(instruction))).toEqual([
      true,
      false,
    ]);
    expect(thread!.transitions[0]!.instruction).toEqual(modelLimit(0));
  });

  test.each(['f = 2147483647 + f;', 'f = 2147483647 + (f == r);', 'f = (f == f) + 2147483647;'])(
    'is not said by %s',
    (text) => {
      const { threads } = programOf(`var x thread a { local f, r; ${text} x = r; }`);
      expect(threads[0]!.transitions.some((one) => isModelLimit(one.instruction))).toBe(false);
    },
  );

  test('no program is robust that comes to there, however late', async () => {
    // More states than a search for faults explores in programs without model limits.
    const { verdict, faults } = await check(programOf(afterCounting(30_000)), quick);
    expect([verdict.kind, faults?.kind]).toEqual(['unknown', 'found']);
  });

  test('nor one of which that is not known', async () => {
    const limits = { maxStates: 20_000 };
    const { verdict } = await check(programOf(afterCounting(30_000)), { ...quick, limits });
    expect(verdict).toMatchObject({ kind: 'unknown', reason: 'states' });
  });

  test('with an engine that does not look at executions, too', async () => {
    const program = programOf(`var x, y thread a { local r, f; r = x; if (r == 1) { ${end} } }
      thread b { x = 1; fence; x = 2; }`);
    const { verdict } = await check(program, { engine: 'instrument' });
    expect(verdict.kind).toBe('unknown');
  });

  test('a program without fails all the same: it has the attack', async () => {
    const { verdict } = await check(programOf(afterCounting(3, '')));
    expect(verdict.kind).toBe('not-robust');
  });

  test('a program may be robust where values or a search rule it out', async () => {
    const byValues = `if (r < 0) { ${end} } fence;`;
    const { verdict, faults } = await check(
      programOf(`var x, y thread a { local r, f; r = y; ${byValues} x = 1; fence; r = y; }
        thread b { local r; y = 1; fence; r = x; }`),
    );
    expect([verdict.kind, faults]).toEqual(['robust', { kind: 'none', shownBy: 'closure' }]);
    const searched = await check(
      programOf(`var x, y thread a { local r, f; x = 1; r = x; if (r == 0) { ${end} } }
        thread b { x = 1; }`),
    );
    expect([searched.verdict.kind, searched.faults]).toEqual([
      'robust',
      { kind: 'none', shownBy: 'search' },
    ]);
  });

  test('no fences are said to suffice there', async () => {
    const { verdict } = await fence(programOf(afterCounting(30_000)));
    expect(verdict).toMatchObject({ kind: 'unknown', reason: 'unsupported' });
    const limits = { maxStates: 20_000 };
    const cut = await fence(programOf(afterCounting(30_000)), { limits });
    expect(cut.verdict).toMatchObject({ kind: 'unknown', reason: 'states' });
  });

  test('proofs say nothing where it may be reached', async () => {
    const text = (most: number): string => `var x
      thread a { local r, f; r = x; if (r > ${most}) { ${end} } x = 1; }
      thread b { x = 2; fence; }`;
    const solver: SmtSolver = {
      name: 'asked',
      solve: () => Promise.reject(new Error('it is asked')),
      close: () => Promise.resolve(),
    };
    const { result } = await prove(templatesOf(programOf(text(1))), { solver });
    expect(result.verdict).toMatchObject({ kind: 'unknown', why: { kind: 'model-limit' } });
    await expect(prove(templatesOf(programOf(text(2))), { solver })).rejects.toThrow('it is asked');
  });
});
