import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { check } from '../../../core/src/api/check.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { Computation } from '@fencewright/model/trace/computation.js';
import { countDelays } from '@fencewright/model/trace/count-delays.js';
import type { Witness } from '@fencewright/model/verdict/verdict.js';
import { fewestDelaysByDefinition } from '@fencewright/reference/definitions/fewest-delays-by-definition.js';
import { randomProgram } from '@fencewright/reference/testing/random-program.js';
import { minimalViolation } from '../../src/search/minimal-violation.js';
import { programOf } from '../robustness/native-program.js';

async function minimalWitness(
  program: Program,
  budget = new Budget(),
): Promise<Witness | undefined> {
  const { verdict } = await check(program);
  if (verdict.kind !== 'not-robust') return undefined;
  return minimalViolation(program, verdict.witness, budget);
}

/**
 * Whether a computation has the form of [BDM13x] Lemma 5: a delayed store is delayed past a load,
 * and then past stores only.
 */
function delaysAsLemma5(computation: Computation): boolean {
  const waiting = new Map<number, { address: number; passed: (typeof computation)[number][] }[]>();
  for (const action of computation) {
    const own = waiting.get(action.thread) ?? [];
    if (action.kind === 'store') {
      const [first, ...rest] = own;
      const last = first?.passed.findLast(({ kind }) => kind !== 'store');
      if (last && (last.kind !== 'load' || last.address === first?.address)) return false;
      if (first && !last && first.passed.length > 0) return false;
      waiting.set(action.thread, rest);
    }
    for (const { passed } of waiting.get(action.thread) ?? []) passed.push(action);
    if (action.kind === 'issue')
      waiting.set(action.thread, [
        ...(waiting.get(action.thread) ?? []),
        { address: action.address, passed: [] },
      ]);
  }
  return true;
}

describe('the number of delays', () => {
  test.each([
    // The violation delays one store past one load.
    ['x = 1; r = y;', 1],
    // The store is delayed past the load of z, too.
    ['x = 1; q = z; r = y;', 2],
    // x passes the issue of v and the load; v passes the load and the arrival of x.
    ['x = 1; v = 1; r = y;', 4],
    // The store of z arrives at once.
    ['z = 1; x = 1; r = y;', 1],
    // The detour over w is longer.
    ['x = 1; if (w == 0) { q = z; q = z; q = z; } r = y;', 3],
  ])('%s', async (code, delays) => {
    const program = programOf(
      `var x, y, z, v, w
      thread long { local r, q; ${code} }
      thread other { local p; y = 1; p = z; p = z; p = z; p = z; p = z; p = z; p = x; }
      thread late { w = 1; }`,
    );
    const witness = await minimalWitness(program);
    expect(witness && countDelays(witness.computation)).toBe(delays);
    expect(witness?.isMinimal).toBe(true);
  });

  test('is not called the least if the search was interrupted', async () => {
    const program = programOf(
      `var x, y
      thread a { local r; x = 1; r = x; r = y; }
      thread b { local r; y = 1; r = y; r = x; }`,
    );
    const witness = await minimalWitness(program, new Budget({ maxStates: 0 }));
    expect(witness?.isMinimal).toBe(false);
  });
});

test('random programs: as by the definition, with any number of delaying threads', async () => {
  const runs = randomRuns(150, 2000, 45);
  let compared = 0;
  let spared = 0;
  await fc.assert(
    fc.asyncProperty(randomProgram(), async (program) => {
      const least = fewestDelaysByDefinition(program, 20_000);
      if (least === 'unknown') return;
      const { verdict } = await check(program);
      if (least === 'none') {
        expect(verdict.kind).toBe('robust');
        return;
      }
      if (verdict.kind !== 'not-robust') throw new Error(`not robust by definition`);
      const witness = await minimalViolation(program, verdict.witness, new Budget());
      expect(countDelays(witness.computation)).toBe(least);
      expect(witness.isMinimal).toBe(true);
      expect(delaysAsLemma5(witness.computation)).toBe(true);
      compared++;
      if (countDelays(verdict.witness.computation) > least) spared++;
    }),
    { numRuns: runs, seed: randomSeed(515) },
  );
  expect(compared).toBeGreaterThan(runs / 10);
  expect(spared).toBeGreaterThan(0);
}, 600_000);
