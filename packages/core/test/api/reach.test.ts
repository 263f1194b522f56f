import { describe, expect, test } from 'vitest';
import { reach } from '../../src/api/reach.js';
import { replay } from '../../src/api/replay.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { ReachResult } from '@fencewright/model/verdict/reach-result.js';
import { programOf } from '../../../engines/test/robustness/native-program.js';

const storeBuffering = `var x, y
  thread a { local r; x = 1; r = y; }
  thread b { local p; y = 1; p = x; }`;

/** Returns the values of all registers that are not hidden, a text for each final state: `1,0`. */
function finals(program: Program, states: ReachResult['sc']['finalStates']): string[] {
  return states
    .map(({ registers }) =>
      registers
        .flatMap((own, t) => own.filter((_, r) => !program.threads[t]?.registers[r]?.hidden))
        .join(),
    )
    .sort();
}

function verdicts({ properties }: ReachResult['sc']): string[] {
  return properties.map(({ property, verdict }) => `${property} ${verdict}`);
}

describe('final states', () => {
  test('store buffering has one more under TSO', async () => {
    const program = programOf(storeBuffering);
    const { sc, tso, sameFinalStates, diagnostics } = await reach(program);
    expect(finals(program, sc.finalStates)).toEqual(['0,1', '1,0', '1,1']);
    expect(finals(program, tso.finalStates)).toEqual(['0,0', '0,1', '1,0', '1,1']);
    expect(sameFinalStates).toBe('no');
    expect(sc.incomplete ?? tso.incomplete).toBeUndefined();
    expect(diagnostics).toEqual([]);
  });

  test('count by registers and memory, wherever threads end and whether they hold the bus lock', async () => {
    const program = programOf(
      `var x
      thread a regs r init l0 begin
        l0: r <- mem[x]; goto l1;
        l0: r <- mem[x]; goto l2;
      end
      thread b regs r init l0 begin
        l0: mem[x] <- 0; goto l1;
        l0: lock; goto l1;
      end`,
    );
    const { sc, tso, sameFinalStates } = await reach(program);
    expect([sc.finalStates.length, tso.finalStates.length]).toEqual([1, 1]);
    expect(sameFinalStates).toBe('yes');
  });

  test('with equal registers and memory, but other locations, answer properties about locations', async () => {
    const program = programOf(
      `var x
      thread a regs r init l0 begin
        l0: r <- mem[x]; goto l1;
        l0: r <- mem[x]; goto l2;
      end
      thread b { x = 0; }
      property first: finally (a @ l1)
      property second: finally (a @ l2)
      property either: finally (a @ l1 || a @ l2)
      property reached: exists (a @ l2)`,
    );
    const { sc, tso } = await reach(program);
    const expected = ['first violated', 'second violated', 'either holds', 'reached holds'];
    expect([verdicts(sc), verdicts(tso)]).toEqual([expected, expected]);
  });

  test('count by memory alone, too', async () => {
    const { sc, tso } = await reach(programOf(`var x thread a { x = 1; } thread b { x = 2; }`));
    expect([sc.finalStates.length, tso.finalStates.length]).toEqual([2, 2]);
  });

  test('need no thread that is never created', async () => {
    const program = programOf(`var go, x thread a { x = 2; } thread b { await(go != 0); x = 1; }`);
    const [a, b] = program.threads;
    const created = program.symbols.find(({ name }) => name === 'go')!.base;
    const { sc, tso } = await reach({ ...program, threads: [a!, { ...b!, created }] });
    expect([sc.finalStates.length, tso.finalStates.length]).toEqual([1, 1]);
    const waiting = await reach(program);
    expect(waiting.sc.finalStates).toEqual([]);
  });

  test('with fences they are the same', async () => {
    const program = programOf(storeBuffering.replaceAll('1;', '1; fence;'));
    const { sc, tso, sameFinalStates } = await reach(program);
    expect(finals(program, tso.finalStates)).toEqual(finals(program, sc.finalStates));
    expect(sameFinalStates).toBe('yes');
  });

  test('they may be the same though the program is not robust', async () => {
    const program = programOf(storeBuffering.replace('r = y;', 'r = y; r = 0;'));
    expect((await reach(program)).sameFinalStates).toBe('yes');
  });

  test('the number of states: steps that nobody sees are not counted', async () => {
    const program = programOf('thread a { skip; skip; } thread b { skip; skip; }');
    const { sc, tso } = await reach(program);
    expect([sc.states, tso.states]).toEqual([1, 1]);
  });

  test('the number of states: a store that another thread can see, done or not', async () => {
    const program = programOf('var x thread a { x = 1; } thread b { local r; r = x; }');
    const { sc, tso } = await reach(program);
    // States: before the load 2, after it with 0 two, with 1 one; the issue of the store is
    // invisible.
    expect([sc.states, tso.states]).toEqual([5, 5]);
  });

  test('a thread that never ends leaves none', async () => {
    const { sc, sameFinalStates } = await reach(programOf('thread a { loop { skip; } }'));
    expect(sc.finalStates).toEqual([]);
    expect(sameFinalStates).toBe('yes');
  });
});

