import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { reach } from '../../src/api/reach.js';
import { isSettledByRobustness } from '../../src/api/settle-under-tso.js';
import { check } from '../../src/api/check.js';
import { replayStates } from '@fencewright/model/semantics/replay.js';
import { programOf } from '../../../engines/test/robustness/native-program.js';
import { bruteForce } from './brute-force.js';
import { randomAnswersText } from './random-answers.js';

const runs = randomRuns(60, 6000);
const seed = randomSeed(20260313);
const most = 20_000;

const outcome = ({ verdict, settledBy }: { verdict: string; settledBy?: string }) =>
  settledBy ? `${verdict} by ${settledBy}` : verdict;

/** A robust program in which the store buffer of the second thread grows for ever. */
const growing = `var x, y, z
  thread a { x = 1; }
  thread b { y = 1; }
  thread c { loop { z = 1; } }`;

describe('a robust program whose buffers grow', () => {
  test('has the final states, the assertions and the memory of SC', async () => {
    const program = programOf(`${growing}
      property memory: never (x == 2)
      property places: never (ended(a) && ended(c))
      property mixed: never (ended(a) && x == 0)
      property buffered: never (ended(a) && !drained(a))
      property nobody: exists (x == 1)
      property waits: stuck (true)`);
    const { sc, tso, sameFinalStates, robustness } = await reach(program, {
      limits: { maxStates: 3_000 },
    });
    expect([sc.incomplete, tso.incomplete, tso.settledBy]).toEqual([
      undefined,
      'states',
      'robustness',
    ]);
    expect([sameFinalStates, robustness]).toEqual(['yes', 'robust']);
    expect(tso.properties.map(outcome)).toEqual([
      'holds by robustness',
      'holds by robustness',
      'violated',
      'violated',
      'violated by robustness',
      'violated by robustness',
    ]);
  });

  test('what is asked of memory and places at once stays open where the search does not get there', async () => {
    // Only under TSO `a` ends while x is 0. Ten states do not suffice to find this state.
    const program = programOf(`${growing} property mixed: never (ended(a) && x == 0)`);
    const { tso } = await reach(program, { limits: { maxStates: 45 } });
    expect(tso.properties[0]?.verdict).not.toBe('holds');
  });
});

test('two robust threads: their end comes before their stores, under TSO only', async () => {
  const program = programOf(`var x, y thread a { x = 1; } thread b { y = 1; }
    property buffered: never (ended(a) && x == 0)
    property drained: never (ended(a) && drained(a) && x == 0)`);
  expect((await check(program)).verdict.kind).toBe('robust');
  const { sc, tso } = await reach(program);
  expect(sc.properties.map(outcome)).toEqual(['holds', 'holds']);
  expect(tso.properties.map(outcome)).toEqual(['violated', 'holds']);
});

test('a lock block in which a thread waits for ever: SC is stuck, TSO lets the other issue its store', async () => {
  const program = programOf(`var x, y
    thread a { local r; lock; r = x; assume(r == 1); unlock; }
    thread b { y = 1; }
    property other: stuck (!ended(b))`);
  const { sc, tso } = await reach(program);
  expect([sc, tso].map(({ properties }) => properties[0]?.verdict)).toEqual(['holds', 'violated']);
  expect(isSettledByRobustness(program, program.properties[0]!)).toBe(false);
});

test('a store that waits for the lock of another: places tell TSO from SC though memory does not', async () => {
  // Under SC the store follows the block that has loaded 0, or precedes the block, which then loads
  // 1.
  const program = programOf(`var x
    thread a { x = 1; after: ; }
    thread b { local r; lock; r = x; inside: r = r; unlock; }
    property both: never (a @ after && b @ inside && b.r == 0)`);
  expect((await check(program)).verdict.kind).toBe('robust');
  const { sc, tso } = await reach(program);
  expect([sc, tso].map(({ properties }) => properties[0]?.verdict)).toEqual(['holds', 'violated']);
  expect(isSettledByRobustness(program, program.properties[0]!)).toBe(false);
});

