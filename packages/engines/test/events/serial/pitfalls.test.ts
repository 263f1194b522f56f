import { describe, expect, test } from 'vitest';
import { Budget } from '@fencewright/ground/base/budget.js';
import { judgeRun } from '@fencewright/model/events/judge-run.js';
import { replayEventRun } from '@fencewright/model/events/replay-event-run.js';
import { checkEvents } from '../../../../core/src/api/check-events.js';
import { checkConcurrency, checkSerialisable } from '../../../src/events/serial/check-serial.js';
import type { SerialVerdict } from '../../../src/events/serial/serial-verdict.js';
import { programOf } from './program-of.js';

function words(verdict: SerialVerdict): string {
  return verdict.verdict === 'unknown' ? `unknown: ${verdict.reason.kind}` : verdict.verdict;
}

async function concurrency(text: string, depth?: number): Promise<string> {
  const program = programOf(text);
  const verdict = await checkConcurrency(program, { ...(depth !== undefined && { depth }) });
  if (verdict.verdict === 'not-robust') {
    expect(judgeRun(program, verdict.witness).serialisation.kind).not.toBe('serialisable');
    expect(replayEventRun(program, verdict.witness, 'multi-sc').kind).toBe('possible');
  }
  return words(verdict);
}

async function serialisable(text: string, postingFenced = false): Promise<string> {
  const program = programOf(text);
  const verdict = await checkSerialisable(program, { postingFenced });
  if (verdict.verdict === 'not-robust') {
    const { witness } = verdict;
    expect(judgeRun(program, witness).serialisation.kind).not.toBe('serialisable');
    expect(replayEventRun(program, witness, 'multi-tso', { postingFenced }).kind).toBe('possible');
  }
  return words(verdict);
}

