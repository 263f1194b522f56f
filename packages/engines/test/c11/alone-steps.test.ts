import { Budget } from '@fencewright/ground/base/budget.js';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import type { Program } from '@fencewright/model/program/program.js';
import { expect, test } from 'vitest';
import { isCampaign, randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { findAloneSteps } from '../../src/c11/alone-steps.js';
import { programOf } from '../robustness/native-program.js';
import { isRobustWithBuffering } from './buffered-graphs.js';
import { type ProgramSketch, randomSketch, type Sketch, textOf } from './sketch.js';

/** Returns the lines of the text whose steps one thread executes only while it runs alone. */
async function aloneLines(program: Program): Promise<readonly number[]> {
  const isAlone = await findAloneSteps(program, 'c11', new Budget());
  return program.threads.flatMap(({ transitions }, thread) =>
    transitions.flatMap(({ from, origin }) =>
      isAlone?.(thread, from) ? [origin.span!.start.line + 1] : [],
    ),
  );
}

/**
 * Returns a random program whose first thread waits for the last store of another thread and then
 * executes further statements.
 */
function joiningSketch(seed: number): ProgramSketch {
  const random = new SeededRandom(seed + 3);
  const { cells, threads } = randomSketch(seed, { branches: false, plain: false });
  const [first, second] = threads;
  const order = random.below(4) === 0 ? 'relaxed' : 'acquire';
  const end: Sketch = { kind: 'store', cell: 'd', value: 1, order: 'release' };
  const join: Sketch = { kind: 'await', cell: 'd', value: 1, order };
  const more = randomSketch(seed + 1_000_000, { branches: false, plain: false }).threads[0]!;
  const tail = more.filter((one) => !('cell' in one) || cells.includes(one.cell));
  return {
    cells: [...cells, 'd'],
    threads: [
      [...first!.slice(0, 2), join, ...tail.slice(0, 3)],
      [...second!.slice(0, 3), end],
    ],
  };
}

/**
 * Returns the program in which the first thread's statements at the given places have the weakest
 * orders. Fences and branches at these places are left out.
 */
function weakened({ cells, threads }: ProgramSketch, places: ReadonlySet<number>): ProgramSketch {
  const [first, ...others] = threads;
  const weaker = first!.flatMap((one, place): readonly Sketch[] => {
    if (!places.has(place)) return [one];
    if (one.kind === 'fence' || one.kind === 'if') return [];
    return one.kind === 'cas'
      ? [{ ...one, order: 'relaxed', failure: 'relaxed' }]
      : [{ ...one, order: 'relaxed' }];
  });
  return { cells, threads: [weaker, ...others] };
}

test('orders behind the end of all other threads order nothing, by all execution graphs', async () => {
  const from = randomSeed(90_000);
  const counts = { kept: 0, fences: 0, relaxedJoins: 0, none: 0 };
  for (let seed = from; seed < from + randomRuns(150, 3000); seed++) {
    const sketch = joiningSketch(seed);
    if (isRobustWithBuffering(sketch, 4000) !== true) continue;
    // The statements of the first thread begin behind its variables, heading and register.
    const before = sketch.cells.length + 3;
    const lines = await aloneLines(programOf(textOf(sketch).replace('program Sketch\n', '')));
    const places = new Set(lines.map((line) => line - before - 1));
    const join = sketch.threads[0]!.findIndex((one) => one.kind === 'await' && one.cell === 'd');
    for (const place of places) expect([seed, place > join]).toEqual([seed, true]);
    if (places.size === 0) {
      counts.none += 1;
      continue;
    }
    const weaker = weakened(sketch, places);
    expect([seed, isRobustWithBuffering(weaker, 4000)]).toEqual([seed, true]);
    counts.kept += 1;
    const { order } = sketch.threads[0]![join] as Extract<Sketch, { kind: 'await' }>;
    if (order === 'relaxed') counts.relaxedJoins += 1;
    if ([...places].some((place) => sketch.threads[0]![place]!.kind === 'fence'))
      counts.fences += 1;
  }
  if (isCampaign) console.log(counts);
  expect(counts.kept).toBeGreaterThan(20);
  expect(counts.fences).toBeGreaterThan(2);
  expect(counts.none).toBeGreaterThan(2);
});

test('a thread that has not synchronised with the end of another is not alone', async () => {
  const text = (order: string): string => `var x, d
    thread a { local r; await (load(d, ${order}) == 1); r = load(x, acquire); }
    thread b { store(x, 1, release); store(d, 1, release); }`;
  expect(await aloneLines(programOf(text('acquire')))).toEqual([3]);
  expect(await aloneLines(programOf(text('relaxed')))).toEqual([]);
});

test('a thread is not alone while another has steps left', async () => {
  const text = `var x, d
    thread a { local r; await (load(d, acquire) == 1); r = load(x, acquire); }
    thread b { store(d, 1, release); store(x, 1); }`;
  expect(await aloneLines(programOf(text))).toEqual([]);
});
