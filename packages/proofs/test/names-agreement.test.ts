import fc from 'fast-check';
import { expect, it } from 'vitest';
import { randomRuns, randomSeed } from '../../../tools/random-runs.js';
import { prove } from '../../core/src/api/prove.js';
import { useSolver } from './proving.js';
import { randomProof } from './random-proof-text.js';
import { refuteByDefinition } from './refute-by-definition.js';

const numRuns = randomRuns(60, 5000, 15);
const seed = randomSeed(20_261_122);
/** Of this number of random programs, one is proved with inferred invariants and abstractions. */
const infersEvery = 20;

const solver = useSolver();

it('never says of a program with names that meet what an instance refutes by definition', async () => {
  const seen = {
    ...{ programs: 0, any: 0, odd: 0, locked: 0, weak: 0, guessed: 0, loops: 0, self: 0 },
    ...{ inferred: 0, proved: 0, robust: 0, value: 0, abstraction: 0, inductive: 0, broken: 0 },
    ...{ instances: 0, complete: 0, searched: 0, searchedToTheEnd: 0 },
  };
  let number = 0;
  await fc.assert(
    fc.asyncProperty(randomProof, async ({ open, text, hasOddNames }) => {
      const infer = number++ % infersEvery === infersEvery - 1;
      const limits = { timeout: 20_000 };
      const options = { solver, searchInstances: false, limits, ...(infer && { infer }) };
      const { result } = await prove(open, options);
      const { verdict, invariants, confrontation } = result;
      seen.programs++;
      seen.any += Number(open.unbounded.length > 0);
      seen.odd += Number(hasOddNames);
      seen.locked += Number(text.includes('atomic'));
      seen.weak += Number(text.includes('weak_'));
      seen.guessed += Number(text.includes('havoc'));
      seen.loops += Number(text.includes('while'));
      seen.self += Number(/\[[*2]\] .*self/.test(text));
      seen.inferred += Number(infer);
      const inductive = invariants.filter(
        (each) => each.origin === 'given' && each.verdict === 'inductive',
      );
      seen.inductive += inductive.length;
      seen.broken += invariants.filter((each) => each.verdict === 'broken').length;
      if (verdict.kind === 'proved') {
        const { conclusion } = verdict;
        seen.proved++;
        seen.robust += Number(conclusion.kind === 'robust');
        seen.value += Number(conclusion.kind === 'robust' && conclusion.happensBefore === 'value');
        seen.abstraction += Number(conclusion.kind === 'abstraction');
      }
      // Whatever is claimed has been confronted.
      const claims = verdict.kind === 'proved' || invariants.some((i) => i.verdict === 'inductive');
      expect(confrontation !== undefined).toBe(claims);
      for (const { violation, tsoStates, invariants: found } of confrontation?.instances ?? []) {
        seen.searched++;
        if ([violation, tsoStates, found].every((extent) => (extent ?? 'all') === 'all'))
          seen.searchedToTheEnd++;
      }
      const judged = await refuteByDefinition(open, result);
      seen.instances += judged.instances;
      seen.complete += judged.complete;
      expect(judged.because, text).toBeUndefined();
    }),
    { numRuns, seed, endOnFailure: true },
  );
  console.log('names that meet', seen);
  const share = (part: number): number => Math.floor(numRuns / part);
  expect(seen.robust).toBeGreaterThan(share(8));
  expect(seen.any).toBeGreaterThan(share(3));
  expect(seen.odd).toBeGreaterThan(share(10));
  for (const feature of ['locked', 'weak', 'guessed', 'loops', 'self'] as const)
    expect(seen[feature], feature).toBeGreaterThan(share(20));
  expect(seen.inductive).toBeGreaterThan(share(20));
  expect(seen.broken).toBeGreaterThan(share(20));
  expect(seen.complete).toBeGreaterThan(share(8));
});
