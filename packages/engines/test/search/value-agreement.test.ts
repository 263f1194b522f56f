import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { check } from '../../../core/src/api/check.js';
import { attacksByDefinition } from '@fencewright/reference/definitions/attacks-by-definition.js';
import { FeatureCount, programFeatures } from '@fencewright/reference/testing/program-features.js';
import { randomProgram } from '@fencewright/reference/testing/random-program.js';
import { expectFeasible } from './value-variants.js';

const runs = randomRuns(300, 20_000, 35);
const seed = randomSeed(20180715);

const programs = fc.oneof(
  randomProgram({ fewValues: true }),
  randomProgram({ fewValues: true, maxThreads: 2, maxItems: 5 }),
  randomProgram({ fewValues: true, maxThreads: 4, maxItems: 2 }),
);

test(`under the value notion, the search decides every attack of ${runs} random programs by the definition`, async () => {
  const count = new FeatureCount();
  await fc.assert(
    fc.asyncProperty(programs, async (program) => {
      const features = programFeatures(program);
      const definition = attacksByDefinition(program, 20_000, 'value');
      if (!definition.complete) {
        count.add([...features, 'too large for brute force']);
        return;
      }
      const { feasible } = definition;
      await expectFeasible(program, feasible);
      const early = await check(program, { happensBefore: 'value' });
      expect(early.verdict.kind).toBe(feasible.length > 0 ? 'not-robust' : 'robust');
      const standard = await check(program);
      count.add([...features, `${early.verdict.kind}, by the standard ${standard.verdict.kind}`]);
    }),
    { numRuns: runs, seed },
  );
  console.info(count.toString());
  for (const feature of [
    'not-robust, by the standard not-robust',
    'robust, by the standard not-robust',
    'robust, by the standard robust',
    'rmw cas',
    'lock',
    '3 threads',
    '4 threads',
    'symmetric threads',
  ])
    expect(count.get(feature), feature).toBeGreaterThan(runs / 100);
  expect(count.get('not-robust, by the standard robust')).toBe(0);
});
