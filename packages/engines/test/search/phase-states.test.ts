import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import type { Program } from '@fencewright/model/program/program.js';
import { randomProgram } from '@fencewright/reference/testing/random-program.js';
import { searchAttacks } from '../../src/search/attack-search.js';
import type { SearchOptions } from '../../src/search/search-session.js';
import { programOf } from '../robustness/native-program.js';

/** Options with which only the three phases of the search store states. */
const phasesOnly = {
  ...{ staticPath: false, localClosure: false, pairClosure: false, directed: false },
  ...{ fewThreads: false, stagesAfter: 0 },
};

async function statesOf(program: Program, options: SearchOptions) {
  const { states, phaseStates } = await searchAttacks(program, {
    ...options,
    ...{ budget: new Budget({}), allAttacks: true },
  });
  return { states, ...phaseStates };
}

test('the states of two threads by phase, counted by hand', async () => {
  const program = programOf(`var x, y, z
    thread a { local r, s; x = 1; r = z; s = y; }
    thread b { local r; y = 1; r = x; }`);
  const { states, sequential, delaying, path } = await statesOf(program, {
    ...phasesOnly,
    ownedCells: false,
  });
  // The states are 4 locations of a times 3 of b: these determine memory, and no register is read.
  expect(sequential).toBe(12);
  // Thread a has read z, its store to x waits, and b is at one of 3 locations.
  expect(delaying).toBe(3);
  expect(sequential! + delaying! + path!).toBe(states);
  // After the load of y by a, b is on the happens-before path from y = 1 to r = x.
  expect(path).toBeGreaterThan(0);
});

const runs = randomRuns(100, 2000);

test(`the phases have all states that are stored, of ${runs} random programs`, async () => {
  let delaying = 0;
  let path = 0;
  await fc.assert(
    fc.asyncProperty(
      randomProgram({ maxItems: 5, loops: true }),
      fc.boolean(),
      async (program, symmetry) => {
        const found = await statesOf(program, { ...phasesOnly, symmetry });
        expect(found.sequential! + found.delaying! + found.path!).toBe(found.states);
        if (found.delaying! > 0) delaying++;
        if (found.path! > 0) path++;
      },
    ),
    { numRuns: runs, seed: randomSeed(20180718) },
  );
  expect(delaying).toBeGreaterThan(runs / 20);
  expect(path).toBeGreaterThan(runs / 20);
});
