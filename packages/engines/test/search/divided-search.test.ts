import { finiteProgram } from '@fencewright/model/program/model.js';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { Budget, type Limits } from '@fencewright/ground/base/budget.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { Decision } from '../../src/robustness/decision.js';
import { searchAttacks, type AttackSearchOptions } from '../../src/search/attack-search.js';
import { searchPart, type AttackerPool } from '../../src/search/attacker-part.js';
import { FeatureCount } from '@fencewright/reference/testing/program-features.js';
import { randomProgram } from '@fencewright/reference/testing/random-program.js';
import { programOf } from '../robustness/native-program.js';

const runs = randomRuns(50, 1000);
const seed = randomSeed(20180718);

type Search = AttackerPool['search'];

/** Searches a part as another thread would: all data are copied, nothing is shared. */
const elsewhere: Search = async (part, limits) => {
  const { outcome, bytes } = await searchPart(structuredClone(part), limits);
  return structuredClone({ outcome, bytes });
};

const dying: Search = () => Promise.reject(new Error('worker exited'));

/**
 * Returns a pool that takes over attackers when the search asks it for the `turn`-th time, counted
 * from 0. Also returns functions that count the searches in the pool and the questions of the
 * search.
 */
function poolAt(turn: number, threads: number, search: Search = elsewhere) {
  let asked = 0;
  let parts = 0;
  const pool: AttackerPool = {
    threads,
    isDue: () => asked++ >= turn,
    search: (part, limits) => {
      parts++;
      return search(part, limits);
    },
  };
  return { pool, parts: () => parts, asked: () => asked };
}

type Options = Omit<AttackSearchOptions, 'budget'>;

function decide(
  program: Program,
  options: Options,
  attackerPool?: AttackerPool,
  limits: Limits = {},
): Promise<Decision> {
  const budget = new Budget(limits);
  return searchAttacks(program, { ...options, budget, ...(attackerPool && { attackerPool }) });
}

/**
 * Options with which all attacks are decided by the search, and the pool may take over attackers
 * from the beginning.
 */
const searchOnly = {
  ...{ staticPath: false, localClosure: false, pairClosure: false, directed: false },
  stagesAfter: 0,
};

/**
 * Options for small programs. Symmetry is off, since a search with sorted threads is not divided,
 * and searches with few running threads begin early.
 */
const small = {
  ...searchOnly,
  symmetry: false,
  firstStage: 2,
  fewThreadsShare: { share: 1, fromStage: 1 },
};

interface Helpers {
  readonly threads: number;
  /** The number of states that each helper thread may store. */
  readonly room: number;
  readonly dies: boolean;
}

const helpers = fc.record<Helpers>({
  threads: fc.integer({ min: 1, max: 3 }),
  room: fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 50 })),
  dies: fc.boolean(),
});

/** Returns the search that the helper threads make. With `dies`, every other helper thread dies. */
function searchOf({ room, dies }: Helpers): Search {
  let others = 0;
  return (part, limits) =>
    dies && others++ % 2 === 0
      ? dying(part, limits)
      : elsewhere(part, { ...limits, maxStates: room });
}

