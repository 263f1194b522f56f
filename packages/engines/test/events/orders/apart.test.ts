import { describe, expect, test } from 'vitest';
import { checkOrder } from '../../../src/events/orders/check-order.js';
import { programOf } from '../serial/program-of.js';

async function halves(text: string): Promise<readonly string[]> {
  const program = programOf(text);
  const found = [
    await checkOrder(program, 'determinism'),
    await checkOrder(program, 'serialisability'),
  ];
  return found.map((one) => (one.verdict === 'unknown' ? one.reason.kind : one.verdict));
}

describe('(D) and (S) apart', () => {
  test('a store against DFS order that only a torn read of another event leads to', async () => {
    const text = `
      var x, y, w
      event e() { async[any] p(); async[any] q(); }
      procedure p() { local a, b; a = x; b = y; if (a == 0) { if (b == 1) { w = 1; } } }
      procedure q() { local c; c = w; }
      event f() { x = 1; y = 1; }
      events e(), f()`;
    expect(await halves(text)).toEqual(['not-robust', 'not-robust']);
  });

  test('the same without the other event: no torn read, no store', async () => {
    const text = `
      var x, y, w
      event e() { async[any] p(); async[any] q(); }
      procedure p() { local a, b; a = x; b = y; if (a == 0) { if (b == 1) { w = 1; } } }
      procedure q() { local c; c = w; }
      events e()`;
    expect(await halves(text)).toEqual(['robust', 'robust']);
  });

  test('a torn read of another event that only a task out of DFS order makes', async () => {
    const text = `
      var x, y, w
      event e() { async[any] p(); async[any] q(); }
      procedure p() { w = 1; }
      procedure q() { local a, b, c; a = w; if (a == 0) { b = x; c = y; } }
      event f() { x = 1; y = 1; }
      events e(), f()`;
    expect(await halves(text)).toEqual(['not-robust', 'not-robust']);
  });

  test('tasks of one event in any order, and no other event', async () => {
    const text = `
      var x
      event e() { async[any] p(1); async[any] p(2); }
      procedure p(n) { x = n; }
      events e()`;
    expect(await halves(text)).toEqual(['not-robust', 'robust']);
  });

  test('tasks that only load do not conflict', async () => {
    const text = `
      var x
      event e() { async[any] p(); async[any] p(); }
      procedure p() { local a; a = x; }
      events e()`;
    expect(await halves(text)).toEqual(['robust', 'robust']);
  });

  test('the handler comes first, and two of its tasks in the wrong order', async () => {
    const text = `
      var x
      event e() { x = 1; async[any] p(); async[any] q(); }
      procedure p() { x = 2; }
      procedure q() { x = 3; }
      events e()`;
    expect(await halves(text)).toEqual(['not-robust', 'robust']);
  });

  test('two events that lose an update, each of one task behind another', async () => {
    const text = `
      var x
      event e() { async[any] add(); }
      procedure add() { local a; a = x; x = a + 1; }
      events e() * 2`;
    expect(await halves(text)).toEqual(['robust', 'not-robust']);
  });

  test('any number of instances: two are enough for a violation, and prove nothing', async () => {
    const lost = `
      var x
      event e() { async[any] add(); }
      procedure add() { local a; a = x; x = a + 1; }
      events e() *`;
    expect(await halves(lost)).toEqual(['bounds', 'not-robust']);
  });

  test('a milestone orders events as a conflict does', async () => {
    const text = (after: string): string => `
      var x, y
      event e() { async[any] p(); }
      procedure p() { local a; shown: x = 1; a = y; }
      event f() { y = 1; }
      events e(), f() ${after}`;
    // f is behind e by its cause, and before e by the conflict on y.
    expect(await halves(text('after p.shown'))).toEqual(['robust', 'not-robust']);
  });

  test('an execution that faults has no answer', async () => {
    const text = `
      var x[1], i
      event e() { async[any] p(); async[any] q(); }
      procedure p() { i = 1; }
      procedure q() { local a; a = i; x[a] = 1; }
      events e()`;
    const found = await checkOrder(programOf(text), 'serialisability');
    expect(found).toMatchObject({ verdict: 'unknown', reason: { kind: 'faults' } });
  });
});
