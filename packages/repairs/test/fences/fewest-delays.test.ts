import { expect, test } from 'vitest';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import type { Program } from '@fencewright/model/program/program.js';
import { type Repair, singleRepairs } from '@fencewright/model/program/repair.js';
import { flush, initialState, successors } from '@fencewright/model/semantics/machine.js';
import { replayStates } from '@fencewright/model/semantics/replay.js';
import { compileProgram } from '@fencewright/model/semantics/thread-code.js';
import { buildTrace } from '@fencewright/model/trace/trace.js';
import type { Action } from '@fencewright/model/trace/computation.js';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { sizeCosts } from '../../src/fences/cost-models.js';
import { withFewestDelays } from '../../src/fences/fewest-delays.js';
import { withLateIssues } from '../../src/fences/lift-violation.js';
import { insertionProblem } from '../../src/fences/repair-problem.js';

const runs = randomRuns(300, 5000, 150);
const seed = randomSeed(20261128);

function programOf(text: string): Program {
  const program = finiteProgram(parseNative(text).model);
  if (!program) throw new Error(text);
  return program;
}

function pick<T>(random: SeededRandom, all: readonly T[]): T {
  return all[random.below(all.length)]!;
}

/**
 * Returns random threads over three cells: stores, loads, exchanges, fences, lock blocks and
 * branches.
 */
function randomText(random: SeededRandom): string {
  const cell = (): string => pick(random, ['x', 'y', 'z']);
  const statement = (): string =>
    pick(random, [
      () => `${cell()} = ${1 + random.below(3)};`,
      () => `${cell()} = ${1 + random.below(3)};`,
      () => `${pick(random, ['r', 's'])} = ${cell()};`,
      () => `${pick(random, ['r', 's'])} = ${cell()};`,
      () => `r = xchg(${cell()}, ${1 + random.below(3)});`,
      () => `${pick(random, ['r', 's'])} = r + 1;`,
      () => `${cell()} = r;`,
      () => 'fence;',
      () => `atomic { ${cell()} = 4; r = ${cell()}; s = ${cell()}; }`,
    ])();
  const thread = (name: string): string => {
    const body = Array.from({ length: 2 + random.below(5) }, statement).join(' ');
    return `thread ${name} { local r, s; ${body} }`;
  };
  return `program P\nvar x, y, z\n${['a', 'b', 'c'].map(thread).join('\n')}\n`;
}

/** Returns a random run to the end of all threads, after which all buffers are empty. */
function randomRun(program: Program, random: SeededRandom): Action[] {
  const code = compileProgram(program);
  let state = initialState(program);
  const run: Action[] = [];
  for (;;) {
    const { steps } = successors('TSO', code, state);
    // Stores are late more often than not.
    const others = steps.filter(({ actions }) => actions[0]?.kind !== 'store');
    const among = others.length > 0 && random.below(5) > 0 ? others : steps;
    if (among.length === 0) break;
    const step = pick(random, among);
    run.push(...step.actions);
    ({ state } = step);
  }
  for (const thread of program.threads.keys())
    for (let step = flush(state, thread); step; step = flush(state, thread)) {
      run.push(...step.actions);
      ({ state } = step);
    }
  return run;
}

/** Whether the thread has an empty buffer each time that the run passes the place of the repair. */
function isPossibleWith(program: Program, run: readonly Action[], repair: Repair): boolean {
  const waiting = program.threads.map(() => 0);
  /** By thread, whether its last store is an exchange that has to reach memory at once. */
  const isDue = program.threads.map(() => false);
  return run.every(({ kind, thread, transition }) => {
    if (kind === 'store') {
      waiting[thread]!--;
      return true;
    }
    const { from } = program.threads[thread]!.transitions[transition]!;
    const isHere = singleRepairs(repair).some(
      (part) =>
        part.thread === thread &&
        (part.kind === 'fence' ? part.location === from : part.transition === transition),
    );
    const isWrong = (isHere || isDue[thread]) && waiting[thread]! > 0;
    isDue[thread] = isHere && repair.kind !== 'fence';
    if (kind === 'issue') waiting[thread]!++;
    return !isWrong;
  });
}

/**
 * Returns the accesses of each thread in order, with the values and the stores that loads read
 * from.
 */
