import { expect, test } from 'vitest';
import { parseNative } from '@fencewright/core/native';
import { finiteProgram } from '../../src/index.js';
import { check, type CheckOptions } from '../../src/api/check.js';
import { bakery } from '../../../../bench/generators/bakery.js';
import { mcs } from '../../../../bench/generators/locks.js';

const program = finiteProgram(parseNative(bakery(3)).model)!;

/** Limits of the first turn that are so small that no turn decides all attacks. */
const forTests = { firstTurn: { states: 800, elements: 10 } };

const inTurns = (options: CheckOptions, onProof: () => void, about = program) =>
  check(about, {
    ...{ allAttacks: true, forTests, ...options },
    engine: {
      name: 'search',
      triesProof: () => {
        onProof();
        return Promise.resolve(false);
      },
    },
  });

const never = (): never => {
  throw new Error('a proof is tried');
};

test('no proof is tried of a program that has a feasible attack', async () => {
  const alone = await check(program, { allAttacks: true });
  const result = await inTurns({}, never);
  expect(alone.statistics.states).toBeGreaterThan(5 * forTests.firstTurn.states);
  expect(result.verdict.kind).toBe('not-robust');
  expect(result.attacks).toEqual(alone.attacks);
});

test('the attacks that a turn has found stay found if the limit ends the last search', async () => {
  const result = await inTurns({ limits: { maxStates: 805 } }, never);
  expect(result.verdict.kind).toBe('not-robust');
  expect(result.cutShort).toBe('states');
  const verdicts = new Set(result.attacks.map(({ verdict }) => verdict));
  expect(verdicts).toEqual(new Set(['feasible', 'by-cfg', 'unknown']));
});

// The first turn ends behind the stage that refutes attacks after 5,000 states, the second turn in
// front of it.
test('the attacks that a turn has refuted stay refuted if the limit ends the next turn', async () => {
  // Of a number that a thread adds to, a proof may know more than the search.
  const counter = 'var n\nthread count { local r; r = n; n = r + 1; }';
  const lock = finiteProgram(parseNative(`${mcs(6, { loop: true })}\n${counter}`).model)!;
  const firstTurn = { states: 6000, elements: 10 };
  const refutedWith = async (maxStates: number): Promise<number | undefined> => {
    const limits = { maxStates };
    const options = { forTests: { firstTurn }, limits };
    const { verdict, statistics } = await inTurns(options, never, lock);
    expect(verdict.kind).toBe('unknown');
    return statistics.attacks.settledBy?.['local-closure'];
  };
  const first = await refutedWith(6000);
  expect(first).toBeGreaterThan(10);
  expect(await refutedWith(6010)).toBe(first);
});
