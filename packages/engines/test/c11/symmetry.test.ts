import { Budget } from '@fencewright/ground/base/budget.js';
import {
  findRaceIn,
  isConsistent,
  isSequentiallyConsistent,
} from '@fencewright/model/c11/consistency.js';
import type { C11Model } from '@fencewright/model/c11/execution-graph.js';
import type { Program } from '@fencewright/model/program/program.js';
import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { compileC11 } from '../../src/c11/c11-steps.js';
import { type MonitorFindings, searchMonitor } from '../../src/c11/monitor-search.js';
import { MonitoredProgram } from '../../src/c11/monitor-steps.js';
import { graphOf, violationGraph } from '../../src/c11/violation-graph.js';
import { programOf } from '../robustness/native-program.js';
import { randomSketch, textOf } from './sketch.js';

/** Compares the search with and without the symmetry of threads. */
async function both(
  program: Program,
  model: C11Model = 'c11',
): Promise<{ reduced: MonitorFindings; whole: MonitorFindings; monitored: MonitoredProgram }> {
  const monitored = new MonitoredProgram(compileC11(program), model);
  const reduced = await searchMonitor(monitored, new Budget({ maxStates: 30_000 }));
  const other = new MonitoredProgram(compileC11(program), model);
  const whole = await searchMonitor(other, new Budget({ maxStates: 30_000 }), { isWhole: true });
  return { reduced, whole, monitored };
}

describe('threads with equal code are interchangeable', () => {
  test.each([false, true])('random programs with copies; plain cells: %s', async (plain) => {
    const counts = { robust: 0, old: 0, racy: 0, saved: 0 };
    const first = randomSeed(60_000);
    for (let seed = first; seed < first + randomRuns(60, 2000); seed++) {
      const sketch = randomSketch(seed, { branches: true, plain });
      const [one, other] = sketch.threads;
      const threads =
        seed % 2 === 0 ? [one!, other!, one!] : [other!, one!, one!, one!].slice(0, 3);
      const program = programOf(textOf({ ...sketch, threads }).replace('program Sketch\n', ''));
      const model = seed % 3 === 0 ? 'ra' : 'c11';
      const { reduced, whole, monitored } = await both(program, model);
      if (reduced.incomplete || whole.incomplete) continue;
      expect([seed, reduced.stale !== undefined]).toEqual([seed, whole.stale !== undefined]);
      if (reduced.stale) {
        counts.old += 1;
        const { run, step } = reduced.stale;
        const { graph } = violationGraph(monitored, model, run, step);
        expect([seed, isConsistent(graph, model), isSequentiallyConsistent(graph)]).toEqual([
          ...[seed, true, false],
        ]);
        continue;
      }
      counts.robust += 1;
      expect([seed, reduced.race !== undefined]).toEqual([seed, whole.race !== undefined]);
      expect([seed, reduced.failure !== undefined]).toEqual([seed, whole.failure !== undefined]);
      if (reduced.states < whole.states) counts.saved += 1;
      expect(reduced.states * 6).toBeGreaterThanOrEqual(whole.states);
      if (!reduced.race) continue;
      counts.racy += 1;
      const { run, step } = reduced.race;
      expect(findRaceIn(graphOf(monitored.cells, [...run, step.event]))).toBeDefined();
    }
    for (const word of ['robust', 'old', 'saved'] as const)
      expect(counts[word], word).toBeGreaterThan(3);
    if (plain) expect(counts.racy).toBeGreaterThan(5);
  });

  const lock = (threads: string): string => `var lock, plain_data, got
    ${threads}`;
  const spin =
    'loop { while (!cas(lock, 0, 1, acquire, relaxed)) { } store(plain_data, 1); store(lock, 0, release); }';

  test('three threads of a spin lock have fewer states than a half', async () => {
    const { reduced, whole } = await both(programOf(lock(`thread t[3] { ${spin} }`)));
    expect(reduced.stale).toBe(undefined);
    expect(whole.stale).toBe(undefined);
    expect(reduced.states * 2).toBeLessThan(whole.states);
  });

  test('what a thread has accessed under a lock moves with the thread', async () => {
    const { reduced, whole } = await both(
      programOf(`var taken
        var plain count
        thread t[3] {
          local r;
          loop {
            while (!cas(taken, 0, 1, acquire, relaxed)) { }
            r = count;
            if (r == 0) { count = 1; } else { count = 0; r = count; }
            store(taken, 0, release);
          }
        }`),
    );
    expect([whole.race, reduced.race]).toEqual([undefined, undefined]);
    expect(reduced.states).toBeLessThan(whole.states);
    // Three threads have six orders.
    expect(reduced.states * 6).toBeGreaterThanOrEqual(whole.states);
  });

  test('threads that know their numbers, or differ in an order, are not interchangeable', async () => {
    const numbered = lock('thread t[2] { local r; store(lock, self, release); r = load(got); }');
    const orders = lock('thread a { store(lock, 1, release); } thread b { store(lock, 1); }');
    for (const text of [numbered, orders]) {
      const { reduced, whole } = await both(programOf(text));
      expect(reduced.states).toBe(whole.states);
    }
  });
});
