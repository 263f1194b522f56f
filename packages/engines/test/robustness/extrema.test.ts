import { finiteProgram, unboundedModel } from '@fencewright/model/program/model.js';
import { describe, expect, test } from 'vitest';
import { check } from '../../../core/src/api/check.js';
import { checkParameterized } from '../../../core/src/api/check-parameterized.js';
import { fence } from '../../../core/src/api/fence.js';
import { reach } from '../../../core/src/api/reach.js';
import { automataToJson } from '@fencewright/model/program/automata-json.js';
import { sealCertificate } from '@fencewright/model/program/seal-certificate.js';
import { printLitmus } from '@fencewright/languages/litmus/print-litmus.js';
import { printMemorax } from '@fencewright/languages/memorax/print-memorax.js';
import { parseTrencher } from '@fencewright/languages/trencher/parse-trencher.js';
import { printTrencher } from '@fencewright/languages/trencher/print-trencher.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { createSpin } from '../../../core/src/node/spin.js';
import { describeWith } from '../../../../tools/external-program.js';
import { openProgram, proveText, useSolver } from '../../../proofs/test/proving.js';
import { verifyCertificate } from '@fencewright/verifier';
import { expectAttacks } from './expect-attacks.js';
import { programOf } from './native-program.js';

/** Returns store buffering in which one thread first updates `m` and tests the result. */
const behind = (update: string, wanted: string): string => `var x, y, m = 2
  thread a { local r, q; ${update}; assume(${wanted}); x = 1; r = y; }
  thread b { local p; y = 1; p = x; }`;
const both = ['a: x = 1 | r = y', 'b: y = 1 | p = x'];

/**
 * Statements on a cell `m` with a condition, and whether the condition holds. Some condition would
 * differ if `fetch_max` or `fetch_min` stored or returned any other value.
 */
const updates: readonly (readonly [string, string, boolean])[] = [
  ['fetch_max(m, 1); q = m', 'q == 2', true],
  ['fetch_max(m, 1); q = m', 'q == 1', false],
  ['fetch_max(m, 3); q = m', 'q == 3', true],
  ['fetch_max(m, 3); q = m', 'q == 2', false],
  ['q = fetch_max(m, 3)', 'q == 2', true],
  ['q = fetch_max(m, 3)', 'q == 3', false],
  ['fetch_max(m, 2); q = m', 'q == 2', true],
  ['fetch_min(m, 1); q = m', 'q == 1', true],
  ['fetch_min(m, 1); q = m', 'q == 2', false],
  ['fetch_min(m, 3); q = m', 'q == 2', true],
  ['fetch_min(m, -1); q = m', 'q == -1', true],
  ['q = fetch_min(m, -1)', 'q == 2', true],
  ['q = fetch_min(m, -1)', 'q == -1', false],
  // The rmw reads its operand q before it puts the old value of m into q.
  ['q = 5; q = fetch_max(m, q); q = q + m', 'q == 7', true],
];

describe('fetch_max and fetch_min', () => {
  test.each(updates)('%s: %s is possible: %s', async (update, wanted, isPossible) => {
    // No thread loads the stored value of `a`, or stores the value that `a` loads, before the test.
    await expectAttacks(behind(update, wanted), isPossible ? both : []);
  });

  test('empty the store buffer', async () => {
    await expectAttacks(
      `var x, y, z
      thread a { local r; x = 1; fetch_max(z, 0); r = y; }
      thread b { local p; y = 1; fetch_min(z, 0); p = x; }`,
      [],
    );
    await expectAttacks(
      `var x, y, z
      thread a { local r; x = 1; r = y; }
      thread b { local p; y = 1; fetch_min(z, 0); p = x; }`,
      ['a: x = 1 | r = y'],
    );
  });

  test.each(['fetch_max(y, -1)', 'fetch_min(y, 1)'])(
    '%s stores, if only what was there: a load comes before it',
    (update) =>
      expectAttacks(
        `var x, y
        thread a { local r; x = 1; r = y; }
        thread b { local p; ${update}; p = x; }`,
        ['a: x = 1 | r = y'],
      ),
  );

  test('of several threads, whatever their order', async () => {
    const { sc, tso } = await reach(
      programOf(`var x, y = 9
      thread a { fetch_max(x, 5); fetch_min(y, 3); }
      thread b { fetch_max(x, 2); fetch_min(y, 4); }
      thread c { fetch_max(x, 4); fetch_min(y, 7); }
      property largest: finally (x == 5 && y == 3)
      property seen: exists (x == 4)`),
    );
    for (const { properties } of [sc, tso])
      expect(properties.map(({ verdict }) => verdict)).toEqual(['holds', 'violated']);
  });

  test('a value outside the domain is a fault only where it is stored', async () => {
    const faults = async (update: string) => {
      const { diagnostics } = await check(
        programOf(`domain 0..3 var x = 2 thread a { ${update}; }`),
      );
      return diagnostics.some(({ code }) => code.startsWith('FW3'));
    };
    expect(await faults('local v; v = 3; fetch_max(x, v + 4)')).toBe(true);
    expect(await faults('local v; v = 3; fetch_min(x, v + 4)')).toBe(false);
    expect(await faults('fetch_min(x, 0 - 1)')).toBe(true);
    expect(await faults('fetch_max(x, 0 - 1)')).toBe(false);
  });

  test('cannot be weak', () => {
    const { diagnostics } = parseNative(
      'program Weak var x thread a { local r; r = weak_fetch_max(x, 1); }',
    );
    expect(diagnostics.map(({ code }) => code)).toEqual(['FW1016']);
  });

  test('save a fence where they stand between store and load, and nowhere else', async () => {
    const cheapest = async (text: string): Promise<number | undefined> => {
      const program = programOf(`var x, y, m
        thread a { local r, q; ${text} }
        thread b { local r; y = 1; r = x; }`);
      const { verdict } = await fence(program);
      return verdict.kind === 'found' ? verdict.cost : undefined;
    };
    expect(await cheapest('x = 1; q = fetch_max(m, 0); r = y;')).toBe(1);
    expect(await cheapest('x = 1; fetch_min(m, 1); r = y;')).toBe(1);
    expect(await cheapest('fetch_max(m, 2); x = 1; r = y; fetch_min(m, 1);')).toBe(2);
  });

  test('in any number of threads', async () => {
    const verdictOf = async (text: string) => {
      const { model } = parseNative(`program Copies\n${text}`);
      const { result } = await checkParameterized(unboundedModel(model)!);
      return result.verdict.kind;
    };
    const copies = (between: string, before = '') => `var x, y, m = 1
      thread a[*] { local r, q; ${before} x = 1; ${between} r = y; }
      thread b[*] { local r; y = 1; ${between} r = x; }`;
    expect(await verdictOf(copies('fetch_max(m, 0);'))).toBe('robust');
    expect(await verdictOf(copies(''))).toBe('not-robust');
    // One copy loads the value of the last store, which is never smaller than before.
    const locked = (wanted: number) => `var x, y, m = 1
      thread a[*] { local r, q; fetch_max(m, 2); q = fetch_min(m, 3); assume(q == ${wanted}); x = 1; r = y; }
      thread b { local r; y = 1; fence; r = x; }`;
    expect(await verdictOf(locked(2))).toBe('not-robust');
    expect(await verdictOf(locked(1))).toBe('robust');
    expect(await verdictOf(locked(3))).toBe('robust');
  });
});

