import { describe, expect, test } from 'vitest';
import { Budget, type Limits, metered } from '../../src/base/budget.js';
import { InternalError, unreachable } from '../../src/base/unreachable.js';
import { cpuTimer } from '@fencewright/reference/testing/cpu-timer.js';

describe('budgets', () => {
  test('without limits nothing is exceeded', async () => {
    const budget = new Budget();
    expect(budget.exceededBy(1e12, 1e15)).toBeUndefined();
    expect(await budget.checkpoint(1e12, 1e15)).toBeUndefined();
  });

  test('as many states as allowed may be stored, then no more; memory may reach its limit', () => {
    const budget = new Budget({ maxStates: 10, maxMemory: 1000 });
    expect(budget.exceededBy(9, 1000)).toBeUndefined();
    expect(budget.exceededBy(10, 0)).toBe('states');
    expect(budget.exceededBy(0, 1001)).toBe('memory');
    expect(budget.room(4)).toBe(6);
    expect(budget.room(12)).toBe(0);
    expect(new Budget().room(12)).toBe(Number.POSITIVE_INFINITY);
  });

  test('tables that grow by leaps may pass the limit on memory by a tenth', () => {
    const budget = new Budget({ maxMemory: 1000 });
    expect(budget.exceededBy(0, 900, 200)).toBeUndefined();
    expect(budget.exceededBy(0, 900, 201)).toBe('memory');
  });

  test('states of finished searches count, their memory does not', () => {
    const budget = new Budget({ maxStates: 10, maxMemory: 1000 });
    budget.finishSearch(6);
    budget.finishSearch(2);
    expect(budget.finishedStates).toBe(8);
    expect(budget.room(1)).toBe(1);
    expect(budget.exceededBy(1, 1000)).toBeUndefined();
    expect(budget.exceededBy(2, 1000)).toBe('states');
  });

  test('work is counted once, in all budgets of the same limits', async () => {
    const limits: Limits = metered<Limits>({ effort: 1000 });
    const whole = new Budget(limits);
    const part = whole.part(1e9);
    expect(part.exceededBy(400, 0)).toBeUndefined();
    part.finishSearch(500);
    whole.finishPart(part);
    expect(limits.meter?.left).toBe(1000 - 1 - 500);
    const other = new Budget(whole.share(1));
    other.spend(498);
    expect(whole.isOver).toBe(false);
    expect(await other.checkpoint(0, 0)).toBe('work');
    expect([whole.isOver, whole.spentBy(0), whole.exceededBy(0, 0)]).toEqual([
      true,
      'work',
      'work',
    ]);
    expect(new Budget({ effort: 1000 }).isOver).toBe(false);
  });

  test('the most memory is remembered, of whichever search', async () => {
    const budget = new Budget();
    budget.exceededBy(1, 300);
    await budget.checkpoint(1, 500);
    budget.exceededBy(1, 200);
    expect(budget.mostBytes).toBe(500);
    budget.finishSearch(1, 700);
    budget.exceededBy(0, 0);
    expect(budget.mostBytes).toBe(700);
  });

  test('a signal comes first, then the clock, then the tables', async () => {
    const signal = AbortSignal.abort();
    const everything = { maxStates: 1, timeout: -1 };
    expect(await new Budget({ ...everything, signal }).checkpoint(5, 5)).toBe('cancelled');
    expect(await new Budget(everything).checkpoint(5, 5)).toBe('time');
    expect(await new Budget({ maxStates: 1 }).checkpoint(5, 5)).toBe('states');
  });

  test('a check of the time does not look at states and memory', async () => {
    expect(await new Budget({ maxStates: 1, maxMemory: 1 }).checkTime(5, 5)).toBeUndefined();
    expect(await new Budget({ maxStates: 1, timeout: -1 }).checkTime(5, 5)).toBe('time');
    const signal = AbortSignal.abort();
    expect(await new Budget({ timeout: -1, signal }).checkTime(5, 5)).toBe('cancelled');
  });

  test('the event loop gets a turn now and then, so that a signal can arrive', async () => {
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 1);
    const budget = new Budget({ signal: abort.signal });
    let answer: Awaited<ReturnType<Budget['checkpoint']>>;
    const took = cpuTimer();
    do answer = await budget.checkpoint(1, 1);
    while (!answer && took() < 2000);
    expect(answer).toBe('cancelled');
    expect(budget.milliseconds).toBeGreaterThan(0);
  });
});

test('an unexpected case is a fault of ours', () => {
  expect(() => unreachable({ kind: 'surprise' } as never)).toThrow(InternalError);
  expect(() => unreachable({ kind: 'surprise' } as never)).toThrow(/surprise/);
});

test('a fifth of the states and of the work may be used while most of them are left', () => {
  const states = new Budget({ maxStates: 100 });
  states.finishSearch(20);
  expect(states.isMostlyLeft).toBe(true);
  states.finishSearch(1);
  expect(states.isMostlyLeft).toBe(false);
  const work = new Budget({ effort: 100 });
  work.spend(20);
  expect(work.isMostlyLeft).toBe(true);
  work.spend(1);
  expect(work.isMostlyLeft).toBe(false);
  expect(new Budget({ timeout: 0 }).isMostlyLeft).toBe(false);
  expect(new Budget().isMostlyLeft).toBe(true);
});
