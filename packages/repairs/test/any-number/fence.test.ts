import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { checkParameterized } from '../../../core/src/api/check-parameterized.js';
import { fenceParameterized } from '../../../core/src/api/fence.js';
import { applyRepair } from '../../src/fences/apply-repair.js';
import { sizeCosts } from '../../src/fences/cost-models.js';
import { insertionProblem } from '../../src/fences/repair-problem.js';
import { unboundedModel, type UnboundedModel } from '@fencewright/model/program/model.js';
import type { Program } from '@fencewright/model/program/program.js';
import { randomProgram } from '@fencewright/reference/testing/random-program.js';
import type { HappensBefore } from '@fencewright/model/trace/trace.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { loadParameterized } from './load-parameterized.js';

const runs = randomRuns(60, 1200, 30);
const seed = randomSeed(20130320);

async function isRobust(
  templates: Program,
  unbounded: readonly number[],
  happensBefore: HappensBefore = 'standard',
): Promise<boolean> {
  const { result } = await checkParameterized(
    { kind: 'unbounded', templates, unbounded },
    { happensBefore },
  );
  expect(['robust', 'not-robust']).toContain(result.verdict.kind);
  return result.verdict.kind === 'robust';
}

/**
 * Returns the least number of fences that make all instances robust, by trying all sets with fewer
 * than `most`.
 */
async function fewestByTrying(
  { templates, unbounded }: UnboundedModel,
  most: number,
  happensBefore: HappensBefore = 'standard',
): Promise<number> {
  const { items } = insertionProblem(templates, 'fence', sizeCosts(templates));
  let sets: number[][] = [[]];
  for (let size = 0; size < most; size++) {
    for (const set of sets) {
      const repairs = set.map((index) => items[index]!);
      if (await isRobust(applyRepair(templates, repairs), unbounded, happensBefore)) return size;
    }
    sets = sets.flatMap((set) =>
      items.flatMap((_, index) => (index > (set.at(-1) ?? -1) ? [[...set, index]] : [])),
    );
  }
  return most;
}

describe('fences for all instances', () => {
  test('attacks that no happens-before path completes need no search', async () => {
    const program = unboundedModel(
      parseNative(`program P
        var x
        thread writer { local r; loop { r = x; x = r + 1; } }
        thread reader[*] { local a; loop { a = x; } }`).model,
    )!;
    const { verdict, statistics } = await fenceParameterized(program, {
      limits: { maxStates: 10 },
    });
    expect(verdict).toMatchObject({ kind: 'found', cost: 0 });
    expect(statistics.states).toBe(0);
  });

  test.each(['standard', 'value'] as const)(
    'a thread of its own has the code of one with copies, and either is an attacker: %s',
    async (happensBefore) => {
      const program = unboundedModel(
        parseNative(`program P
        var x, y
        thread a { local r; x = 1; r = y; }
        thread b[*] { local r; atomic { r = x; y = 1; } }
        thread c[*] { local r; x = 1; r = y; }`).model,
      )!;
      const { verdict } = await fenceParameterized(program, { happensBefore });
      expect(verdict).toMatchObject({ kind: 'found', cost: 2 });
      expect(await fewestByTrying(program, 3, happensBefore)).toBe(2);
    },
  );

  test.each(loadParameterized())('$path', async ({ program, expected }) => {
    const { verdict, certificate } = await fenceParameterized(program);
    expect(certificate).toBeUndefined();
    expect(verdict.kind).toBe('found');
    if (verdict.kind !== 'found') return;
    expect(verdict.repairs.length === 0).toBe(expected.verdict === 'robust');
    expect(await isRobust(verdict.repaired, program.unbounded)).toBe(true);
    if (verdict.cost === 1 || verdict.cost === 2)
      expect(await fewestByTrying(program, verdict.cost)).toBe(verdict.cost);
  });

  test.each([
    { happensBefore: 'standard', fewValues: false, maxItems: 3, runs },
    { happensBefore: 'value', fewValues: true, maxItems: 4, runs: 3 * runs },
  ] as const)(
    'are the fewest, of $runs random programs, $happensBefore happens-before',
    async ({ happensBefore, fewValues, maxItems, runs }) => {
      const costs = new Map<number, number>();
      let cheaper = 0;
      await fc.assert(
        fc.asyncProperty(
          randomProgram({ maxThreads: 2, maxItems, fewValues }),
          fc.constantFrom([0], [1], [0, 1]),
          async (templates, unbounded) => {
            const program = { kind: 'unbounded', templates, unbounded } as const;
            const { verdict } = await fenceParameterized(program, { happensBefore });
            expect(verdict.kind).toBe('found');
            if (verdict.kind !== 'found') return;
            costs.set(verdict.cost, (costs.get(verdict.cost) ?? 0) + 1);
            expect(await isRobust(verdict.repaired, unbounded, happensBefore)).toBe(true);
            expect(await fewestByTrying(program, verdict.cost, happensBefore)).toBe(verdict.cost);
            if (happensBefore === 'standard') return;
            const standard = await fenceParameterized(program);
            if (standard.verdict.kind !== 'found') return;
            expect(verdict.cost).toBeLessThanOrEqual(standard.verdict.cost);
            if (verdict.cost < standard.verdict.cost) cheaper += 1;
          },
        ),
        { numRuns: runs, seed },
      );
      console.info('random programs by the number of fences:', costs, { cheaper });
      expect(costs.get(1) ?? 0).toBeGreaterThan(0);
      if (!fewValues) expect(costs.get(2) ?? 0).toBeGreaterThan(0);
      if (fewValues) expect(cheaper).toBeGreaterThan(0);
    },
  );
});
