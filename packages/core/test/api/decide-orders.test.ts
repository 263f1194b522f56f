import { parseText } from '@fencewright/languages/read/parse-text.js';
import { describe, expect, test } from 'vitest';
import { randomSketch, textOf } from '../../../engines/test/c11/sketch.js';
import { decide } from '../../src/api/decide.js';
import type { OrdersQuestion } from '../../src/api/question.js';
import type { Refusal, ResultOf } from '../../src/api/result.js';

async function ask(
  source: string,
  asked: Partial<OrdersQuestion> = {},
): Promise<ResultOf<'orders'>['orders'] | Refusal> {
  const { model, diagnostics } = await parseText('native', source);
  expect(diagnostics).toEqual([]);
  const text = { format: 'native', source } as const;
  const question = { kind: 'orders', model: 'c11', change: 'raise', text, ...asked } as const;
  const answer = await decide(model!, question);
  if (answer.kind === 'refused') return answer.refusal;
  if (answer.kind !== 'orders') throw new Error(answer.kind);
  return answer.orders;
}

async function written(source: string, asked: Partial<OrdersQuestion> = {}): Promise<string> {
  const orders = await ask(source, asked);
  if (!('result' in orders)) throw new Error(orders.kind);
  if (orders.text === undefined) throw new Error(JSON.stringify(orders.refusal ?? 'no text'));
  return orders.text;
}

describe('memory orders are written into the text', () => {
  test('into calls, and around accesses without orders', async () => {
    const text = `program Assignments
var data[2], ready
thread sender {
  data[1] = 1; // first
  ready = data[0] + 1;
}
thread receiver {
  local r;
  await(ready == 1);
  r = data[ready];
}`;
    expect(await written(text)).toBe(`program Assignments
var data[2], ready
thread sender {
  data[1] = 1; // first
  store(ready, data[0] + 1, release);
}
thread receiver {
  local r;
  await(load(ready, acquire) == 1);
  r = data[ready];
}`);
  });

  test('into a thread in the automaton form', async () => {
    const text = `program Automaton
var x, y
thread a
  regs r
  init l0
begin
  l0: x <- 1; goto l1;
  l1: store(y, 1, relaxed); goto l2;
end
thread b {
  local r;
  await(load(y, relaxed) == 1);
  r = load(x, relaxed);
}`;
    expect(await written(text)).toContain('l1: store(y, 1, release); goto l2;');
  });

  test('fences in front of a loop that only waits, not inside', async () => {
    const text = `program Waits
var x, y
thread a {
  store(x, 1, relaxed);
  while (load(y, relaxed) != 0) { }
}
thread b {
  local r;
  store(y, 1, relaxed);
  r = load(x, relaxed);
}`;
    const changed = await written(text, { target: 'x86', costs: dearAccesses });
    expect(changed).toContain('  fence;\n  while (load(y, relaxed) != 0) { }');
    expect(changed).toContain('  fence;\n  r = load(x, relaxed);');
  });

  test('fences in front of await', async () => {
    const text = `program Awaits
var x, y
thread a {
  store(x, 1, relaxed);
  await(load(y, relaxed) == 0);
}
thread b {
  store(y, 1, relaxed);
  await(load(x, relaxed) == 0);
}`;
    const changed = await written(text, { target: 'power', costs: dearAccesses });
    expect(changed.match(/fence;\n {2}await/g)).toHaveLength(2);
  });

  test('fences that are not needed are removed', async () => {
    const text = `program Fences
var x, y
thread a {
  store(x, 1, relaxed);
  fence(release);
  fence;
  store(y, 1, relaxed);
}
thread b {
  local r;
  await(load(y, acquire) == 1);
  fence(acquire);
  r = load(x, relaxed);
}`;
    expect(await written(text, { change: 'lower' })).toBe(`program Fences
var x, y
thread a {
  store(x, 1, relaxed);
  fence(release);
  store(y, 1, relaxed);
}
thread b {
  local r;
  await(load(y, acquire) == 1);
  r = load(x, relaxed);
}`);
  });

  test('the orders of a cas that succeeds and that fails', async () => {
    const text = `program Cas
var lock, count
thread worker[2] {
  while (!cas(lock, 0, 1)) { }
  count = count + 1;
  store(lock, 0, release);
}`;
    expect(await written(text, { change: 'lower' })).toContain('cas(lock, 0, 1, acquire, relaxed)');
  });
});

/** Costs with expensive exchanges of stores and cheap fences. */
const dearAccesses = { kind: 'text', text: '{"xchg:default": 9, "default": 1}' } as const;

test('a changed text has nothing more to change', async () => {
  let changed = 0;
  for (let seed = 0; seed < 40; seed++) {
    const source = textOf(randomSketch(seed, { branches: true, plain: false }));
    const target = (['armv8', 'power', 'riscv', 'x86'] as const)[seed % 4]!;
    for (const change of ['raise', 'lower'] as const) {
      const orders = await ask(source, { target, change });
      if (!('result' in orders)) throw new Error(orders.kind);
      if (orders.result.verdict.kind !== 'found') continue;
      expect([seed, orders.refusal]).toEqual([seed, undefined]);
      if (orders.text !== source) changed += 1;
      const again = await ask(orders.text!, { target, change });
      expect([seed, 'result' in again && again.result.verdict]).toMatchObject([
        seed,
        { kind: 'found', changes: [] },
      ]);
    }
  }
  expect(changed).toBeGreaterThan(15);
});

describe('refusals', () => {
  test('a text that was read without orders', async () => {
    const text = { format: 'litmus', source: '' } as const;
    const source = 'program P\nvar x\nthread t { x = 1; }';
    expect(await ask(source, { text })).toEqual({ kind: 'no-orders', isRepair: true });
  });

  test('a cost of an unknown label', async () => {
    const costs = { kind: 'text', text: '{"nowhere": 1}' } as const;
    const refusal = await ask('program P\nvar x\nthread t { x = 1; }', { costs });
    expect(refusal).toMatchObject({ kind: 'costs', diagnostics: [{ severity: 'error' }] });
  });
});
