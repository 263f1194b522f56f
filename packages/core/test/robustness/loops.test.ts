import fc from 'fast-check';
import { expect, test } from 'vitest';
import { check } from '../../src/api/check.js';
import { enumerateTraces } from '../../src/robustness/enumerate-traces.js';
import { FeatureCount, programFeatures } from '../../src/testing/program-features.js';
import { randomProgram } from '../../src/testing/random-program.js';

const runs = Math.ceil(Number(process.env.FENCEWRIGHT_RUNS ?? 2000) / 2);
const seed = Number(process.env.FENCEWRIGHT_SEED ?? 20180718);

/** The values of these programs stay small, so all their state spaces are finite. */
const limits = { maxStates: 200_000 };

const variants = [
  { engine: 'single-query' },
  { engine: 'search' },
  { engine: 'search', ownedCells: false },
  { engine: 'search', symmetry: false, maskDeadRegisters: false },
  { engine: 'search', shareDeadStates: false, tightLayout: true },
  { engine: 'search', kernel: 'wasm' },
  { engine: 'search', kernel: 'wasm', tightLayout: true },
  { engine: 'search', kernel: 'typescript', tightLayout: true },
] as const;

test(`the engines agree on every attack of ${runs} random programs with loops`, async () => {
  const count = new FeatureCount();
  await fc.assert(
    fc.asyncProperty(randomProgram({ loops: true }), async (program) => {
      const expected = await check(program, { engine: 'instrument', allAttacks: true, limits });
      // Loops are cut off here: what is found is real, what is not found may be further on.
      const traces = enumerateTraces(program, { maxConfigurations: 2000, stopAtViolation: true });
      if (traces.violation) expect(expected.verdict.kind).toBe('not-robust');
      count.add([...programFeatures(program), expected.verdict.kind]);
      for (const variant of variants) {
        const result = await check(program, { ...variant, allAttacks: true, limits });
        expect(result.verdict.kind, JSON.stringify(variant)).toBe(expected.verdict.kind);
        expect(result.attacks, JSON.stringify(variant)).toEqual(expected.attacks);
      }
    }),
    { numRuns: runs, seed },
  );
  console.info(count.toString());
  for (const feature of ['loop', 'lock', 'not-robust', 'robust', 'twin threads'])
    expect(count.get(feature), feature).toBeGreaterThan(runs / 100);
}, 3_600_000);
