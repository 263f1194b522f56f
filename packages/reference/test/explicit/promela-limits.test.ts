import { expect, test } from 'vitest';
import { Budget } from '@fencewright/ground/base/budget.js';
import type {
  ModelChecker,
  Verification,
  Verifier,
} from '@fencewright/ground/solvers/model-checker.js';
import { createPromelaEngine } from '../../src/promela/promela-engine.js';
import { programOf } from '../../../engines/test/robustness/native-program.js';

const program = programOf(`var x, y
  thread s { local r; x = 1; r = y; }
  thread t { local r; y = 1; r = x; }`);

/**
 * Returns a model checker whose searches end with the given results, in the order of their starts.
 */
function checkerWith(results: readonly Verification[]): ModelChecker {
  let runs = 0;
  const verifier: Verifier = {
    kind: 'verifier',
    // The searches end in the opposite order.
    run: async () => {
      const i = runs++;
      for (let turns = 0; turns < 10 * (results.length - i); turns++) await Promise.resolve();
      return results[i]!;
    },
  };
  return { name: 'spin', withVerifier: async (_model, _options, use) => use(verifier) };
}

const found = (states: number): Verification => ({
  kind: 'verification',
  notes: [],
  states,
  trail: ['observed 0'],
});

/** Explores with four searches at once, one for each value of a variable. */
async function explored(
  results: readonly Verification[],
  limits: ConstructorParameters<typeof Budget>[0],
) {
  const engine = createPromelaEngine({
    original: program,
    modelChecker: checkerWith(results),
    jobs: 4,
  });
  const among = results.map((_, i) => [i]);
  const query = { program, goals: [], observe: [0], among, allGoals: true };
  const { goals, states, incomplete } = await engine.explore(query, new Budget(limits));
  return { goals: goals.length, states, incomplete };
}

test.each([
  [{}, { goals: 4, states: 100, incomplete: undefined }],
  [{ maxStates: 100 }, { goals: 4, states: 100, incomplete: undefined }],
  [{ maxStates: 99 }, { goals: 3, states: 100, incomplete: 'states' }],
  [{ maxStates: 30 }, { goals: 2, states: 100, incomplete: 'states' }],
  [{ maxStates: 9 }, { goals: 0, states: 100, incomplete: 'states' }],
  [{ effort: 60 }, { goals: 3, states: 100, incomplete: 'work' }],
])('of searches at once, %o admits the first ones', async (limits, expected) => {
  expect(await explored([found(10), found(20), found(30), found(40)], limits)).toEqual(expected);
});
