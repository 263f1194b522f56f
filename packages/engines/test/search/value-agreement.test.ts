import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { check } from '../../../core/src/api/check.js';
import { attacksByDefinition } from '@fencewright/reference/definitions/attacks-by-definition.js';
import { FeatureCount, programFeatures } from '@fencewright/reference/testing/program-features.js';
import { randomProgram } from '@fencewright/reference/testing/random-program.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';

const runs = randomRuns(300, 20_000, 35);
const seed = randomSeed(20180715);

/** Options: each reduction on and off, the kernel forced and forbidden. */
const variants = [
  {},
  { without: ['static-path'], forTests: { stagesAfter: 0 } },
  {
    engine: { name: 'search', kernel: 'typescript' },
    without: ['static-path', 'symmetry', 'dead-registers', 'owned-cells'],
  },
  { without: ['static-path', 'shared-dead-states'], forTests: { tightLayout: true } },
  { engine: { name: 'search', kernel: 'wasm' }, without: ['static-path'] },
] as const;

const programs = fc.oneof(
  randomProgram({ fewValues: true }),
  randomProgram({ fewValues: true, maxThreads: 2, maxItems: 5 }),
  randomProgram({ fewValues: true, maxThreads: 4, maxItems: 2 }),
);

function names(attacks: readonly Attack[]): string[] {
  return attacks.map(({ thread, store, load }) => `${thread}:${store}:${load}`).sort();
}

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
      const feasible = names(definition.feasible);
      for (const variant of variants) {
        const who = JSON.stringify(variant);
        const options = {
          ...variant,
          happensBefore: 'value',
          allAttacks: true,
          replayAll: true,
        } as const;
        const result = await check(program, options);
        const found = result.attacks.filter(({ verdict }) => verdict === 'feasible');
        expect(names(found.map(({ attack }) => attack)), who).toEqual(feasible);
        expect(result.verdict.kind, who).toBe(feasible.length > 0 ? 'not-robust' : 'robust');
      }
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