const few = updates.filter((_, i) => i % 3 < 2);

describeWith('spin', ['-V'], 'asked of SPIN', () => {
  test.each(few.slice(0, 4))('%s: %s is possible: %s', async (update, wanted, isPossible) => {
    const program = programOf(behind(update, wanted));
    const { verdict } = await check(program, {
      engine: { name: 'spin', modelChecker: createSpin() },
    });
    expect(verdict.kind).toBe(isPossible ? 'not-robust' : 'robust');
  });
});

describeWith('z3', ['--version'], 'asked of z3', () => {
  const solver = useSolver();

  test.each(few)('%s: %s is possible: %s', async (update, wanted, isPossible) => {
    const program = programOf(behind(update, wanted));
    const { verdict } = await check(program, { engine: { name: 'chc', smtSolver: solver } });
    expect(verdict.kind).toBe(isPossible ? 'not-robust' : 'robust');
  });

  /** Returns a program whose copies first raise `m` to 5 and lower `n` to 3. */
  const climbing = (claim: string): string => `program Climbing
var x, y, m, n = 9
thread t[*] { local r, q; q = fetch_max(m, 5); low: q = fetch_min(n, 3); done: x = 1; fence; r = y; }
thread b { local r; r = fetch_max(m, 7); r = fetch_min(n, 2); y = 1; fence; r = x; }
invariant bounds(a: t): ${claim}`;

  test('proofs and their certificates', async () => {
    const text = climbing('(!(a @ low || a @ done) || m >= 5) && (!(a @ done) || n <= 3)');
    const { result, claims } = await proveText(text, { solver, searchInstances: false });
    expect(result.verdict.kind).toBe('proved');
    expect(result.invariants.map(({ verdict }) => verdict)).toEqual(['inductive']);
    const sealed = await sealCertificate('proof', openProgram(text), claims!);
    const report = await verifyCertificate(
      JSON.parse(JSON.stringify(sealed)),
      automataToJson(openProgram(text)),
      { solvers: ['z3'] },
    );
    expect(report).toMatchObject({ kind: 'accepted' });
  });

  test.each([
    '!(a @ low || a @ done) || m == 5',
    '!(a @ low || a @ done) || m <= 5',
    '!(a @ done) || n == 3',
  ])('no proof of what another thread breaks: %s', async (claim) => {
    const { result } = await proveText(climbing(claim), { solver, searchInstances: false });
    expect(result.invariants.map(({ verdict }) => verdict)).not.toEqual(['inductive']);
  });
});

describe('in other formats', () => {
  const program = programOf(`var x, y
    thread a { local r; r = fetch_max(x, 3); y = r; }
    thread b { local q; q = fetch_min(x, 1); q = fetch_max(x, q); }`);

  test('Trencher has two ways for it, with the same ends', async () => {
    const { text = '' } = printTrencher(program);
    expect(text).toContain('check < r 3');
    const back = finiteProgram(parseTrencher(text).model);
    const ends = async (of: typeof program) => {
      const { sc } = await reach(of);
      return new Set(sc.finalStates.map(({ memory }) => JSON.stringify([...memory].sort())));
    };
    expect(await ends(back!)).toEqual(await ends(program));
  });

  test('Memorax has alternatives', () => {
    const { text = '' } = printMemorax(program);
    expect(text).toMatch(/assume: (\S+) < 3; write: x := 3/);
    expect(text).toMatch(/or read: (\S+) := x; assume: \1 >= 3; write: x := \1/);
  });

  test('X86 has no instruction', () => {
    const { text, diagnostics } = printLitmus(program);
    expect(text).toBeUndefined();
    expect(diagnostics.map(({ message }) => message).join()).toContain(
      'there is no instruction for fetch_max',
    );
  });
});
