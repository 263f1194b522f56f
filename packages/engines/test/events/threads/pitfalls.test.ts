import { describe, expect, test } from 'vitest';
import { Budget } from '@fencewright/ground/base/budget.js';
import {
  checkEventTso,
  type EventTsoOptions,
  type EventTsoVerdict,
} from '../../../src/events/threads/check-event-tso.js';
import { eventText } from './event-text.js';

async function check(
  text: string,
  options: Partial<EventTsoOptions> = {},
): Promise<EventTsoVerdict> {
  const result = await checkEventTso(eventText(text), { budget: new Budget(), ...options });
  return result.verdict;
}

async function kindOf(text: string, options: Partial<EventTsoOptions> = {}): Promise<string> {
  return (await check(text, options)).kind;
}

describe('a posting', () => {
  test('comes before the begin of its task ([BEMR18] Fig. 2)', async () => {
    const text = `
      event e() { local r; x = 1; r = y; async[any] p(); }
      procedure p() { local r; y = 1; r = x; }
      events e()`;
    expect(await kindOf(text)).toBe('not-robust');
  });

  test('does not empty the buffer, unless it is fenced', async () => {
    const text = `
      event e() { x = 1; async[any] p(); }
      procedure p() { local r; r = x; }
      events e()`;
    expect(await kindOf(text)).toBe('not-robust');
    expect(await kindOf(text, { postingFenced: true })).toBe('robust');
  });

  test('can end an attack without any load', async () => {
    const verdict = await check(`
      event e() { w = 1; async[any] p(); }
      procedure p() { fence; async[any] q(); }
      procedure q() { fence; w = 2; }
      events e()`);
    if (verdict.kind !== 'not-robust') throw new Error(verdict.kind);
    const { run, judgement, end } = verdict.witness;
    expect(end.kind).toBe('posting');
    expect(run.actions.some(({ kind }) => kind === 'load')).toBe(false);
    const relations = judgement.happensBeforeCycle?.map(({ relation }) => relation);
    expect(relations).toContain('post');
  });

  test('by the attacker before its last load does not put the task on the path', async () => {
    // The accesses of p are after its posting only, which is before the store.
    const text = (first: string, second: string) => `
      event e() { local r; ${first} ${second} r = y; }
      procedure p() { local r; r = x; }
      events e()`;
    expect(await kindOf(text('async[any] p();', 'x = 1;'))).toBe('robust');
    expect(await kindOf(text('x = 1;', 'async[any] p();'))).toBe('not-robust');
  });

  test('by the attacker lets its task run while the store waits', async () => {
    // The last load is after a load of the value that h stored.
    const text = (value: number) => `
      event e() {
        local r;
        async[any] k(); x = 1; async[any] h(); r = y; assume(r == 1); r = z;
      }
      procedure h() { y = ${value}; }
      procedure k() { local r; z = 1; fence; r = x; }
      events e()`;
    expect(await kindOf(text(1))).toBe('not-robust');
    expect(await kindOf(text(2))).toBe('robust');
  });

  test('is no look at memory: to find nothing to do is no access', async () => {
    // If main's search for p were a memory access before h posts p, main's store could wait past
    // this access.
    const text = `
      event e() { async[any] h(); x = 1; }
      procedure h() { local r; async[main] p(); r = x; }
      procedure p() { local r; r = z; }
      events e()`;
    expect(await kindOf(text)).toBe('robust');
  });

  test('hands values over', async () => {
    const text = (expected: number) => `
      event e() { local r; r = a; async[any] p(r + 1); }
      procedure p(v) { local r; assume(v == ${expected}); x = 1; r = y; }
      event f() { local r; y = 1; r = x; }
      events e(), f()`;
    expect(await kindOf(text(1))).toBe('not-robust');
    expect(await kindOf(text(2))).toBe('robust');
  });

  test('is only by its task, never twice', async () => {
    // One instance of p cannot be both attacker and helper.
    const text = (count: number) => `
      event e() { async[any] p(); }
      procedure p() { local r; choose { x = 1; r = y; } or { y = 1; r = x; } }
      events e() * ${count}`;
    expect(await kindOf(text(1))).toBe('robust');
    expect(await kindOf(text(2))).toBe('not-robust');
  });
});

describe('the main thread', () => {
  test('has one buffer, across its tasks', async () => {
    const text = (between: string) => `
      event save() { x = 1; ${between} }
      event look() { local r; r = y; }
      event leave() { async[any] flush(); }
      procedure flush() { local r; y = 1; fence; r = x; }
      events save(), look(), leave()`;
    expect(await kindOf(text(''))).toBe('not-robust');
    // The store is followed by an instruction that drains the buffer, but leave may post flush
    // without a store before.
    expect(await kindOf(text('fence;'))).toBe('robust');
  });

  test('takes what waits in any order', async () => {
    // Only if q begins before p does the store wait past the load.
    const text = `
      event e() { async[any] h(); async[main] p(); async[main] q(); }
      procedure p() { local r; r = y; r = xchg(z, 1); }
      procedure q() { x = 1; }
      procedure h() { local r; y = 1; fence; r = x; }
      events e()`;
    expect(await kindOf(text)).toBe('not-robust');
  });

  test('is occupied while a task of it is blocked', async () => {
    const text = (wanted: number) => `
      event e() { async[any] h(); async[main] q(); }
      procedure q() { local r; r = w; assume(r == ${wanted}); async[main] t(); }
      procedure t() { local s; x = 1; s = y; }
      procedure h() { local r; y = 1; fence; r = x; }
      events e()`;
    expect(await kindOf(text(0))).toBe('not-robust');
    expect(await kindOf(text(1))).toBe('robust');
  });

  test('gives each task registers of its own, 0 at first', async () => {
    const text = `
      event e() { local r; r = 1; async[any] h(); async[main] q(); }
      procedure q() { local s; assume(s == 0); x = 1; s = y; }
      procedure h() { local r; y = 1; fence; r = x; }
      events e()`;
    expect(await kindOf(text)).toBe('not-robust');
  });

  test('is not alone if what it calls posts to other threads', async () => {
    const text = (how: string) => `
      event e() { ${how} c(); }
      procedure c() { x = 1; async[any] p(); }
      procedure p() { local r; r = x; }
      events e()`;
    expect(await kindOf(text('call'))).toBe('not-robust');
    expect(await kindOf(text('async[main]'))).toBe('not-robust');
  });

  test('alone is robust, for any number of instances', async () => {
    const verdict = await check(`
      event e() { local r; x = 1; r = y; async[main] p(); }
      procedure p() { async[main] p(); }
      events e() *`);
    expect(verdict).toMatchObject({ kind: 'robust', shownBy: 'one-thread' });
  });
});

