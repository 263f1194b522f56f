import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { check } from '../../../core/src/api/check.js';
import { trf } from '../../../core/src/api/trf.js';
import { applyRepair } from '@fencewright/repairs/fences/apply-repair.js';
import type { Program } from '@fencewright/model/program/program.js';
import { randomProgram } from '@fencewright/reference/testing/random-program.js';
import { programOf } from '../robustness/native-program.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import { findRaceByExploration } from '../../src/triangular-races/find-race-by-exploration.js';
import { findNearRace } from '../../src/triangular-races/near-race.js';
import { possibleRaces } from '../../src/triangular-races/possible-races.js';
import { hasTriangularRace, racesByDefinition } from './races-by-definition.js';

const runs = randomRuns(600, 20_000);
const seed = randomSeed(20100621);

const programs = fc.oneof(
  randomProgram({ maxThreads: 2, maxItems: 4 }),
  randomProgram({ maxThreads: 3, maxItems: 2 }),
);

/** Returns the verdict on a program; the exploration of all SC states has the same verdict. */
async function kindOf(text: string): Promise<string> {
  const program = programOf(text);
  const { kind } = (await trf(program)).verdict;
  const { race } = await findRaceByExploration(program, new Budget());
  expect(race ? 'race' : 'free').toBe(kind);
  return kind;
}

describe('triangular races, by hand', () => {
  const other = 'thread q { x = 1; }';
  test.each([
    ['a store before a racing load', `thread p { local r; y = 1; r = x; }`, 'race'],
    ['no store before it', `thread p { local r; r = x; y = 1; }`, 'free'],
    ['a fence between', `thread p { local r; y = 1; fence; r = x; }`, 'free'],
    ['a locked instruction between', `thread p { local r; y = 1; xchg(z, 1); r = x; }`, 'free'],
    ['a failing cas between', `thread p { local r; y = 1; cas(z, 5, 1); r = x; }`, 'free'],
    ['a store to the same address only', `thread p { local r; x = 1; r = x; }`, 'free'],
    ['stores to both', `thread p { local r; y = 1; x = 1; r = x; }`, 'race'],
    ['a store before a racing store', `thread p { y = 1; x = 2; }`, 'free'],
    ['a locked load', `thread p { local r; y = 1; r = fetch_add(x, 0); }`, 'free'],
    ['store and load in one lock block', `thread p { local r; atomic { y = 1; r = x; } }`, 'free'],
    [
      'a fence on the shorter way only',
      'thread p { local r; if (*) { y = 1; fence; } else { y = 1; skip; go: skip; } r = x; }',
      'race',
    ],
    ['a store in a lock block before', `thread p { local r; atomic { y = 1; } r = x; }`, 'free'],
  ])('%s', async (_, thread, kind) => {
    expect(await kindOf(`var x, y, z\n${thread}\n${other}`)).toBe(kind);
  });

  test.each([
    ['by a locked instruction', 'xchg(x, 1);', 'race'],
    ['by a cas that fails', 'cas(x, 5, 1);', 'free'],
    ['in a lock block', 'lock; z = 1; x = 1; unlock;', 'race'],
    [
      'in a lock block that reads what the store wrote',
      'lock; if (y == 0) { x = 1; } unlock;',
      'race',
    ],
    [
      'elsewhere, in a lock block that reads what the store wrote',
      'local a; lock; a = y; z = 1; unlock;',
      'race',
    ],
    ['nowhere: a lock block that reads only', 'local a; lock; a = y; unlock;', 'free'],
    ['behind a lock block', 'lock; z = 1; unlock; x = 1;', 'race'],
  ])('a racing write %s', async (_, code, kind) => {
    const reader = 'thread p { local r; y = 1; r = x; }';
    expect(await kindOf(`var x, y, z\n${reader}\nthread q { ${code} }`)).toBe(kind);
  });

  test('a race for which a third thread has to run first', async () => {
    const text = `var x, y, go
      thread p { local r; y = 1; r = x; }
      thread q { local r; r = go; if (r == 1) { x = 1; } }
      thread w { go = 1; }`;
    expect(await kindOf(text)).toBe('race');
    const program = programOf(text);
    expect(findNearRace(program, possibleRaces(program), new Budget())).toBeUndefined();
  });

  test('a fault of a program whose control flow leaves no race', async () => {
    const text = 'var x thread p { local r; r = x; r = 1 / r; }';
    expect((await trf(programOf(text))).verdict.kind).toBe('error');
  });

  test('a load that nothing can race with, by the order of the threads', async () => {
    const p = 'thread p { local r; y = 1; go = 1; }';
    const q = 'thread q { local r; r = go; if (r == 1) { z = 1; r = y; } }';
    expect(await kindOf(`var x, y, z, go\n${p}\n${q}`)).toBe('free');
  });
});

