import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { guessesOf } from '@fencewright/model/analysis/guesses.js';
import { reach } from '../../../core/src/api/reach.js';
import type { Program } from '@fencewright/model/program/program.js';
import { attacksByDefinition } from '@fencewright/reference/definitions/attacks-by-definition.js';
import { enumerateTraces } from '@fencewright/reference/definitions/enumerate-traces.js';
import { FeatureCount, programFeatures } from '@fencewright/reference/testing/program-features.js';
import { randomProgram } from '@fencewright/reference/testing/random-program.js';
import { meetingThreads, withGuesses } from '@fencewright/reference/testing/with-guesses.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';
import { attackNames, expectFeasible } from '../search/value-variants.js';

const runs = randomRuns(50, 20_000, 25);
/** The maximum number of partial traces; programs with more are skipped. */
const maxTracedStates = runs > 1000 ? 20_000 : 3000;
const seed = randomSeed(20180715);

const programs = withGuesses(
  fc.oneof(
    { weight: 8, arbitrary: meetingThreads() },
    { weight: 1, arbitrary: randomProgram({ fewValues: true, maxThreads: 2, maxItems: 3 }) },
    { weight: 1, arbitrary: randomProgram({ fewValues: true, maxThreads: 3, maxItems: 2 }) },
  ),
);

/**
 * Returns the program in which read abstractions are plain loads, for comparison: no register is
 * hidden, so the register between load and `havoc` can be seen.
 */
function withPlainLoads(program: Program): Program {
  const threads = program.threads.map((thread) => ({
    ...thread,
    registers: thread.registers.map((register) => ({ ...register, hidden: false })),
  }));
  return { ...program, threads };
}

function isGuess(program: Program, { thread, load }: Attack): boolean {
  const own = program.threads[thread];
  return own !== undefined && guessesOf(own).has(load);
}

test(`with read abstractions, ${runs} random programs: one attacker is enough, the search finds it, and what is acyclic is SC`, async () => {
  const count = new FeatureCount();
  await fc.assert(
    fc.asyncProperty(programs, async (program) => {
      const traces = enumerateTraces(program, { maxTracedStates, happensBefore: 'value' });
      const features = programFeatures(program);
      const definition = attacksByDefinition(program, maxTracedStates, 'value');
      if (!traces.complete || !definition.complete) {
        count.add([...features, 'too large for brute force']);
        return;
      }
      const { feasible } = definition;
      expect(feasible.length > 0, 'locality').toBe(traces.violation !== undefined);
      await expectFeasible(program, feasible);
      const { sc, tso } = await reach(program);
      expect(traces.finalStates).toBe(tso.finalStates.length);
      // A guess that reads another value after a cycle may end as under SC, so only acyclic traces
      // are compared.
      expect(traces.sequentialFinalStates).toBe(sc.finalStates.length);
      const kind = feasible.length > 0 ? 'not robust' : 'robust';
      const plain = attacksByDefinition(withPlainLoads(program), 3 * maxTracedStates, 'value');
      const guesses = program.threads.some((thread) => guessesOf(thread).size > 0);
      const own = definition.feasible.some((attack) => isGuess(program, attack));
      count.add([
        ...features,
        kind,
        ...(guesses ? [`${kind}, with guesses`] : []),
        ...(own ? ['an attack ends with a guess'] : []),
        ...(traces.finalStates > traces.sequentialFinalStates ? ['TSO has more states'] : []),
        ...(plain.complete && plain.feasible.length > 0 && kind === 'robust'
          ? ['robust as guesses are no plain loads']
          : []),
        ...(plain.complete && plain.feasible.length > feasible.length
          ? ['fewer attacks than with plain loads']
          : []),
      ]);
      if (plain.complete)
        for (const attack of attackNames(feasible))
          expect(attackNames(plain.feasible)).toContain(attack);
    }),
    { numRuns: runs, seed },
  );
  console.info(count.toString());
  for (const feature of [
    'robust, with guesses',
    'not robust, with guesses',
    'an attack ends with a guess',
    'robust as guesses are no plain loads',
    'fewer attacks than with plain loads',
    'TSO has more states',
    'lock',
    'rmw cas',
    '3 threads',
    'symmetric threads',
  ])
    expect(count.get(feature), feature).toBeGreaterThan(runs / 100);
});
