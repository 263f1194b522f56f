import { Budget } from '@fencewright/ground/base/budget.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import type { C11Model } from '@fencewright/model/c11/execution-graph.js';
import type { C11Result } from '@fencewright/model/verdict/c11-result.js';
import { describe, expect, test } from 'vitest';
import { checkC11 } from '../../src/c11/check-c11.js';
import { isCampaign, randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { answerByGraphs } from './all-graphs.js';
import { isRobustWithBuffering } from './buffered-graphs.js';
import { bufferingAcrossRmw } from './buffering-across-rmws.js';
import { casBehindLoad } from './cas-behind-load.js';
import { mayForward } from './may-forward.js';
import { type ProgramSketch, randomSketch, textOf } from './sketch.js';
import { FeatureCounts } from './sketch-features.js';

async function decide(sketch: ProgramSketch, model: C11Model): Promise<C11Result> {
  const { model: read, diagnostics } = parseNative(textOf(sketch));
  const program = finiteProgram(read);
  if (!program) throw new Error(JSON.stringify(diagnostics));
  return checkC11(program, model, new Budget());
}

function isBuffering({ verdict }: C11Result): boolean {
  return verdict.kind === 'not-robust' && verdict.violation.kind === 'load-buffering';
}

/** Whether a read-modify-write that the search does not follow may hide load buffering. */
function isDoubtful({ verdict }: C11Result): boolean {
  return verdict.kind === 'unknown' && verdict.limit === 'rmws-behind-loads';
}

/**
 * Whether the program is robust only by the text of C++20: by an order of `seq_cst` loads that
 * processors do not keep.
 */
function isOnlyByText({ verdict }: C11Result): boolean {
  return verdict.kind === 'unknown' && verdict.limit === 'forwarded-to-seq-cst';
}

/**
 * Returns seeds for random programs: `usual` seeds in a usual run of the tests, `long` seeds in a
 * campaign.
 */
function seeds(usual: number, long: number): readonly number[] {
  const from = randomSeed(20_000);
  return Array.from({ length: randomRuns(usual, long) }, (_, i) => from + i);
}

describe('random programs against all their execution graphs, by the definitions', () => {
  test.each(['c11', 'ra'] as const)('model %s', async (model) => {
    const counts = { robust: 0, not: 0 };
    const features = new FeatureCounts();
    for (const seed of seeds(60, 5000)) {
      const sketch = randomSketch(seed, { branches: true, plain: false });
      const wanted = answerByGraphs(sketch, model, 4000);
      if (!wanted) continue;
      const result = await decide(sketch, model);
      // Load buffering is not among the graphs of RC20.
      const isRobust =
        result.verdict.kind === 'robust' ||
        isBuffering(result) ||
        isDoubtful(result) ||
        isOnlyByText(result);
      expect([seed, isRobust]).toEqual([seed, wanted.isRobust]);
      counts[isRobust ? 'robust' : 'not'] += 1;
      features.add(sketch);
    }
    expect(counts.robust).toBeGreaterThan(30);
    if (isCampaign) console.log(model, counts, features.all());
    expect(counts.not).toBeGreaterThan(5);
  });

  test.each([
    ['of all kinds', (seed: number) => randomSketch(seed, { branches: false, plain: false })],
    ['across read-modify-writes', bufferingAcrossRmw],
    ['beside a cas that acquires on failure', casBehindLoad],
  ])('load buffering %s, by preserved program order', async (_, make) => {
    const counts = { robust: 0, old: 0, buffering: 0, doubtful: 0 };
    const features = new FeatureCounts();
    for (const seed of seeds(120, 2000)) {
      const sketch = make(seed);
      const wanted = isRobustWithBuffering(sketch, 4000);
      if (wanted === undefined) continue;
      const result = await decide(sketch, 'c11');
      const isRobust = result.verdict.kind === 'robust' || isOnlyByText(result);
      // In these cases search and judge may differ: the judge treats a read-modify-write as one
      // step, and forwards no waiting store to a load.
      const isBeyond = isDoubtful(result) || (isBuffering(result) && mayForward(result));
      if (!isBeyond) expect([seed, isRobust]).toEqual([seed, wanted]);
      if (isBeyond) counts.doubtful += 1;
      else counts[isRobust ? 'robust' : isBuffering(result) ? 'buffering' : 'old'] += 1;
      features.add(sketch);
    }
    if (isCampaign) console.log(counts, features.all());
    expect(counts.robust).toBeGreaterThan(10);
    expect(counts.buffering).toBeGreaterThan(0);
    expect(counts.doubtful).toBeLessThan(counts.robust);
  });

  test('data races of robust programs', async () => {
    const counts = { racy: 0, free: 0 };
    const features = new FeatureCounts();
    for (const seed of seeds(60, 2500)) {
      const sketch = randomSketch(seed, { branches: true, plain: true });
      const wanted = answerByGraphs(sketch, 'c11', 4000);
      if (!wanted?.isRobust) continue;
      const result = await decide(sketch, 'c11');
      if (isBuffering(result) || isOnlyByText(result)) continue;
      expect([seed, result.race !== 'none']).toEqual([seed, wanted.isRacy]);
      counts[wanted.isRacy ? 'racy' : 'free'] += 1;
      features.add(sketch);
    }
    if (isCampaign) console.log(counts, features.all());
    expect(counts.racy).toBeGreaterThan(5);
    expect(counts.free).toBeGreaterThan(5);
  });
});