describe('what is not known', () => {
  test('infinitely many states under SC and TSO', async () => {
    const program = programOf(
      'var x thread a { loop { x = x + 1; } } thread b { local r; r = x; }',
    );
    const { sc, tso, sameFinalStates } = await reach(program, { limits: { maxStates: 500 } });
    expect([sc.incomplete, tso.incomplete]).toEqual(['states', 'states']);
    expect(sameFinalStates).toBe('unknown');
  });

  test('infinitely many states under TSO alone: the buffer grows', async () => {
    const program = programOf('var x thread a { loop { x = 1; } } thread b { local r; r = x; }');
    const { sc, tso, sameFinalStates } = await reach(program, { limits: { maxStates: 500 } });
    expect(sc.incomplete).toBeUndefined();
    expect(tso.incomplete).toBe('states');
    // No thread loads after a store, so the program is robust, which settles the question.
    expect([tso.settledBy, sameFinalStates]).toEqual(['robustness', 'yes']);
  });

  test('a difference counts, though TSO is not complete', async () => {
    const program = programOf(
      `var z ${storeBuffering} thread c { while (*) { z = 0; } } thread d { local s; s = z; }`,
    );
    const { sc, tso, sameFinalStates } = await reach(program, { limits: { maxStates: 20_000 } });
    expect(sc.incomplete).toBeUndefined();
    expect(tso.incomplete).toBe('states');
    expect(sameFinalStates).toBe('no');
  });

  test('beyond a fault', async () => {
    const program = programOf(
      `var x
      thread a {
        local r, q;
        r = x; q = 1 / r;
      }
      thread b { x = 1; }
      property zero: never (a.q == 7)`,
    );
    const { sc, tso, diagnostics, sameFinalStates } = await reach(program);
    expect([sc.incomplete, tso.incomplete]).toEqual(['unsupported', 'unsupported']);
    expect(sameFinalStates).toBe('unknown');
    expect(verdicts(sc)).toEqual(['zero unknown']);
    expect(diagnostics.map(({ code, span }) => [code, span?.start.line])).toEqual([['FW3002', 4]]);
  });

  test('interrupted', async () => {
    const limits = { signal: AbortSignal.abort() };
    const { sc, sameFinalStates } = await reach(programOf(storeBuffering), { limits });
    expect(sc.incomplete).toBe('cancelled');
    expect(sameFinalStates).toBe('unknown');
  });
});

describe('properties', () => {
  const program = programOf(
    `${storeBuffering}
    property some: finally (a.r == 1 || b.p == 1)
    property both: exists (a.r == 0 && b.p == 0)
    property meanwhile: never (x == 1 && y == 1)
    property impossible: never (x == 2)
    property ended: exists (a.r == 1 && b.p == 1)`,
  );

  test('under SC and under TSO', async () => {
    const { sc, tso } = await reach(program);
    const shared = ['meanwhile violated', 'impossible holds', 'ended holds'];
    expect(verdicts(sc)).toEqual(['some holds', 'both violated', ...shared]);
    expect(verdicts(tso)).toEqual(['some violated', 'both holds', ...shared]);
  });

  test('the computations are ones of the program and decide them', async () => {
    const { tso } = await reach(program);
    const end = (name: string) => {
      const found = tso.properties.find(({ property }) => property === name);
      return replay(program, found?.computation ?? []).states.at(-1);
    };
    expect(end('some')?.registers).toEqual([[0], [0]]);
    expect(end('both')?.buffers).toEqual([[], []]);
    expect([...(end('meanwhile')?.memory.values() ?? [])]).toEqual([1, 1]);
    expect(tso.properties.find(({ property }) => property === 'impossible')).toEqual({
      property: 'impossible',
      verdict: 'holds',
    });
  });

  test('what an incomplete exploration found is certain, the rest unknown', async () => {
    const endless = programOf(
      `var x thread a { loop { x = x + 1; } }
      property small: never (x == 3)
      property large: never (x == 1000000)
      property end: finally (x == 0)`,
    );
    const { sc } = await reach(endless, { limits: { maxStates: 200 } });
    expect(verdicts(sc)).toEqual(['small violated', 'large unknown', 'end unknown']);
  });
});

