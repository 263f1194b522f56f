import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import type { Program } from '@fencewright/model/program/program.js';
import { exploreMachine } from '@fencewright/model/semantics/explore-machine.js';
import { randomProgram } from '../../src/testing/random-program.js';

/**
 * Returns the locations, memory and lock of all states reachable under SC, one string each, and the
 * number of explored states.
 */
async function reached(program: Program, forgetsDeadRegisters: boolean) {
  const seen = new Set<string>();
  const visitor = {
    onState: ({ state }: Parameters<Parameters<typeof exploreMachine>[3]['onState']>[0]) => {
      const memory = [...state.memory].sort(([a], [b]) => a - b).join(' ');
      seen.add(`${state.locations.join(' ')}|${memory}|${state.lockHolder}`);
    },
    onFailedAssertion: () => undefined,
  };
  const { states, incomplete, faults } = await exploreMachine(
    'SC',
    program,
    new Budget({ maxStates: 5_000 }),
    visitor,
    { forgetsDeadRegisters },
  );
  return { seen: [...seen].sort(), states, incomplete, faults: faults.length };
}

test('forgetting dead registers loses no position and no memory', async () => {
  let fewer = 0;
  await fc.assert(
    fc.asyncProperty(randomProgram(), async (program) => {
      const all = await reached(program, false);
      fc.pre(!all.incomplete);
      const some = await reached(program, true);
      expect(some.seen).toEqual(all.seen);
      expect(some.faults).toBe(all.faults);
      expect(some.states).toBeLessThanOrEqual(all.states);
      if (some.states < all.states) fewer++;
    }),
    { numRuns: randomRuns(200, 4000), seed: randomSeed(18) },
  );
  expect(fewer).toBeGreaterThan(20);
});