function traceOf(run: readonly Action[]): unknown {
  const { nodes } = buildTrace(run);
  const own = new Map<number, number>();
  const names = nodes.map(({ thread }) => {
    own.set(thread, (own.get(thread) ?? 0) + 1);
    return `${thread}.${own.get(thread)}`;
  });
  const accesses = nodes.map(({ address, read, written, source }, i) => {
    const from = source === undefined ? 'initially' : names[source];
    return `${names[i]}: ${address} ${read === undefined ? '' : `${read} ${from}`} ${written}`;
  });
  const stores = nodes
    .map(({ storedAt, address }, i) => ({ storedAt, address, name: names[i]! }))
    .filter(({ storedAt }) => storedAt !== undefined)
    .sort((a, b) => a.address - b.address || a.storedAt! - b.storedAt!);
  return [accesses.sort(), stores.map(({ address, name }) => `${address} ${name}`)];
}

test('a run with fewer delays has the same trace, and passes all that it passed', () => {
  const random = new SeededRandom(seed);
  const counts = { runs: 0, fewer: 0, spared: 0 };
  for (let i = 0; i < runs; i++) {
    const text = randomText(random);
    const program = programOf(text);
    const { items } = insertionProblem(
      program,
      pick(random, ['fence', 'xchg', 'any']),
      sizeCosts(program),
    );
    const run = withLateIssues(randomRun(program, random));
    const preventing = (of: readonly Action[]): number[] =>
      [...items.keys()].filter((index) => !isPossibleWith(program, of, items[index]!));
    const before = preventing(run);
    const fewest = withLateIssues(withFewestDelays({ program, items }, run, before, false));
    const after = preventing(fewest);
    expect(traceOf(fewest), text).toEqual(traceOf(run));
    expect(replayStates(program, fewest)?.at(-1), text).toEqual(replayStates(program, run)?.at(-1));
    expect(before, text).toEqual(expect.arrayContaining(after));
    counts.runs++;
    if (after.length < before.length) counts.fewer++;
    counts.spared += before.length - after.length;
  }
  console.log(JSON.stringify(counts));
  expect(counts.fewer).toBeGreaterThan(runs / 4);
});

test('a store waits only where another thread has to get ahead of it', () => {
  const program = programOf(
    `program P
var x, y, z
thread a { local r; z = 1; x = 1; r = y; assume (r == 0); }
thread b { local s; y = 1; s = x; assume (s == 0); }
`,
  );
  const { items } = insertionProblem(program, 'fence', sizeCosts(program));
  const code = compileProgram(program);
  // The run executes all instructions first, and then moves all stores to memory.
  let state = initialState(program);
  const run: Action[] = [];
  for (;;) {
    const { steps } = successors('TSO', code, state);
    const next = steps.find(({ actions }) => actions[0]?.kind !== 'store') ?? steps[0];
    if (!next) break;
    run.push(...next.actions);
    ({ state } = next);
  }
  const preventing = (of: readonly Action[]): number[] =>
    [...items.keys()].filter((index) => !isPossibleWith(program, of, items[index]!));
  const before = preventing(run);
  const fewest = withFewestDelays({ program, items }, run, before, false);
  // One delay suffices: the store of thread b waits until thread a has loaded y.
  const threads = new Set(preventing(fewest).map((index) => items[index]!.thread));
  expect(threads).toEqual(new Set([1]));
  expect(before.length).toBeGreaterThan(preventing(fewest).length);
});

test('what a failing assertion does not need is left out', () => {
  const program = programOf(
    `program P
var x, y, z
thread c { local t; z = 1; t = x; }
thread a { local r; x = 1; r = y; }
thread b { local s; y = 1; s = x; assert (s == 1); }
`,
  );
  const { items } = insertionProblem(program, 'fence', sizeCosts(program));
  const code = compileProgram(program);
  let state = initialState(program);
  const run: Action[] = [];
  for (let isFailed = false; !isFailed;) {
    const { steps } = successors('TSO', code, state);
    const next = steps.find(({ actions }) => actions[0]?.kind !== 'store')!;
    run.push(...next.actions);
    ({ state } = next);
    isFailed = next.assertionFailed === true;
  }
  const fewest = withFewestDelays({ program, items }, run, [...items.keys()], true);
  expect(new Set(fewest.map(({ thread }) => thread))).toEqual(new Set([2]));
  expect(replayStates(program, fewest)).toBeDefined();
  expect(fewest.at(-1)).toEqual(run.at(-1));
});
