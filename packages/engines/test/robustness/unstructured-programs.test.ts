import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { check, type CheckOptions } from '../../../core/src/api/check.js';
import { reach } from '../../../core/src/api/reach.js';
import { trf } from '../../../core/src/api/trf.js';
import type { Program } from '@fencewright/model/program/program.js';
import { attacksByDefinition } from '@fencewright/reference/definitions/attacks-by-definition.js';
import { enumerateTraces } from '@fencewright/reference/definitions/enumerate-traces.js';
import { FeatureCount, programFeatures } from '@fencewright/reference/testing/program-features.js';
import { randomAutomata } from '@fencewright/reference/testing/random-automata.js';
import type { HappensBefore } from '@fencewright/model/trace/trace.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';
import { hasTriangularRace, racesByDefinition } from '../triangular-races/races-by-definition.js';

const runs = randomRuns(250, 2500, 90);
const seed = randomSeed(20130318);

const maxTracedStates = 10_000;

const standardVariants: readonly CheckOptions[] = [
  { engine: 'instrument' },
  { engine: 'single-query', without: ['local-first', 'dead-registers', 'freeze'] },
  { engine: 'search', replayAll: true },
  { engine: 'search', without: ['static-path'], forTests: { stagesAfter: 0 } },
  { engine: 'search', without: ['static-path', 'owned-cells', 'symmetry', 'dead-registers'] },
  {
    engine: { name: 'search', kernel: 'wasm' },
    without: ['static-path', 'shared-dead-states'],
    forTests: { tightLayout: true },
  },
];

const variants: Record<HappensBefore, readonly CheckOptions[]> = {
  standard: standardVariants,
  value: [
    { replayAll: true },
    { without: ['static-path'], forTests: { stagesAfter: 0 } },
    { without: ['static-path', 'owned-cells', 'symmetry', 'dead-registers'] },
  ],
};

function names(attacks: readonly Attack[]): string[] {
  return attacks.map(({ thread, store, load }) => `${thread}:${store}:${load}`).sort();
}

/**
 * Expects all variants of the engines to agree with two definitions, of traces and of attacks.
 * Returns the verdict; `undefined` if brute force is incomplete.
 */
async function expectAgreement(
  program: Program,
  happensBefore: HappensBefore,
): Promise<'robust' | 'not-robust' | undefined> {
  const traces = enumerateTraces(program, { maxTracedStates, happensBefore });
  const definition = attacksByDefinition(program, maxTracedStates, happensBefore);
  if (!traces.complete || !definition.complete) return undefined;
  const verdict = traces.violation ? 'not-robust' : 'robust';
  const feasible = names(definition.feasible);
  expect(feasible.length > 0, 'attacks by the definition').toBe(verdict === 'not-robust');
  for (const variant of variants[happensBefore]) {
    const who = `${happensBefore} ${JSON.stringify(variant)}`;
    const all = await check(program, { ...variant, happensBefore, allAttacks: true });
    expect(all.verdict.kind, who).toBe(verdict);
    const found = all.attacks.filter((decided) => decided.verdict === 'feasible');
    expect(names(found.map(({ attack }) => attack)), who).toEqual(feasible);
    expect((await check(program, { ...variant, happensBefore })).verdict.kind, who).toBe(verdict);
  }
  return verdict;
}

/**
 * Compares the verdicts of `reach` and `trf` with their definitions, for a program that brute force
 * explores completely.
 */
async function expectSameAnswers(program: Program): Promise<void> {
  const traces = enumerateTraces(program, { maxTracedStates });
  const { sc, tso } = await reach(program);
  expect(sc.finalStates.length, 'final states under SC').toBe(traces.sequentialFinalStates);
  expect(tso.finalStates.length, 'final states under TSO').toBe(traces.finalStates);
  const { verdict } = await trf(program);
  const hasRace = racesByDefinition(program, 5_000);
  if (hasRace !== undefined) expect(verdict.kind).toBe(hasRace ? 'race' : 'free');
  if (verdict.kind === 'race')
    expect(hasTriangularRace(program, verdict.race.computation)).toBe(true);
}

const finite = fc.oneof(
  randomAutomata(),
  randomAutomata({ maxThreads: 2, maxSpine: 5 }),
  randomAutomata({ minThreads: 4, maxThreads: 5, maxSpine: 2, maxExtra: 1 }),
  randomAutomata({ minThreads: 0, maxThreads: 2 }),
);

test(`everybody agrees on ${runs} random automata without structure`, async () => {
  const count = new FeatureCount();
  await fc.assert(
    fc.asyncProperty(finite, async (program) => {
      const features = programFeatures(program);
      const standard = await expectAgreement(program, 'standard');
      const value = await expectAgreement(program, 'value');
      if (standard !== undefined) await expectSameAnswers(program);
      count.add([...features, standard ?? 'too large', ...(value ? [`by value ${value}`] : [])]);
    }),
    { numRuns: runs, seed },
  );
  console.info(count.toString());
  for (const feature of ['robust', 'not-robust', 'by value not-robust', 'lock', '0 threads'])
    expect(count.get(feature), feature).toBeGreaterThan(runs / 50);
  for (const feature of [
    'rmw fetch',
    'rmw fetch_max',
    'rmw fetch_min',
    'rmw cas',
    'assert',
    'havoc',
    '5 threads',
  ])
    expect(count.get(feature), feature).toBeGreaterThan(runs / 100);
});

const faulty = fc.oneof(
  randomAutomata({ faults: true }),
  randomAutomata({ faults: true, maxThreads: 2, maxSpine: 5 }),
);

test(`no fault makes one of ${runs} random automata robust that is not`, async () => {
  const seen = { faulty: 0, violation: 0, 'not-robust': 0, robust: 0, unknown: 0, error: 0 };
  await fc.assert(
    fc.asyncProperty(faulty, async (program) => {
      const traces = enumerateTraces(program, { maxTracedStates });
      if (traces.complete) return;
      const byValue = enumerateTraces(program, { maxTracedStates, happensBefore: 'value' });
      seen.faulty++;
      if (traces.violation) seen.violation++;
      for (const variant of standardVariants) {
        const { verdict } = await check(program, variant);
        seen[verdict.kind]++;
        if (traces.violation) expect(verdict.kind, JSON.stringify(variant)).not.toBe('robust');
      }
      const { verdict } = await check(program, { happensBefore: 'value' });
      if (byValue.violation) expect(verdict.kind).not.toBe('robust');
      if (traces.violation) expect((await trf(program)).verdict.kind).not.toBe('free');
    }),
    { numRuns: runs, seed },
  );
  console.info(seen);
  expect(seen.faulty).toBeGreaterThan(runs / 20);
  expect(seen.violation).toBeGreaterThan(runs / 100);
});
