import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { check } from '../../../core/src/api/check.js';
import { enumerateTraces } from '@fencewright/reference/definitions/enumerate-traces.js';
import { FeatureCount, programFeatures } from '@fencewright/reference/testing/program-features.js';
import { randomAutomata } from '@fencewright/reference/testing/random-automata.js';
import { randomProgram } from '@fencewright/reference/testing/random-program.js';
import type { CheckResult, Verdict } from '@fencewright/model/verdict/verdict.js';

const runs = randomRuns(600, 100_000, 70);
const seed = randomSeed(20180718);

/**
 * Limits that suffice, as the values of the programs stay small and all state spaces are finite.
 */
const limits = { maxStates: 200_000 };

/**
 * Options: each reduction on and off, every witness replayed or only the shortest, the kernel
 * forced and forbidden, growing layouts.
 */
const variants = [
  { engine: 'search' },
  { engine: 'search', replayAll: true },
  { engine: 'search', replayAll: true, without: ['static-path'] },
  { engine: 'search', forTests: { stagesAfter: 0 } },
  { engine: 'search', without: ['static-path'], forTests: { stagesAfter: 0 } },
  { engine: 'search', replayAll: true, without: ['static-path', 'owned-cells'] },
  { engine: 'search', replayAll: true, without: ['static-path', 'symmetry', 'dead-registers'] },
  {
    engine: 'search',
    replayAll: true,
    without: ['static-path', 'shared-dead-states'],
    forTests: { tightLayout: true },
  },
  { engine: { name: 'search', kernel: 'wasm' }, replayAll: true, without: ['static-path'] },
  {
    engine: { name: 'search', kernel: 'wasm' },
    replayAll: true,
    without: ['static-path'],
    forTests: { tightLayout: true },
  },
  {
    engine: { name: 'search', kernel: 'typescript' },
    replayAll: true,
    without: ['static-path'],
    forTests: { tightLayout: true },
  },
] as const;

const programs = fc.oneof(
  randomProgram(),
  randomProgram({ loops: true }),
  randomProgram({ maxItems: 5, loops: true }),
  randomAutomata({ loops: true, maxThreads: 2, maxSpine: 4, maxExtra: 1 }),
);

/**
 * Returns the verdict on each attack. The stage that found the verdict is left out, since engines
 * differ in it.
 */
function verdictsOf({ attacks }: CheckResult) {
  return attacks.map(({ attack, verdict }) => ({ attack, verdict }));
}

test(`the search decides every attack of ${runs} random programs like the reference engine`, async () => {
  const count = new FeatureCount();
  await fc.assert(
    fc.asyncProperty(programs, async (program) => {
      const expected = await check(program, { engine: 'instrument', allAttacks: true, limits });
      const features = [...programFeatures(program), expected.verdict.kind];
      // Loops are cut off here: found attacks are real, but further attacks may exist.
      if (features.includes('loop')) {
        const traces = enumerateTraces(program, { maxTracedStates: 500, stopAtViolation: true });
        if (traces.violation) expect(expected.verdict.kind).toBe('not-robust');
      }
      count.add(features);
      const shortest = new Map<boolean, Verdict>();
      for (const variant of variants) {
        const result = await check(program, { ...variant, allAttacks: true, limits });
        expect(result.verdict.kind, JSON.stringify(variant)).toBe(expected.verdict.kind);
        expect(verdictsOf(result), JSON.stringify(variant)).toEqual(verdictsOf(expected));
        if (Object.keys(variant).every((name) => name === 'engine' || name === 'replayAll'))
          shortest.set('replayAll' in variant, result.verdict);
      }
      expect(shortest.get(false), 'the shortest of all witnesses').toEqual(shortest.get(true));
    }),
    { numRuns: runs, seed },
  );
  console.info(count.toString());
  for (const feature of ['loop', 'lock', 'not-robust', 'robust', 'symmetric threads', 'owned cell'])
    expect(count.get(feature), feature).toBeGreaterThan(runs / 100);
});
