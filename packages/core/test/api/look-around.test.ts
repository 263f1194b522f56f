import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { whyFaultFree } from '@fencewright/model/analysis/possible-faults.js';
import { check } from '../../src/api/check.js';
import type { Program } from '@fencewright/model/program/program.js';
import { programOf } from '../../../engines/test/robustness/native-program.js';
import { bruteForce } from './brute-force.js';
import { randomAnswersText } from './random-answers.js';

const runs = randomRuns(90, 6000, 45);
const seed = randomSeed(20260312);
const most = 20_000;

describe('faults', () => {
  test('are looked for where no attack needs a search', async () => {
    const { verdict, faults, diagnostics } = await check(
      programOf('var x thread a { local r; r = x; r = 1 / r; } thread b { x = 1; }'),
    );
    expect([verdict.kind, faults?.kind]).toEqual(['error', 'found']);
    expect(diagnostics.map(({ code }) => code)).toEqual(['FW3002']);
  });

  test('beyond 32 bits leave the verdict open', async () => {
    const { verdict, faults } = await check(
      programOf('var x thread a { local r; r = x; r = r + 2147483647; } thread b { x = 1; }'),
    );
    expect([verdict.kind, faults?.kind]).toEqual(['unknown', 'found']);
  });

  test.each([
    ['no instruction has an operation that can', 'x = 1; r = y; r = r == 1;', 'instructions'],
    ['a quotient by a constant but -1 and 0', 'r = x; r = r / 2;', 'instructions'],
    ['the values that memory may hold rule it out', 'r = x; r = r + 1;', 'closure'],
    ['only the order of accesses rules it out', 'x = 1; r = x; r = 1 / r;', 'search'],
  ])('there are none: %s', async (_, code, shownBy) => {
    const { verdict, faults } = await check(programOf(`var x, y thread a { local r; ${code} }`));
    expect([verdict.kind, faults]).toEqual(['robust', { kind: 'none', shownBy }]);
  });

  test('a search that does not end is no search', async () => {
    const program = programOf('var x thread a { loop { x = x + 1; fence; } }');
    const { verdict, faults, vacuity } = await check(program, { limits: { maxStates: 500 } });
    expect(verdict.kind).toBe('robust');
    expect(faults).toEqual({ kind: 'not-looked-for' });
    expect(vacuity).toEqual({ kind: 'not-looked-for' });
  });

  test('nor is one that ends with the budget', async () => {
    // A second thread loads x, so that each value of x is a separate state.
    const program = programOf(
      'var x thread a { loop { x = x + 1; fence; } } thread b { local r; r = x; }',
    );
    const { verdict, faults, vacuity } = await check(program, { limits: { maxStates: 500 } });
    expect(verdict.kind).toBe('robust');
    expect(faults).toEqual({ kind: 'not-looked-for' });
    expect(vacuity).toEqual({ kind: 'not-looked-for' });
  });

  test('behind a computation that was cut off were not looked for', async () => {
    // The fault comes after more local steps than a closure follows.
    const program = programOf(
      'var x thread a { local r; while (r < 10000) { r = r + 1; } r = 1 / (r - 10000); x = 1; }',
    );
    const { verdict, faults, vacuity } = await check(program);
    expect(verdict.kind).toBe('robust');
    expect([faults?.kind, vacuity?.kind]).toEqual(['not-looked-for', 'not-looked-for']);
  });

  test('of an assertion count', async () => {
    const { verdict } = await check(programOf('var x thread a { assert(1 / x); }'));
    expect(verdict.kind).toBe('error');
  });

  test.each(['instrument', 'single-query'] as const)(
    'are found beside the engine %s',
    async (engine) => {
      const program = programOf('var x thread a { local r; r = x; r = 1 / r; }');
      const { verdict } = await check(program, { engine });
      expect(verdict.kind).toBe('error');
    },
  );
});

const nobodySets = `var go, x, y
  thread a { local r; while (go == 0) { }  x = 1; r = y; }
  thread b { local r; while (go == 0) { }  y = 1; r = x; }`;

