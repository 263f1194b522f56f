import { Budget } from '@fencewright/ground/base/budget.js';
import { checkC11 } from '@fencewright/engines/c11/check-c11.js';
import { describe, expect, test } from 'vitest';
import { isCampaign, randomRuns, randomSeed } from '../../../../../tools/random-runs.js';
import { answerByGraphs } from '../../../../engines/test/c11/all-graphs.js';
import { randomSketch } from '../../../../engines/test/c11/sketch.js';
import { allClangs } from './clangs.js';
import { readC } from './marked-c.js';
import { sketchInC } from './sketch-in-c.js';

const [clang] = (await allClangs()).filter(({ kind }) => kind === 'native');

// Goes from the text through clang and LLVM's IR to the monitor; the judge uses none of these.
describe.skipIf(clang === undefined)('C programs against all their execution graphs', () => {
  test('by the definitions', async () => {
    const counts = { robust: 0, old: 0, buffering: 0, racy: 0 };
    const from = randomSeed(31_029);
    for (let seed = from; seed < from + randomRuns(12, 300); seed++) {
      const sketch = randomSketch(seed, { branches: true, plain: seed % 2 === 0 });
      const wanted = answerByGraphs(sketch, 'c11', 4000);
      if (!wanted) continue;
      const text = sketchInC(sketch);
      const program = await readC(clang!, `${seed}.c`, text);
      const { verdict, race } = await checkC11(program, 'c11', new Budget());
      const isBuffering =
        verdict.kind === 'not-robust' && verdict.violation.kind === 'load-buffering';
      const isDoubtful = verdict.kind === 'unknown' && verdict.limit === 'rmws-behind-loads';
      const isRobust = verdict.kind === 'robust' || isBuffering || isDoubtful;
      expect([isRobust, text]).toEqual([wanted.isRobust, text]);
      // Only robust programs have all their data races in interleavings.
      if (verdict.kind === 'robust') expect([race !== 'none', text]).toEqual([wanted.isRacy, text]);
      if (isBuffering) counts.buffering += 1;
      else counts[isRobust ? 'robust' : 'old'] += 1;
      if (wanted.isRacy) counts.racy += 1;
    }
    if (isCampaign) console.log(counts);
    expect(counts.robust).toBeGreaterThan(3);
    expect(counts.old).toBeGreaterThan(0);
    expect(counts.racy).toBeGreaterThan(0);
  });
});
