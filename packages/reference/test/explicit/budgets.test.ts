import { describe, expect, test } from 'vitest';
import { Budget, type Limits } from '@fencewright/ground/base/budget.js';
import { createExplicitEngine } from '../../src/explicit/explicit-engine.js';
import { exploreMachine } from '@fencewright/model/semantics/explore-machine.js';
import { programOf } from '../../../engines/test/robustness/native-program.js';
import { cpuTimer } from '../../src/testing/cpu-timer.js';

/** A program with infinitely many states, and without a fault for a long time. */
const endless = programOf('var x thread a { loop { x = x + 1; } } thread b { local r; r = x; }');

const explorations = {
  'the explicit engine': (budget: Budget) =>
    createExplicitEngine().explore({ program: endless, goals: [] }, budget),
  'the machine under SC': (budget: Budget) =>
    exploreMachine('SC', endless, budget, {
      onState: () => undefined,
      onFailedAssertion: () => undefined,
    }),
  'the machine under TSO': (budget: Budget) =>
    exploreMachine('TSO', endless, budget, {
      onState: () => undefined,
      onFailedAssertion: () => undefined,
    }),
};

describe.each(Object.entries(explorations))('%s', (_name, explore) => {
  test('stops at the limit on states', async () => {
    const budget = new Budget({ maxStates: 1000 });
    const { incomplete, states } = await explore(budget);
    expect(incomplete).toBe('states');
    expect(states).toBeGreaterThanOrEqual(1000);
    expect(states).toBeLessThan(1050);
    expect(budget.finishedStates).toBe(states);
  });

  test('stops at the limit on memory', async () => {
    const { incomplete, states } = await explore(new Budget({ maxMemory: 4e6 }));
    expect(incomplete).toBe('memory');
    expect(states).toBeGreaterThan(100);
  });

  test('stops at the time limit', async () => {
    const took = cpuTimer();
    const { incomplete } = await explore(new Budget({ timeout: 30 }));
    expect(incomplete).toBe('time');
    expect(took()).toBeLessThan(3000);
  });

  test('stops when it is told to, and reports progress until then', async () => {
    const abort = new AbortController();
    const reports: number[] = [];
    const limits: Limits = {
      signal: abort.signal,
      onProgress: ({ states }) => {
        reports.push(states);
        if (reports.length === 2) abort.abort();
      },
    };
    const { incomplete, states } = await explore(new Budget(limits));
    expect(incomplete).toBe('cancelled');
    expect(reports.length).toBeGreaterThan(0);
    expect(reports).toEqual([...reports].sort((a, b) => a - b));
    expect(reports.at(-1)).toBeLessThanOrEqual(states);
  });

  test('does not begin when it was told before', async () => {
    const { incomplete, states } = await explore(new Budget({ signal: AbortSignal.abort() }));
    expect(incomplete).toBe('cancelled');
    expect(states).toBe(1);
  });
});

test('a slice ends one query, not the run', async () => {
  const budget = new Budget();
  const engine = createExplicitEngine();
  const sliced = await engine.explore({ program: endless, goals: [], slice: 100 }, budget);
  expect(sliced.incomplete).toBe('slice');
  expect(sliced.states).toBeLessThan(110);
});

test('searches of one run share the limit on states', async () => {
  const budget = new Budget({ maxStates: 150 });
  const engine = createExplicitEngine();
  await engine.explore({ program: endless, goals: [], slice: 100 }, budget);
  const second = await engine.explore({ program: endless, goals: [] }, budget);
  expect(second.incomplete).toBe('states');
  expect(second.states).toBeLessThan(60);
});
