import { automataToJson } from '@fencewright/core';
import { SeededRandom } from '@fencewright/core/testing';
import { expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import type { Automata } from '../../src/automata.js';
import { threadsAlike } from '../../src/same-threads.js';
import { answerByGraphs, type ProgramSketch, randomSketch, textOf } from '../by-definition.js';
import { certified, closedStates, type Cover, judge, programOf } from './certify.js';

/*
 * A certificate lists one state for all states that differ by exchanges of threads with equal code.
 * The forgeries leave out states, in the hope that other listed states stand for the missing
 * states.
 */

interface Whole extends Cover {
  places: { location: number; registers: number[] }[][];
}

const closed = (text: string): Whole => closedStates(programOf(text), 'c11') as Whole;

/** Returns the location of a thread in a state; `undefined` if the thread waits for ever. */
function locationIn({ places }: Whole, state: readonly number[], thread: number) {
  return places[thread]![state[thread]! - 1]?.location;
}

/**
 * Returns the certificate without the states in which the thread is at a location for which `isOne`
 * holds.
 */
function without(whole: Whole, thread: number, isOne: (location: number) => boolean): Whole {
  const states = whole.states.filter((state) => !isOne(locationIn(whole, state, thread) ?? -1));
  return { ...whole, states };
}

/** Removes a watched cell from the cells whose old stores the certificate follows. */
function unwatched(whole: Whole, cell: number): Whole {
  const draft = structuredClone(whole);
  const [at, before] = [draft.watched.indexOf(cell), draft.watched.length];
  draft.watched.splice(at, 1);
  draft.classes.splice(at, 1);
  for (const view of draft.views) for (const place of [before + at, at]) view.splice(place, 1);
  const squeeze = (set: number): number =>
    (set & ((1 << at) - 1)) | ((set >> 1) & ~((1 << at) - 1));
  for (const row of draft.threadRows) row[0] = squeeze(row[0]!);
  for (const row of draft.cellRows) [row[0], row[1]] = [squeeze(row[0]!), squeeze(row[1]!)];
  for (const state of draft.states) state.splice(state.length - before + at, 1);
  return draft;
}

/** Returns one state of each set of states that differ by exchanges of the first threads. */
function reduced(whole: Whole, equal: number): Whole {
  const seen = new Set<string>();
  const threads = whole.places.length;
  const rows = (state: readonly number[]): number => state.length - whole.watched.length - threads;
  const states = whole.states.filter((state) => {
    const parts = whole.places.map((places, t) =>
      JSON.stringify([places[state[t]! - 1], state[rows(state) + t]]),
    );
    const rest = [state.slice(threads, rows(state)), state.slice(-whole.watched.length)];
    const key = JSON.stringify([parts.slice(0, equal).sort(), parts.slice(equal), rest]);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
  return { ...whole, states };
}

test('threads are alike if their instructions are equal, and they know no number', () => {
  const groups = (threads: string): readonly (readonly number[])[] =>
    threadsAlike(
      JSON.parse(
        JSON.stringify(automataToJson(programOf(`program P var x, y[3] ${threads}`), 'kept')),
      ) as Automata,
    );
  const of = (name: string, code: string): string => `thread ${name} { local s; ${code} }\n`;
  const load = 's = load(x, acquire);';
  expect(groups(of('a', load) + of('b', load) + of('c', 's = load(x);'))).toEqual([
    [0, 1],
    [0, 1],
    [2],
  ]);
  expect(groups(of('a', load) + of('b', `${load} fence;`))).toEqual([[0], [1]]);
  expect(groups(of('p[3]', load))).toEqual([
    [0, 1, 2],
    [0, 1, 2],
    [0, 1, 2],
  ]);
  expect(groups(of('p[2]', 's = load(y[self]);'))).toEqual([[0], [1]]);
});

test('a cell that only one of several equal threads accesses in the states is watched', async () => {
  const text = `program P var x, y
    thread p[2] { local s; while (!cas(x, 1, 0, relaxed)) { } s = load(y); store(y, 1); store(x, 2); }
    thread c { store(x, 1); await (load(x) == 2); store(x, 1); }`;
  const whole = closed(text);
  const places = new Set(whole.places[1]!.map(({ location }) => location));
  const start = locationIn(whole, whole.states[0]!, 1)!;
  const end = programOf(text).threads[1]!.transitions.reduce(
    (last, { to }) => Math.max(last, to),
    0,
  );
  const forged = without(unwatched(whole, 1), 1, (at) => at !== start && at !== end);
  expect(places.size).toBeGreaterThan(2);
  expect((await judge(programOf(text), forged)).kind).toBe('rejected');
});

test('states of random programs with equal threads', async () => {
  const counts = { robust: 0, smaller: 0, not: 0, forged: 0 };
  const runs = randomRuns(150, 10_000, 75);
  const first = randomSeed(47_000);
  for (let seed = first; seed < first + runs; seed++) {
    const model = seed % 3 === 0 ? 'ra' : 'c11';
    const { cells, threads } = randomSketch(seed, { branches: true, plain: false });
    const sketch: ProgramSketch = {
      cells,
      threads: [threads[0]!, threads[0]!, ...threads.slice(1, seed % 4 === 0 ? 1 : 2)],
    };
    const wanted = answerByGraphs(sketch, model, 3000);
    if (!wanted) continue;
    const program = programOf(textOf(sketch));
    const whole = closedStates(program, model) as Whole;
    const small = reduced(whole, 2);
    const [ofAll, ofSome] = [await judge(program, whole), await judge(program, small)];
    expect([seed, ofSome.kind]).toEqual([seed, ofAll.kind]);
    if (!wanted.isRobust) expect([seed, ofSome.kind]).toEqual([seed, 'rejected']);
    if (wanted.isRobust) {
      counts.robust += 1;
      const honest = await certified(program, model);
      if (typeof honest === 'string') continue;
      expect([seed, (await judge(program, honest)).kind]).not.toEqual([seed, 'rejected']);
      expect(honest.states.length).toBeLessThanOrEqual(whole.states.length);
      if (honest.states.length < whole.states.length) counts.smaller += 1;
      continue;
    }
    counts.not += 1;
    const random = new SeededRandom(seed);
    for (let round = 0; round < 4; round++) {
      const states = small.states.filter(() => random.below(small.states.length) > round);
      const { kind } = await judge(program, { ...small, states });
      expect([seed, kind]).toEqual([seed, 'rejected']);
      counts.forged += 1;
    }
  }
  expect(counts.robust).toBeGreaterThan(runs / 20);
  expect(counts.smaller).toBeGreaterThan(runs / 40);
  expect(counts.not).toBeGreaterThan(runs / 20);
});