describe('a task on a thread of its own', () => {
  test('sleeps until it is posted', async () => {
    const text = (value: number) => `
      event e() { local r; r = go; assume(r == ${value}); async[any] p(); }
      procedure p() { local r; x = 1; r = y; }
      event f() { async[any] h(); }
      procedure h() { local r; y = 1; r = x; }
      events f(), e()`;
    expect(await kindOf(text(0))).toBe('not-robust');
    expect(await kindOf(text(1))).toBe('robust');
  });
});

describe('a bound', () => {
  // There is an instruction that could overtake a store, so the texts alone decide nothing.
  const recursive = (between: string) => `
    event e() { async[any] p(); }
    procedure p() { local r; x = 1; r = z; ${between} choose { async[any] p(); } or { skip; } }
    events e()`;

  test('that is hit is told', async () => {
    expect(await check(recursive('fence;'), { bounds: { depth: 3 } })).toMatchObject({
      kind: 'unknown',
      why: { kind: 'bounds', hit: [{ kind: 'depth', most: 3 }] },
    });
  });

  test('does not hide a violation', async () => {
    expect(await kindOf(recursive(''), { bounds: { depth: 3 } })).toBe('not-robust');
  });

  test('that no run gets to does not count', async () => {
    const text = (counts: number) => `
      event e() { async[any] p(0); }
      procedure p(n) { local r; r = xchg(x, 1); y = 1; r = z; fence; if (n < ${counts}) { async[any] p(n + 1); } }
      events e()`;
    expect(await kindOf(text(2), { bounds: { depth: 3 } })).toBe('robust');
    expect(await kindOf(text(3), { bounds: { depth: 3 } })).toBe('unknown');
  });

  test('is put on postings in loops', async () => {
    const text = (rounds: number) => `
      event e() { local i; while (i < ${rounds}) { async[any] p(); i = i + 1; } }
      procedure p() { local r; y = 1; r = x; }
      events e()`;
    expect(await kindOf(text(3))).toBe('robust');
    expect(await check(text(4))).toMatchObject({
      why: { hit: [{ kind: 'postings', most: 3 }] },
    });
  });

  test('is put on calls', async () => {
    const verdict = await check(`
      event e() { call p(); async[any] q(); }
      procedure p() { choose { call p(); } or { skip; } }
      procedure q() { local r; y = 1; r = x; }
      events e()`);
    expect(verdict).toMatchObject({ why: { hit: [{ kind: 'depth', most: 8 }] } });
  });

  test('is put on tasks', async () => {
    const verdict = await check(recursive('fence;'), { bounds: { tasks: 2 } });
    expect(verdict).toMatchObject({ why: { hit: [{ kind: 'tasks', most: 2 }] } });
  });

  test('is put on what there is any number of', async () => {
    const verdict = await check(`
      event e() { async[any] p(); }
      procedure p() { local r; x = 1; r = y; }
      events e() *`);
    expect(verdict).toMatchObject({
      kind: 'unknown',
      why: { kind: 'bounds', hit: [{ kind: 'instances', most: 2 }] },
    });
  });
});

describe('no answer', () => {
  const text = `
    event e() { local r; async[any] p(); r = 1 / x; }
    procedure p() { skip; }
    events e()`;

  test('where an execution faults', async () => {
    const why = { kind: 'faults', faults: [{ site: { body: 0 } }] };
    expect(await check(text.replace('1 / x', '1 / r'))).toMatchObject({ kind: 'unknown', why });
  });

  test('where the budget ends', async () => {
    const many = `
      event e() { local r; async[any] p(); x = 1; r = y; }
      procedure p() { local r; y = 1; r = x; }
      events e()`;
    const budget = new Budget({ maxStates: 1 });
    expect(await check(many, { budget })).toMatchObject({
      kind: 'unknown',
      why: { kind: 'search', reason: 'states' },
    });
  });
});

describe('a call', () => {
  test('is a part of its task, with registers of its own', async () => {
    const text = (given: number) => `
      event e() { local r; async[any] h(); r = a; call p(${given}); call q(); }
      procedure p(v) { assume(v == 1); x = v; }
      procedure q() { local r; r = y; }
      procedure h() { local r; y = 1; fence; r = x; }
      events e()`;
    expect(await kindOf(text(1))).toBe('not-robust');
    expect(await kindOf(text(0))).toBe('robust');
  });
});