describe('robust against concurrency', () => {
  test('main takes waiting tasks in any order', async () => {
    const text = `
      var progress
      event go() { async[any] work(); }
      procedure work() { async[main] report(1); async[main] report(2); }
      procedure report(n) { progress = n; }
      events go()`;
    expect(await concurrency(text)).toBe('not-robust');
  });

  test('a task of main is not interrupted by other tasks of main', async () => {
    const text = `
      var x, y, z, a, b
      event first() { async[any] pair(); }
      procedure pair() { x = 1; y = 1; }
      event blink() { z = 1; z = 0; }
      event look() { if (z == 1) { a = x; b = y; } }
      events first(), blink(), look()`;
    expect(await concurrency(text)).toBe('robust');
    expect(await serialisable(text)).toBe('robust');
  });

  test('who ran on main before the delaying task has not seen what came behind its begin', async () => {
    const text = `
      var x, y, a
      event both() { x = 1; y = 1; }
      event look() { a = x; a = y; }
      events both(), look()`;
    expect(await concurrency(text)).toBe('robust');
  });

  test('what an event did before it was joined counts, if another of its tasks did it', async () => {
    const text = `
      var x, y, a, b
      event first() { async[any] pair(); }
      procedure pair() { x = 1; y = 1; }
      event look() { b = y; async[any] later(); }
      procedure later() { a = x; }
      events first(), look()`;
    expect(await concurrency(text)).toBe('not-robust');
  });

  test('what an event did before it was joined leads on to others', async () => {
    const text = `
      var x, w, z
      event e() { async[any] p(); }
      procedure p() { x = 1; w = 1; }
      event j() { local a; z = 1; a = x; }
      event l() { local b; b = z; b = w; }
      events e(), j(), l()`;
    expect(await concurrency(text)).toBe('not-robust');
    // The stored value makes no difference: only the conflict counts.
    expect(await concurrency(text.replace('z = 1;', 'z = 0;'))).toBe('not-robust');
    expect(await concurrency(text.replace('z = 1;', ''))).toBe('robust');
  });

  test('an event may need what an earlier one has done', async () => {
    const text = `
      var ready, x
      event prepare() { ready = 1; }
      event e() { local r; r = ready; if (r == 1) { async[any] p(); async[any] p(); } }
      procedure p() { local c; c = x; x = c + 1; }
      events prepare(), e()`;
    expect(await concurrency(text)).toBe('not-robust');
    expect(await concurrency(text.replace('prepare(), ', ''))).toBe('robust');
  });

  test('a cas that fails is a load', async () => {
    const text = `
      var x, y
      event e() { async[any] p(); }
      procedure p() { local w; w = cas(x, 5, 1); w = cas(y, 5, 1); }
      event f() { async[any] q(); }
      procedure q() { local w; w = cas(y, 5, 1); w = cas(x, 5, 1); }
      events e(), f()`;
    expect(await concurrency(text)).toBe('robust');
  });

  test('a block is one access', async () => {
    const text = (open: string, close: string): string => `
      var x, y
      event e() { async[any] p(); }
      procedure p() { ${open} x = 1; y = 1; ${close} }
      event f() { async[any] q(); }
      procedure q() { local a; ${open} a = y; a = x; ${close} }
      events e(), f()`;
    expect(await concurrency(text('', ''))).toBe('not-robust');
    expect(await concurrency(text('atomic {', '}'))).toBe('robust');
  });

  test('a task that runs for ever counts as stopped, and what it has posted runs', async () => {
    const text = `
      var x, a
      event e() { async[any] p(); }
      procedure p() { async[any] q(); async[any] q(); while (1) { } }
      procedure q() { x = 1; a = x; }
      events e()`;
    expect(await concurrency(text)).toBe('not-robust');
  });

  test('main may be stuck for ever: what has run until then counts', async () => {
    const text = `
      var x, y, a, stop
      event e() { async[any] p(); async[any] q(); while (stop == 0) { a = stop; } }
      procedure p() { x = 1; }
      procedure q() { x = 2; }
      events e()`;
    expect(await concurrency(text)).toBe('not-robust');
  });

  test('counting takes long and ends; counting for ever has no answer', async () => {
    const text = (bound: string): string => `
      var x
      event e() { local i; while (${bound}) { i = i + 1; } x = i; }
      events e()`;
    expect(await concurrency(text('i < 5000'))).toBe('robust');
    expect(await concurrency(text('i >= 0'))).toBe('unknown: unbounded-data');
  });

  test('the tasks that a stopped task has posted run', async () => {
    const text = `
      var x, a
      event e() { async[any] k(); }
      procedure k() { async[any] c(); x = 1; }
      procedure c() { a = x; }
      events e()`;
    expect(await concurrency(text)).toBe('not-robust');
  });

  test('an event once and the event twice are different programs, apart or together', async () => {
    const text = `
      var x, y, a, b
      event e() { x = 1; async[any] p(); }
      procedure p() { y = 1; b = x; }
      events `;
    expect(await concurrency(`${text}e()`)).toBe('robust');
    expect(await concurrency(`${text}e() * 2`)).toBe('not-robust');
    expect(await concurrency(`${text}e(), e()`)).toBe('not-robust');
    expect(await concurrency(`${text}e() *`)).toBe('not-robust');
  });

  test('equal instances that have begun are told apart', async () => {
    const text = `
      var n
      event click() { async[any] count(); }
      procedure count() { local c; c = n; n = c + 1; }
      events click() * 2`;
    expect(await concurrency(text)).toBe('not-robust');
    expect(await concurrency(text.replace('* 2', ''))).toBe('robust');
  });

  test('a search that was cut has no answer', async () => {
    const text = `
      var x
      event e() { async[any] p(4); }
      procedure p(n) { if (n > 0) { call p(n - 1); x = 0; } else { call r(); x = 0; } }
      procedure r() { async[any] q(1); async[any] q(2); x = 0; }
      procedure q(n) { x = n; }
      events e()`;
    expect(await concurrency(text)).toBe('not-robust');
    expect(await concurrency(text, 3)).toBe('unknown: depth');
    const program = programOf(text);
    const stopped = await checkConcurrency(program, { budget: new Budget({ maxStates: 2 }) });
    expect(words(stopped)).toBe('unknown: budget');
  });

  test('an endless chain of postings is a finite search; one that grows is not', async () => {
    const text = (does: string): string => `
      var ticks
      event start() { async[main] poll(); ticks = 1; }
      procedure poll() { ${does} }
      events start()`;
    const tail = 'ticks = 1; async[main] poll();';
    expect(await concurrency(text(tail))).toBe('robust');
    expect(await serialisable(text(tail))).toBe('robust');
    const two = 'async[main] poll(); async[main] poll();';
    expect(await concurrency(text(two))).toBe('unknown: depth');
  });
});