test(`exact on ${runs} random programs, and what is free is robust`, async () => {
  const counts = { free: 0, race: 0, large: 0, robustRace: 0, excluded: 0, near: 0, distant: 0 };
  await fc.assert(
    fc.asyncProperty(programs, async (program) => {
      const expected = racesByDefinition(program, 20_000);
      const { verdict } = await trf(program);
      if (verdict.kind === 'race')
        expect(hasTriangularRace(program, verdict.race.computation)).toBe(true);
      const explored = await findRaceByExploration(program, new Budget());
      if (explored.race) {
        expect(hasTriangularRace(program, explored.race.computation)).toBe(true);
        if (findNearRace(program, possibleRaces(program), new Budget())) counts.near++;
        else counts.distant++;
      } else if (possibleRaces(program).length === 0) {
        counts.excluded++;
      }
      expect(explored.race === undefined).toBe(verdict.kind === 'free');
      if (expected === undefined) counts.large++;
      else expect(verdict.kind).toBe(expected ? 'race' : 'free');
      const robustness = (await check(program)).verdict.kind;
      if (verdict.kind === 'free') expect(robustness).toBe('robust');
      if (verdict.kind === 'free') counts.free++;
      else counts.race++;
      if (verdict.kind === 'race' && robustness === 'robust') counts.robustRace++;
    }),
    { numRuns: runs, seed },
  );
  console.info(JSON.stringify(counts));
  expect(counts.large).toBeLessThan(runs / 4);
  expect(counts.free).toBeGreaterThan(runs / 10);
  expect(counts.race).toBeGreaterThan(runs / 10);
  for (const kind of ['excluded', 'near'] as const)
    expect(counts[kind], kind).toBeGreaterThan(runs / 100);
  // The converse does not hold: some robust programs have a triangular race.
  expect(counts.robustRace).toBeGreaterThan(0);
});

/** Returns the size of a smallest set of fences, by trying every subset of the places. */
function smallestByTrying(program: Program): number | undefined {
  const places = program.threads.flatMap((thread, t) =>
    thread.locations.map((_, location) => ({ kind: 'fence' as const, thread: t, location })),
  );
  if (places.length > 9) return undefined;
  let best = Number.POSITIVE_INFINITY;
  for (let set = 0; set < 2 ** places.length; set++) {
    const chosen = places.filter((_, i) => (set >> i) % 2 === 1);
    if (chosen.length < best && racesByDefinition(applyRepair(program, chosen), 50_000) === false)
      best = chosen.length;
  }
  return best;
}

test('fences leave no race, and no fewer would do', async () => {
  let tried = 0;
  await fc.assert(
    fc.asyncProperty(randomProgram({ maxThreads: 2, maxItems: 3 }), async (program) => {
      const { repair } = await trf(program, { repair: true });
      const items = (repair?.fences ?? []).map((fence) => ({ kind: 'fence' as const, ...fence }));
      expect(repair).toBeDefined();
      expect((await trf(applyRepair(program, items))).verdict.kind).toBe('free');
      const smallest = items.length === 0 ? undefined : smallestByTrying(program);
      if (smallest === undefined) return;
      tried++;
      expect(items).toHaveLength(smallest);
    }),
    { numRuns: randomRuns(150, 3000), seed },
  );
  expect(tried).toBeGreaterThan(5);
});

test('a lock block that writes elsewhere when it reads the old value', async () => {
  // Under TSO the block can run between the store of a and the load of z: it reads a == 0 and
  // writes z, which was loaded as 0.
  const text = `var z, a
    thread p { local r; a = 1; r = z; }
    thread q { local i; atomic { i = a; if (i == 0) { z = 1; } else { a = 1; } } }`;
  expect((await check(programOf(text))).verdict.kind).toBe('not-robust');
  expect(await kindOf(text)).toBe('race');
});