describe('assertions', () => {
  test('that hold, and one that fails under both models', async () => {
    const program = programOf(
      `var x
      thread a { x = 1; x = 2; }
      thread b { local r, q; r = x; q = x; assert(r <= q); assert(r == q); }`,
    );
    const { sc, tso } = await reach(program);
    for (const { failedAssertions } of [sc, tso])
      expect(failedAssertions.map(({ thread, transition }) => [thread, transition])).toEqual([
        [1, 3],
      ]);
  });

  // Dekker's way into the critical section: both threads inside at once.
  const dekker = (fence: string) =>
    programOf(
      `var flag0, flag1, inside
      thread a {
        local r, n;
        flag0 = 1; ${fence} r = flag1; assume(r == 0);
        n = fetch_add(inside, 1); assert(n == 0); fetch_sub(inside, 1);
        flag0 = 0;
      }
      thread b {
        local r, n;
        flag1 = 1; ${fence} r = flag0; assume(r == 0);
        n = fetch_add(inside, 1); assert(n == 0); fetch_sub(inside, 1);
        flag1 = 0;
      }`,
    );

  // The rmws drain the buffers, so both flags are set before any thread counts; but both threads
  // have loaded the flags before.
  test('Dekker without fences fails under TSO, each failure with a computation', async () => {
    const program = dekker('');
    const { sc, tso } = await reach(program);
    expect(sc.failedAssertions).toEqual([]);
    expect(tso.failedAssertions.map(({ thread }) => thread).sort()).toEqual([0, 1]);
    for (const { thread, transition, computation } of tso.failedAssertions) {
      expect(replay(program, computation).states).toHaveLength(computation.length + 1);
      expect(computation.at(-1)).toMatchObject({ thread, transition, kind: 'local' });
    }
  });

  test('Dekker with fences holds', async () => {
    const { sc, tso, sameFinalStates } = await reach(dekker('fence;'));
    expect([...sc.failedAssertions, ...tso.failedAssertions]).toEqual([]);
    expect(sameFinalStates).toBe('yes');
  });
});

describe('bounded buffers', () => {
  // The load of y comes before the store of x only if z is waiting behind x.
  const needsTwo = `var x, y, z
    thread a { local r; x = 1; z = 1; r = y; }
    thread b { local p; y = 1; fence; p = x; }
    property both: exists (a.r == 0 && b.p == 0)`;

  test('what needs two places is not seen with one, and nothing is claimed', async () => {
    const { tso, sameFinalStates } = await reach(programOf(needsTwo), { buffer: 1 });
    expect(tso).toMatchObject({ incomplete: 'buffer', buffer: 1 });
    expect(verdicts(tso)).toEqual(['both unknown']);
    expect(sameFinalStates).toBe('unknown');
  });

  test('it is seen with two, and then the bound made no difference', async () => {
    const bounded = await reach(programOf(needsTwo), { buffer: 2 });
    const exact = await reach(programOf(needsTwo));
    expect(verdicts(bounded.tso)).toEqual(['both holds']);
    expect(bounded.sameFinalStates).toBe('no');
    const { states: _bounded, properties: _runs, ...found } = bounded.tso;
    expect(exact.tso).toMatchObject(found);
  });

  test('a thread that stores for ever has finitely many states, with a verdict only on what was found', async () => {
    const program = programOf(`var x, y
      thread a { local r; while (*) { x = 1; } r = y; }
      thread b { local p; y = 1; p = x; }
      property late: exists (a.r == 0 && b.p == 0)
      property never2: never (x == 2)`);
    const { sc, tso } = await reach(program, { buffer: 3 });
    expect(sc.incomplete).toBeUndefined();
    expect(tso).toMatchObject({ incomplete: 'buffer', buffer: 3 });
    expect(verdicts(tso)).toEqual(['late holds', 'never2 unknown']);
  });
});

test('replay refuses what is not a computation of the program', () => {
  const program = programOf(storeBuffering);
  expect(() =>
    replay(program, [{ thread: 0, kind: 'store', transition: 0, address: 0, value: 1 }]),
  ).toThrow(InternalError);
  expect(replay(program, []).states).toHaveLength(1);
});