describe('what never runs', () => {
  test('behind a flag that nobody sets: both threads, from their first store on', async () => {
    const { verdict, vacuity, diagnostics } = await check(programOf(nobodySets));
    expect(verdict.kind).toBe('robust');
    expect(vacuity).toMatchObject({ kind: 'looked-for', neverEnd: [0, 1] });
    expect(diagnostics.map(({ code, span }) => [code, span?.start.line])).toEqual([
      ['FW2009', 2],
      ['FW2010', 2],
      ['FW2009', 3],
      ['FW2010', 3],
    ]);
  });

  test('nothing where somebody sets it', async () => {
    const { vacuity, diagnostics } = await check(
      programOf(`${nobodySets.replaceAll('; r =', '; fence; r =')} thread c { go = 1; }`),
    );
    expect(vacuity).toEqual({ kind: 'looked-for', neverRun: [], neverEnd: [] });
    expect(diagnostics).toEqual([]);
  });

  test('a copy that does not run it is no matter where another does', async () => {
    const { vacuity } = await check(programOf('var x thread a[2] { if (self == 1) { x = 1; } }'));
    expect(vacuity).toEqual({ kind: 'looked-for', neverRun: [], neverEnd: [] });
  });

  test('nor of one that faults: nobody gets behind that', async () => {
    const { verdict, vacuity } = await check(
      programOf('var x, y thread a { local r; r = x; r = 1 / r; y = 1; } thread b { x = 0; }'),
    );
    expect(verdict.kind).toBe('error');
    expect(vacuity).toEqual({ kind: 'not-looked-for' });
  });

  test('is one branch, and its thread ends all the same; so does one without instructions', async () => {
    const program = programOf(`var x, y
      thread a { if (x == 0) { y = 1; } else { y = 2; } }
      thread e { }`);
    const { vacuity } = await check(program);
    const dead = program.threads[0]!.transitions.findIndex(
      ({ instruction }) =>
        instruction.kind === 'store' &&
        instruction.value.kind === 'constant' &&
        instruction.value.value === 2,
    );
    const neverRun = [{ thread: 0, transition: dead }];
    expect(vacuity).toEqual({ kind: 'looked-for', neverRun, neverEnd: [] });
  });

  test('of a program that is not robust nothing is said', async () => {
    const { verdict, vacuity } = await check(
      programOf('var x, y thread a { local r; x = 1; r = y; } thread b { local r; y = 1; r = x; }'),
    );
    expect(verdict.kind).toBe('not-robust');
    expect(vacuity).toEqual({ kind: 'not-looked-for' });
  });
});

/** Whether some path through the code of the thread leads to a location without transitions. */
function hasEnd({ threads }: Program, t: number): boolean {
  const { initial, transitions } = threads[t]!;
  const reached = new Set([initial]);
  for (const at of reached)
    for (const { from, to } of transitions) if (from === at) reached.add(to);
  return [...reached].some((at) => !transitions.some(({ from }) => from === at));
}

test('random programs: faults, what runs and who ends are as brute force finds them', async () => {
  const seen = {
    faulty: 0,
    faultyWithoutSearch: 0,
    free: 0,
    byClosure: 0,
    bySearch: 0,
    dead: 0,
    endless: 0,
    notRobust: 0,
  };
  for (let i = 0; i < runs; i++) {
    const text = randomAnswersText(seed + i, i % 3 === 2 ? 'waiting' : 'faults');
    const program = programOf(text);
    const sc = bruteForce('SC', program, most);
    if (!sc) continue;
    const { verdict, faults, vacuity, attacks } = await check(program);
    const shown = whyFaultFree(program);
    const name = `seed ${seed + i}:\n${text}`;
    if (verdict.kind === 'not-robust') {
      seen.notRobust++;
      continue;
    }
    expect(faults?.kind, name).toBe(sc.faults.size > 0 ? 'found' : 'none');
    const tso = bruteForce('TSO', program, most);
    if (shown) expect([sc.faults.size, tso?.faults.size ?? 0], name).toEqual([0, 0]);
    // In programs without cycles, a fault under TSO is a fault under SC.
    if (tso)
      expect(
        [...tso.faults].filter((one) => !sc.faults.has(one)),
        name,
      ).toEqual([]);
    if (sc.faults.size > 0) {
      seen.faulty++;
      if (attacks.every((attack) => attack.verdict === 'by-cfg')) seen.faultyWithoutSearch++;
      expect(['error', 'unknown'], name).toContain(verdict.kind);
      continue;
    }
    seen.free++;
    if (faults?.kind === 'none' && faults.shownBy === 'closure') seen.byClosure++;
    if (faults?.kind === 'none' && faults.shownBy === 'search') seen.bySearch++;
    expect([verdict.kind, vacuity?.kind], name).toEqual(['robust', 'looked-for']);
    if (vacuity?.kind !== 'looked-for') continue;
    const dead = program.threads.flatMap(({ transitions }, thread) =>
      transitions.flatMap(({ instruction: { kind } }, transition) =>
        ['store', 'load', 'rmw'].includes(kind) && !sc.ran.has(`${thread}.${transition}`)
          ? [{ thread, transition }]
          : [],
      ),
    );
    expect(vacuity.neverRun, name).toEqual(dead);
    const waiting = program.threads.flatMap((_, thread) =>
      hasEnd(program, thread) && !sc.ended.has(thread) ? [thread] : [],
    );
    expect(vacuity.neverEnd, name).toEqual(waiting);
    if (tso) {
      for (const { thread, transition } of vacuity.neverRun)
        expect(tso.ran.has(`${thread}.${transition}`), name).toBe(false);
      for (const thread of vacuity.neverEnd) expect(tso.ended.has(thread), name).toBe(false);
    }
    if (dead.length > 0) seen.dead++;
    if (vacuity.neverEnd.length > 0) seen.endless++;
  }
  console.info(JSON.stringify(seen));
  const { notRobust, ...exercised } = seen;
  // Programs that are not robust are skipped.
  expect(notRobust).toBeLessThan(runs / 10);
  for (const [what, count] of Object.entries(exercised))
    expect(count, what).toBeGreaterThan(runs / 60);
});
