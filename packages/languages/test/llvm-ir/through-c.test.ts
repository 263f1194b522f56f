import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { rm } from 'node:fs/promises';
import { FeatureCount, programFeatures } from '@fencewright/reference/testing/program-features.js';
import { randomProgram } from '@fencewright/reference/testing/random-program.js';
import { loadCorpus, parseCorpusFile } from '../../../core/test/corpus/load-corpus.js';
import { allClangs, freshFolder } from '../../../core/test/node/clang/clangs.js';
import { bothWays, endsInBlock } from './through-c.js';

const runs = randomRuns(40, 300, 7);
const seed = randomSeed(20121123);

const clang = (await allClangs()).find(({ kind }) => kind === 'native');
const folder = freshFolder();
afterAll(() => rm(folder, { recursive: true }));

const programs = fc.oneof(
  randomProgram({ maxItems: 4, maxThreads: 2 }),
  randomProgram({ maxItems: 3 }),
  randomProgram({ maxItems: 3, many: 'rmws' }),
  randomProgram({ maxItems: 3, many: 'lock blocks' }),
);

describe.skipIf(!clang)('a program and its text in C', () => {
  test('are the same: random ones', async () => {
    const count = new FeatureCount();
    const verdicts = new Map<string, number>();
    const property = fc.asyncProperty(programs, async (program) => {
      const [before, after] = await bothWays(clang!, folder, program);
      const { sc: _, tso: __, ...said } = before;
      if (endsInBlock(program)) expect(after).toMatchObject(said);
      else expect(after).toEqual(before);
      count.add(programFeatures(program));
      verdicts.set(before.verdict, (verdicts.get(before.verdict) ?? 0) + 1);
    });
    await fc.assert(property, { numRuns: runs, seed, endOnFailure: true });
    console.log(Object.fromEntries(verdicts), count.toString());
    expect(verdicts.get('not-robust')).toBeGreaterThan(runs / 20);
    expect(verdicts.get('robust')).toBeGreaterThan(runs / 4);
  });

  test.each(
    loadCorpus('corpus/litmus')
      .filter((_, i) => i % 4 === 0)
      .map((file) => [file.path, file] as const),
  )('are the same: %s', async (_, file) => {
    const [before, after] = await bothWays(clang!, folder, parseCorpusFile(file));
    expect(before.verdict).toBe(file.expected.verdict);
    expect(after).toEqual(before);
  });
});