describe('a robust program of which TSO says something else than SC', () => {
  // All explorations are complete, so verdicts settled by robustness can be compared.
  test.each([
    ['a store of who has ended', 'x = 1;', 'ended(a) && x == 0'],
    ['the same, memory first', 'x = 1;', 'x == 0 && ended(a)'],
    ['a store of who stands at a label', 'x = 1; l: skip;', 'a @ l && x == 0'],
    ['the same, memory first', 'x = 1; l: skip;', 'x == 0 && a @ l'],
    ['a store of who knows that it is done', 'x = 1; r = 1;', 'a.r == 1 && x == 0'],
    ['the same, memory first', 'x = 1; r = 1;', 'x == 0 && a.r == 1'],
    ['a buffer', 'x = 1;', '!drained(a)'],
    ['a buffer and memory', 'x = 1; fence; x = 2;', 'x == 1 && !drained(a)'],
    [
      'a buffer of one thread, while that of the other is empty',
      'x = 1;',
      'drained(b) && !drained(a)',
    ],
  ])('%s', async (_, code, condition) => {
    const program = programOf(`var x, y thread a { local r; ${code} } thread b { y = 1; }
      property p: never (${condition})`);
    expect((await check(program)).verdict.kind).toBe('robust');
    const { sc, tso } = await reach(program);
    expect([sc, tso].map(({ properties }) => outcome(properties[0]!))).toEqual([
      'holds',
      'violated',
    ]);
    expect(isSettledByRobustness(program, program.properties[0]!)).toBe(false);
  });
});

describe('stuck', () => {
  test('is nobody who has a step left that faults, and nobody who has ended', async () => {
    const program = programOf(`var x thread a { local r; r = x; r = 1 / r; }
      property waits: stuck (true)`);
    const { sc, tso } = await reach(program);
    for (const { properties } of [sc, tso]) expect(properties[0]?.verdict).not.toBe('holds');
    const ended = await reach(programOf('var x thread a { x = 1; } property p: stuck (true)'));
    for (const { properties } of [ended.sc, ended.tso])
      expect(properties[0]?.verdict).toBe('violated');
  });

  test('is not taken over from SC where TSO lets a store into its buffer', async () => {
    const stores = Array.from({ length: 24 }, (_, i) => `z = ${i};`).join(' ');
    const program = programOf(`var x, y, z
      thread a { local r; lock; r = x; assume(r == 1); unlock; }
      thread b { y = 1; }
      thread c { ${stores} }
      property other: stuck (!ended(b))`);
    const { sc, tso } = await reach(program, { limits: { maxStates: 300 } });
    expect([sc.incomplete, tso.incomplete]).toEqual([undefined, 'states']);
    expect(sc.properties[0]?.verdict).toBe('holds');
    // The search goes backwards. `b` always ends, so no thread waits for ever before that.
    expect(tso.properties[0]).toMatchObject({ verdict: 'violated', settledBy: 'load-buffers' });
  });
});

test('nothing follows from robustness where SC is not known to its end', async () => {
  const program = programOf('var x thread a { local r; loop { r = r + 1; x = r; } }');
  const { sc, tso, robustness } = await reach(program, { limits: { maxStates: 300 } });
  expect([sc.incomplete, tso.incomplete]).toEqual(['states', 'states']);
  expect([robustness, tso.settledBy]).toEqual([undefined, undefined]);
});

describe('what SC finds, TSO has', () => {
  test('where its own exploration is cut short', async () => {
    const program = programOf(`var x, y
      thread a { local r; x = 1; x = 2; x = 3; r = 0; assert(r); y = 1; }
      thread b { loop { x = 5; } }
      property reached: never (y == 1)`);
    const { sc, tso } = await reach(program, { limits: { maxStates: 80 } });
    expect(sc.properties[0]?.verdict).toBe('violated');
    expect(tso.incomplete).toBe('states');
    expect(tso.properties[0]?.verdict).toBe('violated');
    expect(tso.failedAssertions).toHaveLength(1);
  });
});

describe('a finally', () => {
  test('that holds because nothing ends says so', async () => {
    const program = programOf(`var x thread a { loop { x = 1; fence; } }
      property p: finally (x == 7)`);
    const { sc, tso } = await reach(program);
    for (const { properties } of [sc, tso])
      expect(properties[0]).toEqual({ property: 'p', verdict: 'holds', isVacuous: true });
  });

  test('that holds of some final state does not', async () => {
    const program = programOf('var x thread a { x = 1; } property p: finally (x == 1)');
    const { sc } = await reach(program);
    expect(sc.properties[0]).toEqual({ property: 'p', verdict: 'holds' });
  });
});

test('a search for attacks that was cut short shows nothing', async () => {
  // The program is not robust, but a search for attacks has to explore all orders of the loads
  // first.
  const loads = 'r = z;'.repeat(12);
  const program = programOf(`var x, y, z
    thread a { local r; ${loads} x = 1; r = y; r = 0; }
    thread b { local r; ${loads} y = 1; r = x; r = 0; }
    thread c { z = 1; }`);
  const whole = await reach(program);
  expect(whole.robustness).toBe('not-robust');
  // SC gets three quarters of the states, and TSO the same share of the rest.
  const maxStates = Math.ceil(1.35 * whole.sc.states);
  const { sc, tso, robustness } = await reach(program, { limits: { maxStates } });
  expect([sc.incomplete, tso.incomplete]).toEqual([undefined, 'states']);
  expect(robustness).toBe('unknown');
  expect(tso.settledBy).not.toBe('robustness');
});

