import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { instantiate } from '@fencewright/model/program/instantiate.js';
import { withoutAbstractions } from '@fencewright/proofs/abstractions/without-abstractions.js';
import { enumerateTraces } from '@fencewright/reference/definitions/enumerate-traces.js';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { openProgram } from '../../../proofs/test/proving.js';
import { randomProof } from '../../../proofs/test/random-proof-text.js';
import { originalRobustness } from '../../src/api/original-robustness.js';

const corpus = new URL('../../../../corpus/reduction/', import.meta.url).pathname;
const bareText = (name: string): string => readFileSync(`${corpus}${name}.fw`, 'utf8');

it.each([
  ['dc-locking', { kind: 'all' }],
  ['inline-pgsql', { kind: 'copies', copies: 3 }],
  // Column RB of Chase-Lev is a minus.
  ['chase-lev', undefined],
])('column RB of %s', async (name, expected) => {
  const open = openProgram(bareText(name));
  expect(await originalRobustness(open, { maxStates: 5_000 })).toEqual(expected);
});

it('is refuted by no small instance with plain loads', async () => {
  const seen = { programs: 0, all: 0, copies: 0, none: 0, guessed: 0, judged: 0 };
  await fc.assert(
    fc.asyncProperty(randomProof, async ({ open, text }) => {
      const found = await originalRobustness(open, {});
      seen.programs++;
      seen[found?.kind ?? 'none']++;
      seen.guessed += Number(text.includes('havoc') || text.includes('weak_'));
      if (!found) return;
      const original = withoutAbstractions(open);
      const most = open.unbounded.length === 0 ? 1 : found.kind === 'all' ? 3 : found.copies;
      for (let copies = 1; copies <= most; copies++) {
        const counts = original.templates.threads.map(() => copies);
        const { program } = instantiate(original, counts, { low: 0, high: copies });
        if (program.threads.length > 3) continue;
        const options = { stopAtViolation: true, maxTracedStates: 500 };
        const { violation, complete } = enumerateTraces(program, options);
        seen.judged += Number(complete);
        expect(violation, `${copies}: ${text}`).toBeUndefined();
      }
    }),
    { numRuns: randomRuns(60, 3000, 20), seed: randomSeed(20_261_131), endOnFailure: true },
  );
  console.log('robustness without abstractions', seen);
  expect(seen.all + seen.copies).toBeGreaterThan(seen.programs / 10);
  expect(seen.none).toBeGreaterThan(seen.programs / 10);
  expect(seen.judged).toBeGreaterThan(seen.programs / 10);
});