describe('a search of which others take a part', () => {
  test.each([true, false])(
    `comes to what it comes to alone, wherever it is divided, of ${runs} random programs; all attacks: %j`,
    async (allAttacks) => {
      const count = new FeatureCount();
      const programs = fc.oneof(randomProgram(), randomProgram({ maxItems: 5, loops: true }));
      await fc.assert(
        fc.asyncProperty(programs, helpers, async (program, others) => {
          const options = { ...small, allAttacks };
          const turns = poolAt(Infinity, 1);
          const alone = await decide(program, options, turns.pool);
          for (let turn = 0; turn < turns.asked(); turn++) {
            const { pool, parts } = poolAt(turn, others.threads, searchOf(others));
            const divided = await decide(program, options, pool);
            expect(divided, `divided before turn ${turn}`).toEqual(alone);
            const features = {
              divided: true,
              'from the third turn on': turn > 1,
              'in three or four': parts() > 1,
              'with too little room': others.room < Infinity,
              'with deaths': others.dies,
              'not robust': alone.witness !== undefined,
            };
            if (parts() > 0)
              count.add(Object.entries(features).flatMap(([name, has]) => (has ? [name] : [])));
          }
        }),
        { numRuns: runs, seed },
      );
      console.info(count.toString());
      const least = runs / 10;
      for (const feature of ['from the third turn on', 'in three or four', 'not robust'])
        expect(count.get(feature), feature).toBeGreaterThan(least);
    },
  );

  test.each([true, false])(
    'comes to what it comes to alone, wherever some attacks are refuted; all attacks: %j',
    async (allAttacks) => {
      const count = new FeatureCount();
      const programs = fc.oneof(randomProgram(), randomProgram({ maxItems: 5, loops: true }));
      await fc.assert(
        fc.asyncProperty(programs, fc.nat(6), helpers, async (program, stagesAfter, others) => {
          // Pairs need more states than these programs have, and the search is not divided before.
          const stages = { staticPath: false, pairClosure: false, stagesAfter };
          const options = { symmetry: false, firstStage: 2, ...stages };
          const turns = poolAt(Infinity, 1);
          const alone = await decide(program, { ...options, allAttacks }, turns.pool);
          const isRefuted = alone.attacks.some(({ settledBy }) => settledBy === 'local-closure');
          for (let turn = 0; turn < turns.asked(); turn++) {
            const { pool, parts } = poolAt(turn, others.threads, searchOf(others));
            const divided = await decide(program, { ...options, allAttacks }, pool);
            expect(divided, `divided before turn ${turn}`).toEqual(alone);
            if (parts() > 0 && isRefuted) count.add(['some refuted']);
          }
        }),
        { numRuns: 4 * runs, seed },
      );
      expect(count.get('some refuted')).toBeGreaterThan(runs / 10);
    },
  );

  // The second attacker finds its attack in an earlier turn than the first, with a longer witness.
  const unequal = programOf(`var x, y, u, v, w, k
    thread a { local r; r = w; r = w; r = w; r = k; r = w; r = k; r = w; x = 1; r = y; }
    thread b { local r, s; ${'s = 1 - s; '.repeat(30)} u = 1; r = v; }
    thread c { local r; y = 1; fence; r = x; k = 3; }
    thread d { local r; v = 1; fence; r = w; r = k; r = w; r = u; w = 2; }`);
  const late: Search = async (part, limits) => {
    const outcome = await elsewhere(part, limits);
    await new Promise((resolve) => setTimeout(resolve, 300));
    return outcome;
  };

  test.each([
    ['first', elsewhere],
    ['last', late],
    ['never', dying],
  ])(
    'keeps what is found in the earliest turn, longer or not, where others answer %s',
    async (_, search) => {
      const options = { ...small, allAttacks: false };
      const turns = poolAt(Infinity, 1);
      const alone = await decide(unequal, options, turns.pool);
      expect(alone.witness).toBeDefined();
      for (let turn = 0; turn < turns.asked(); turn++)
        expect(
          await decide(unequal, options, poolAt(turn, 1, search).pool),
          `divided before turn ${turn}`,
        ).toEqual(alone);
    },
  );

  const examples = new URL('../../../../examples/', import.meta.url);

  test.each(['lamport-fast', 'dekker', 'mcs-lock'])(
    'comes to what it comes to alone, wherever it is divided, where attackers have more to do: %s',
    async (name) => {
      const { model } = parseNative(readFileSync(new URL(`${name}.fw`, examples), 'utf8'));
      const program = finiteProgram(model);
      for (const allAttacks of [true, false]) {
        const options = { ...small, allAttacks };
        const turns = poolAt(Infinity, 1);
        const alone = await decide(program!, options, turns.pool);
        for (let turn = 0; turn < turns.asked(); turn++) {
          const room = turn % 3 === 0 ? Infinity : 40 * turn;
          const { pool, parts } = poolAt(
            turn,
            1 + (turn % 2),
            searchOf({ threads: 2, room, dies: false }),
          );
          const divided = await decide(program!, options, pool);
          expect(divided, `divided before turn ${turn}`).toEqual(alone);
          if (turn === 0) expect(parts()).toBe(1);
        }
      }
    },
  );

  const five = programOf(`var x[5]
    thread a { local r; x[0] = 1; r = x[1]; }
    thread b { local r; x[1] = 2; r = x[2]; }
    thread c { local r; x[2] = 3; r = x[3]; }
    thread d { local r; x[3] = 4; r = x[4]; }
    thread e { local r; x[4] = 5; r = x[0]; }`);

  test.each([1, 2, 4, 7])('hands over to as many as there are: %i', async (threads) => {
    const handedOver: (readonly number[])[] = [];
    const { pool } = poolAt(0, threads, (part, limits) => {
      handedOver.push(part.attackers);
      return elsewhere(part, limits);
    });
    const { attacks } = await decide(five, { ...searchOnly, allAttacks: true }, pool);
    expect(attacks.map(({ verdict }) => verdict)).toEqual(Array(5).fill('feasible'));
    expect(handedOver).toHaveLength(Math.min(threads, 4));
    const all = handedOver.flat();
    expect(new Set(all).size).toBe(all.length);
    expect(all.length).toBeLessThan(5);
  });

  test('shares memory and time, and adds progress up', async () => {
    const heard: number[] = [];
    const shares: Limits[] = [];
    const { pool } = poolAt(0, 3, (part, limits) => {
      shares.push(limits);
      limits.onProgress?.({ states: 10 ** shares.length, memory: 1, milliseconds: 0 });
      return elsewhere(part, limits);
    });
    const mebibyte = 2 ** 20;
    const onProgress = ({ states }: { states: number }): void => void heard.push(states);
    const limits = { maxMemory: 400 * mebibyte, timeout: 60_000, onProgress };
    await decide(five, { ...searchOnly, allAttacks: true }, pool, limits);
    expect(shares.map(({ maxMemory }) => maxMemory)).toEqual(Array(3).fill(100 * mebibyte));
    for (const { timeout = Infinity } of shares) expect(timeout).toBeLessThanOrEqual(60_000);
    expect(heard.slice(0, 3)).toEqual([10, 110, 1110]);
  });

  test('reports what is known when it is cancelled, and stops the others', async () => {
    const stop = new AbortController();
    // The other search has found an attack by the time of the cancellation.
    const { pool } = poolAt(0, 1, (part, limits) => {
      const found = searchPart(part, {});
      stop.abort();
      expect(limits.signal?.aborted).toBe(true);
      return found;
    });
    const limits = { signal: stop.signal };
    const { attacks, incomplete, witness } = await decide(
      five,
      { ...searchOnly, allAttacks: true },
      pool,
      limits,
    );
    expect(incomplete).toBe('cancelled');
    expect(witness).toBeDefined();
    const verdicts = attacks.map(({ verdict }) => verdict);
    expect(verdicts).toContain('feasible');
    expect(verdicts).toContain('unknown');
    expect(verdicts).not.toContain('infeasible');
  });

  const twins = programOf(`var x, y
    thread a { local r; x = 1; r = y; }
    thread p { local r; y = 1; r = x; }
    thread q { local r; y = 1; r = x; }`);

  test.each([
    ['threads are sorted', twins, {}, {}, 0],
    ['the same are not', twins, { symmetry: false }, {}, 1],
    ['a limit on states is set', five, {}, { maxStates: 10_000 }, 0],
    ['none is', five, {}, {}, 1],
  ])('where %s it gets help or does not', async (_, program, options, limits, expected) => {
    const { pool, parts } = poolAt(0, 1);
    await decide(program, { ...searchOnly, allAttacks: true, ...options }, pool, limits);
    expect(parts()).toBe(expected);
  });

  test('is done again alone if a thread turns out to compute without end', async () => {
    const program = programOf(`var x, y, z
      thread a { local r; x = 1; r = y; }
      thread b { local r; y = 1; r = x; if (r == 1) { loop { r = r + 1; } } }
      thread c { local r; z = 1; r = y; r = x; }`);
    const options = { ...small, allAttacks: true };
    const turns = poolAt(Infinity, 1);
    const alone = await decide(program, options, turns.pool);
    expect(alone.incomplete).toBe('states');
    expect(alone.attacks.map(({ verdict }) => verdict)).toContain('unknown');
    let divided = 0;
    for (let turn = 0; turn < turns.asked(); turn++) {
      const { pool, parts } = poolAt(turn, 2);
      expect(await decide(program, options, pool), `divided before turn ${turn}`).toEqual(alone);
      divided += parts();
    }
    expect(divided).toBeGreaterThan(0);
  });
});