test('not robust, though final states agree', async () => {
  const program = programOf(`var x, y
    thread a { local r; x = 1; r = y; r = 0; }
    thread b { local r; y = 1; r = x; r = 0; }`);
  const { sameFinalStates, robustness } = await reach(program);
  expect([sameFinalStates, robustness]).toEqual(['yes', 'not-robust']);
});

test('random programs: what robustness settles is what TSO says; all else is as brute force finds it', async () => {
  const seen = {
    robust: 0,
    notRobust: 0,
    settled: 0,
    mixed: 0,
    locks: 0,
    stuck: 0,
    failed: 0,
    agree: 0,
    open: 0,
  };
  for (let i = 0; i < runs; i++) {
    const text = randomAnswersText(seed + i, i % 2 === 0 ? 'pending' : 'waiting');
    const name = `seed ${seed + i}:\n${text}`;
    const program = programOf(text);
    const sc = bruteForce('SC', program, most);
    const tso = sc && bruteForce('TSO', program, most);
    if (!sc || !tso) continue;
    const whole = await reach(program);
    for (const [exact, model] of [
      [sc, whole.sc],
      [tso, whole.tso],
    ] as const) {
      const verdicts = program.properties.map(({ kind }, p) =>
        exact.decided[p] === (kind === 'exists' || kind === 'stuck') ? 'holds' : 'violated',
      );
      expect(
        model.properties.map(({ verdict }) => verdict),
        name,
      ).toEqual(verdicts);
      const failed = model.failedAssertions.map((one) => `${one.thread}.${one.transition}`);
      expect(failed.sort(), name).toEqual([...exact.failedAssertions].sort());
      for (const { computation } of [...model.properties, ...model.failedAssertions])
        if (computation) expect(replayStates(program, computation), name).toBeDefined();
    }
    // With few states, the answers must be right as well.
    const cut = await reach(program, { limits: { maxStates: 60 } });
    for (const [part, all] of [
      [cut.sc, whole.sc],
      [cut.tso, whole.tso],
    ] as const)
      part.properties.forEach(({ verdict }, p) => {
        if (verdict === 'unknown') seen.open++;
        else expect(verdict, `p${p}, few states, ${name}`).toBe(all.properties[p]?.verdict);
      });
    if (cut.tso.settledBy) {
      const keys = ({ finalStates }: typeof cut.tso) =>
        JSON.stringify(finalStates.map(({ registers, memory }) => [registers, [...memory]]));
      expect(keys(cut.tso), name).toBe(keys(whole.tso));
    }
    if (sc.faults.size + tso.faults.size > 0) continue;
    const { verdict } = await check(program);
    if (verdict.kind !== 'robust') {
      seen.notRobust++;
      if (whole.sameFinalStates === 'yes') {
        expect(whole.robustness, name).toBe('not-robust');
        seen.agree++;
      }
      continue;
    }
    seen.robust++;
    if (text.includes('atomic')) seen.locks++;
    if (tso.decided.at(-1) === true) seen.stuck++;
    expect([...tso.finals].sort(), name).toEqual([...sc.finals].sort());
    expect([...tso.failedAssertions].sort(), name).toEqual([...sc.failedAssertions].sort());
    if (tso.failedAssertions.size > 0) seen.failed++;
    program.properties.forEach((property, p) => {
      if (isSettledByRobustness(program, property)) {
        seen.settled++;
        expect(tso.decided[p], `p${p}, ${name}`).toBe(sc.decided[p]);
      } else if (tso.decided[p] !== sc.decided[p]) seen.mixed++;
    });
  }
  console.info(JSON.stringify(seen));
  for (const [what, count] of Object.entries(seen))
    expect(count, what).toBeGreaterThan(what === 'agree' ? 0 : runs / 60);
});

test('who waits for ever is known where other methods settled the rest, and buffers do not grow', async () => {
  // Six threads of a store and a load, without loops and waits: each thread always ends.
  const cells = ['a', 'b', 'c', 'd', 'e', 'f'];
  const threads = cells.map(
    (cell, i) => `thread t${i} { local r; ${cell} = 1; r = ${cells[(i + 1) % 6]!}; }`,
  );
  const program = programOf(`var ${cells.join(', ')}\n${threads.join('\n')}`);
  const { tso, hangs, answer } = await reach(program);
  expect([tso.incomplete, tso.settledBy]).toEqual(['states', 'load-buffers']);
  expect(hangs).toMatchObject({ kind: 'found', hangs: [], underSc: [] });
  expect(answer).toMatchObject({ kind: 'differs' });
  expect(answer).not.toHaveProperty('openHangs');
});
