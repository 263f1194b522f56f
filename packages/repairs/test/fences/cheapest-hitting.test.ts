import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Budget } from '@fencewright/ground/base/budget.js';
import { defaultHittingSetSolver } from '@fencewright/ground/solvers/hitting-set.js';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { findCheapest } from '../../src/fences/cheapest-hitting.js';

const seed = randomSeed(20261130);
const runs = randomRuns(400, 20_000);
const count = 6;

const item = fc.nat({ max: count - 1 });
const each = (max: number) => fc.array(fc.nat({ max }), { minLength: count, maxLength: count });
const problem = fc.record({
  costs: each(2).map((all) => all.map((cost) => cost + 1)),
  ranks: each(5),
  finalRanks: each(5),
  needs: fc.array(fc.uniqueArray(item, { minLength: 1, maxLength: 4 }), { maxLength: 6 }),
});

/** All subsets of the items, each ascending. */
const subsets = Array.from({ length: 2 ** count }, (_, bits) =>
  Array.from({ length: count }, (__, index) => index).filter((index) => (bits >> index) & 1),
);

const total = (numbers: readonly number[], chosen: readonly number[]): number =>
  chosen.reduce((sum, index) => sum + numbers[index]!, 0);

test(`ranks known from clauses choose among cheapest sets (${runs} random problems)`, async () => {
  const seen = { changed: 0, refused: 0, best: 0 };
  await fc.assert(
    fc.asyncProperty(problem, async ({ costs, ranks, finalRanks, needs }) => {
      const refuted: (readonly number[])[] = [];
      const solve = (refine?: () => readonly number[]) =>
        findCheapest({
          ...{ costs, ranks, solver: defaultHittingSetSolver, budget: new Budget() },
          ...(refine && { refine }),
          refute: (chosen) => {
            const missed = needs.find((need) => !need.some((index) => chosen.includes(index)));
            if (missed) refuted.push(chosen);
            return Promise.resolve(missed && { items: missed.toSorted((a, b) => a - b) });
          },
        });
      const plain = await solve();
      const before = refuted.length;
      const refined = await solve(() => finalRanks);
      if (plain.kind !== 'optimal' || refined.kind !== 'optimal') return expect.fail();
      // The judge: all subsets.
      const working = subsets.filter((chosen) =>
        needs.every((need) => need.some((index) => chosen.includes(index))),
      );
      const cheapest = Math.min(...working.map((chosen) => total(costs, chosen)));
      const best = working.filter((chosen) => total(costs, chosen) === cheapest);
      expect([plain.cost, refined.cost]).toEqual([cheapest, cheapest]);
      expect(best).toContainEqual(refined.chosen);
      expect(best).toContainEqual(plain.chosen);
      const rankOf = (chosen: readonly number[]): number => total(finalRanks, chosen);
      expect(rankOf(refined.chosen)).toBeLessThanOrEqual(rankOf(plain.chosen));
      // The returned clauses prove the cost: no set of items that costs less meets them all.
      const isCheaper = (chosen: readonly number[]): boolean => total(costs, chosen) < cheapest;
      for (const chosen of subsets.filter((one) => isCheaper(one)))
        expect(
          refined.clauses.every(({ items }) => items.some((one) => chosen.includes(one))),
        ).toBe(false);
      if (String(refined.chosen) !== String(plain.chosen)) seen.changed += 1;
      if (refuted.length > 2 * before) seen.refused += 1;
      if (rankOf(refined.chosen) === Math.min(...best.map(rankOf))) seen.best += 1;
    }),
    { seed, numRuns: runs },
  );
  // Expects that enough runs had a changed choice, and a preferred choice that does not work.
  expect(seen.changed).toBeGreaterThan(runs / 20);
  expect(seen.refused).toBeGreaterThan(runs / 100);
  expect(seen.best).toBeGreaterThan((9 * runs) / 10);
});

test(`a preferred set is taken if it works at this cost (${runs} random problems)`, async () => {
  const seen = { taken: 0, dearer: 0, broken: 0 };
  const given = problem.chain((asked) => {
    return fc.record({ asked: fc.constant(asked), wish: fc.constantFrom(...subsets) });
  });
  await fc.assert(
    fc.asyncProperty(given, async ({ asked: { costs, needs }, wish }) => {
      const works = (chosen: readonly number[]): boolean =>
        needs.every((need) => need.some((index) => chosen.includes(index)));
      const solve = (preferred?: () => Promise<readonly number[]>) =>
        findCheapest({
          ...{ costs, solver: defaultHittingSetSolver, budget: new Budget() },
          ...(preferred && { preferred }),
          refute: (chosen) => {
            const missed = needs.find((need) => !need.some((index) => chosen.includes(index)));
            return Promise.resolve(missed && { items: missed.toSorted((a, b) => a - b) });
          },
        });
      const plain = await solve();
      const answer = await solve(() => Promise.resolve(wish));
      if (plain.kind !== 'optimal' || answer.kind !== 'optimal') return expect.fail();
      const isCheap = total(costs, wish) === plain.cost;
      expect(answer.chosen).toEqual(isCheap && works(wish) ? wish : plain.chosen);
      expect([answer.cost, answer.clauses]).toEqual([plain.cost, plain.clauses]);
      if (isCheap) seen[works(wish) ? 'taken' : 'broken'] += 1;
      else if (works(wish)) seen.dearer += 1;
    }),
    { seed, numRuns: runs },
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(runs / 50);
});