describe('serialisable under TSO', () => {
  test('is only asked of programs that are robust against concurrency', async () => {
    const text = `
      var x, y
      event e() { atomic { x = 1; y = 1; } }
      event f() { async[any] q(); }
      procedure q() { local a; a = x; a = y; }
      events e(), f()`;
    expect(await serialisable(text)).toBe('robust');
    const { criteria } = await checkEvents(programOf(text));
    expect(criteria.concurrency.kind).toBe('not-robust');
    expect(criteria.tsoSerial).toBe(criteria.concurrency);
  });

  test('what an event did before it was joined counts', async () => {
    const text = `
      var x, y, a, b
      event e() { async[any] k(); }
      procedure k() { x = 1; a = y; }
      event j() { b = x; b = xchg(y, 1); }
      events e(), j()`;
    expect(await serialisable(text)).toBe('not-robust');
  });

  test('a load that the own buffer answered is no access', async () => {
    const text = `
      var x
      event e() { async[any] k(); }
      procedure k() { local a; x = 1; a = x; }
      event j() { x = 2; }
      events e(), j()`;
    expect(await serialisable(text)).toBe('robust');
  });

  test('a pending store joins nobody', async () => {
    const text = `
      var x
      event e() { async[any] k(); }
      procedure k() { x = 1; }
      event j() { local a; a = x; }
      events e(), j()`;
    expect(await serialisable(text)).toBe('robust');
  });

  test('loads of the delaying task join, those before its first pending store too', async () => {
    const text = (k: string): string => `
      var x, y
      event e() { async[any] k(); }
      procedure k() { local a; ${k} }
      event j() { local b; y = 1; fence; b = x; }
      events e(), j()`;
    expect(await serialisable(text('a = y; x = 1;'))).toBe('not-robust');
    expect(await serialisable(text('x = 1; a = y;'))).toBe('not-robust');
    expect(await serialisable(text('x = 1; fence; a = y;'))).toBe('robust');
  });

  test('a task behind that stores to a pending cell is joined', async () => {
    const text = `
      var w, x, a
      event e() { w = 1; x = 1; }
      event j() { x = 2; async[any] q(); }
      procedure q() { a = w; }
      events e(), j()`;
    expect(await serialisable(text)).toBe('not-robust');
  });

  test('a posting waits for no store, unless it is fenced', async () => {
    const text = `
      var x
      event e() { x = 1; async[any] p(); }
      procedure p() { local a; a = x; }
      events e()`;
    expect(await serialisable(text)).toBe('not-robust');
    expect(await serialisable(text, true)).toBe('robust');
  });

  test('no load is needed: a posting and a store are enough', async () => {
    const text = `
      var w
      event e() { w = 1; async[any] p(); }
      procedure p() { async[any] q(); }
      procedure q() { w = 2; }
      events e()`;
    expect(await serialisable(text)).toBe('not-robust');
  });

  test('a silent loop behind a store holds nobody up', async () => {
    const text = `
      var x
      event e() { async[any] p(); }
      procedure p() { x = 1; async[any] q(); while (1) { } }
      procedure q() { local a; a = x; }
      events e()`;
    expect(await serialisable(text)).toBe('not-robust');
  });

  test('a loop of fences ends nowhere, and no search in it', async () => {
    const text = `
      var x
      event e() { async[any] p(); }
      procedure p() { x = 1; while (1) { fence; } }
      events e()`;
    expect(await serialisable(text)).toBe('robust');
  });

  test('main serves handlers behind the one that delays, with one buffer', async () => {
    const text = `
      var x, y
      event e() { x = 1; y = 1; }
      event j() { local s; s = y; if (s == 1) { async[any] q(); } }
      procedure q() { local a; a = x; }
      events e(), j()`;
    expect(await concurrency(text)).toBe('robust');
    expect(await serialisable(text)).toBe('not-robust');
    expect(await serialisable(text.replace('s = y;', 'fence; s = y;'))).toBe('robust');
  });
});
