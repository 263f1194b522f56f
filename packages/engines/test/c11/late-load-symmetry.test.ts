import { Budget } from '@fencewright/ground/base/budget.js';
import type { Program } from '@fencewright/model/program/program.js';
import { describe, expect, test } from 'vitest';
import { isCampaign, randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { compileC11 } from '../../src/c11/c11-steps.js';
import { findCells } from '../../src/c11/cells.js';
import { searchBesideOldLoads } from '../../src/c11/late-beside-old-loads.js';
import { type LoadBufferingFindings, searchPostponedLoad } from '../../src/c11/postponed-load.js';
import { searchMonitor } from '../../src/c11/monitor-search.js';
import { MonitoredProgram } from '../../src/c11/monitor-steps.js';
import { ThreadSymmetry } from '../../src/c11/symmetry.js';
import { loadBufferingGraph } from '../../src/c11/violation-graph.js';
import { programOf } from '../robustness/native-program.js';
import { isRobustWithBuffering } from './buffered-graphs.js';
import { bufferingAcrossRmw } from './buffering-across-rmws.js';
import { casBehindLoad } from './cas-behind-load.js';
import { bufferingBesideOldLoads, bufferingSketch } from './publication-sketch.js';
import { type ProgramSketch, randomSketch, textOf } from './sketch.js';

/**
 * Searches for load buffering twice: with one state for all states that differ by exchanges of
 * threads with equal code, and with all states.
 */
async function both(program: Program) {
  const [reduced, whole] = await Promise.all(
    [false, true].map((isWhole) => {
      const code = compileC11(program);
      return searchPostponedLoad(code, findCells(code), 'c11', new Budget(), { isWhole });
    }),
  );
  return { reduced: reduced!, whole: whole! };
}

function read(sketch: ProgramSketch): Program {
  return programOf(textOf(sketch).replace('program Sketch\n', ''));
}

/** Returns a program with several copies of one thread, at varying positions among the threads. */
function withCopies(seed: number): ProgramSketch {
  const makers = [
    bufferingSketch,
    bufferingAcrossRmw,
    casBehindLoad,
    (one: number) => randomSketch(one, { branches: false, plain: one % 2 === 0 }),
  ];
  const sketch = makers[seed % makers.length]!(seed >> 2);
  const [one, other] = sketch.threads;
  const orders = [
    [one!, other!, other!],
    [other!, one!, other!],
    [one!, one!, other!],
    [other!, one!, one!],
  ];
  return { ...sketch, threads: orders[(seed >> 2) % orders.length]! };
}

describe('load buffering: threads with equal code are interchangeable', () => {
  test('random programs, with and without, and by preserved program order', async () => {
    const counts = { found: 0, none: 0, doubtful: 0, saved: 0, ofCopies: 0, judged: 0 };
    const first = randomSeed(81_000);
    for (let seed = first; seed < first + randomRuns(200, 4000); seed++) {
      const sketch = withCopies(seed);
      const program = read(sketch);
      const { reduced, whole } = await both(program);
      const [found] = reduced.found;
      expect([seed, found !== undefined]).toEqual([seed, whole.found.length > 0]);
      if (found) {
        counts.found += 1;
        const { thread } = found;
        const own = JSON.stringify(sketch.threads[thread]);
        if (sketch.threads.some((one, i) => i !== thread && JSON.stringify(one) === own))
          counts.ofCopies += 1;
        const code = compileC11(program);
        // The definitions judge the execution, in which threads have their own names.
        const { graph, event } = loadBufferingGraph(code, findCells(code), 'c11', found);
        expect(graph.events[event]!.thread).toBe(thread);
        for (const one of graph.events) {
          if (one.thread === undefined) continue;
          const { transition } = code.code.threads[one.thread]!.flat().find(
            ({ id }) => id === one.transition,
          )!;
          expect(['fence', 'load', 'store', 'rmw', 'skip']).toContain(transition.instruction.kind);
        }
      } else {
        const isDoubtful = reduced.doubt !== undefined;
        expect([seed, isDoubtful]).toEqual([seed, whole.doubt !== undefined]);
        counts[isDoubtful ? 'doubtful' : 'none'] += 1;
        if (reduced.states < whole.states) counts.saved += 1;
        // Three threads have at most six orders.
        expect(reduced.states * 6).toBeGreaterThanOrEqual(whole.states);
      }
      if (reduced.doubt && !found) continue;
      // The judge forwards no store to a load.
      if (found?.run.some((one) => one !== 'postponed' && one.isLate)) continue;
      const { stale } = await searchMonitor(
        new MonitoredProgram(compileC11(program), 'c11'),
        new Budget(),
      );
      const wanted = stale ? undefined : isRobustWithBuffering(sketch, 1500);
      if (wanted === undefined) continue;
      counts.judged += 1;
      expect([seed, found === undefined]).toEqual([seed, wanted]);
    }
    if (isCampaign) console.log(counts);
    expect(counts.found).toBeGreaterThan(20);
    expect(counts.ofCopies).toBeGreaterThan(10);
    expect(counts.none).toBeGreaterThan(20);
    expect(counts.saved).toBeGreaterThan(20);
    expect(counts.judged).toBeGreaterThan(20);
  });

  test('beside loads of old values', async () => {
    const counts = { found: 0, none: 0 };
    const first = randomSeed(82_000);
    for (let seed = first; seed < first + randomRuns(60, 1000); seed++) {
      const sketch = bufferingBesideOldLoads(seed);
      const [publisher, half, other] = sketch.threads;
      const copied = seed % 2 === 0 ? [publisher!, other!, other!] : [half!, other!, half!];
      const code = compileC11(read({ ...sketch, threads: copied }), 'asked');
      const [reduced, whole] = await Promise.all(
        [false, true].map((isWhole) =>
          searchBesideOldLoads(code, 'c11', new Budget({ maxStates: 5000 }), { isWhole }),
        ),
      );
      if (!reduced || !whole || reduced.incomplete || whole.incomplete) continue;
      const isFoundBy = ({ found, doubt }: LoadBufferingFindings): boolean =>
        found.length > 0 || doubt !== undefined;
      const isFound = isFoundBy(reduced);
      expect([seed, isFound]).toEqual([seed, isFoundBy(whole)]);
      if (!isFound) {
        expect(reduced.states * 2).toBeGreaterThanOrEqual(whole.states);
        expect(reduced.states).toBeLessThanOrEqual(whole.states);
      }
      counts[isFound ? 'found' : 'none'] += 1;
    }
    if (isCampaign) console.log(counts);
    expect(counts.found).toBeGreaterThan(5);
    expect(counts.none).toBeGreaterThan(5);
  });

  test('all words about a thread move together', () => {
    const code = compileC11(
      programOf('var x, y thread t[2] { local r; r = load(x); store(y, r); r = load(y); }'),
    );
    const { layout } = new MonitoredProgram(code, 'c11', { purpose: 'observation' });
    const state = new Int32Array(layout.length);
    const { observed } = layout;
    for (const thread of [0, 1]) {
      const mark = 2 - thread;
      state[layout.location[thread]!] = mark;
      state[layout.registers[thread]!] = mark;
      state[layout.knows + thread] = mark;
      for (const view of layout.current[thread]!) state[view] = mark;
      const known = observed!.threads[thread]!;
      state.fill(mark, known, known + layout.cells);
    }
    const symmetry = new ThreadSymmetry(code, layout);
    expect(symmetry.sort(state)).toEqual([1, 0]);
    for (const thread of [0, 1]) {
      const mark = thread + 1;
      const words = [layout.location[thread]!, layout.registers[thread]!, layout.knows + thread];
      const sets = Array.from({ length: layout.cells }, (_, i) => observed!.threads[thread]! + i);
      for (const word of [...words, ...layout.current[thread]!, ...sets])
        expect(state[word]).toBe(mark);
    }
    // The rank of a thread counts before the words of the state.
    expect(symmetry.sort(state, (thread) => (thread === 0 ? 1 : 0))).toEqual([1, 0]);
  });

  test('four threads of a ticket lock have less than a tenth of the states', async () => {
    const { reduced, whole } = await both(
      programOf(`var next, serving
        thread worker[4] {
          local mine;
          mine = fetch_add(next, 1, relaxed);
          await(load(serving, acquire) == mine);
          store(serving, mine + 1, release);
        }`),
    );
    expect([reduced.found, whole.found]).toEqual([[], []]);
    expect(reduced.states * 10).toBeLessThan(whole.states);
  });
});
