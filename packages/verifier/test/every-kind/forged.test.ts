import { expect } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { describeWith } from '../../../../tools/external-program.js';
import { test } from 'vitest';
import { forgeEveryKind, operations } from './campaign.js';
import { kinds } from './subjects.js';

const runs = randomRuns(400, 4000);
const seed = randomSeed(20261126);

describeWith('z3', ['--version'], 'certificates of every kind', () => {
  test(`are refused where what they say is false: ${runs} forgeries`, async () => {
    const { counts, wrong } = await forgeEveryKind({ forgeries: runs, seed, kinds, poolSize: 4 });
    console.info(
      [...counts]
        .map(([name, n]) => `${name}: ${n}`)
        .sort()
        .join('\n'),
    );
    expect(wrong).toEqual([]);
    for (const kind of kinds) {
      expect(counts.get(`kind ${kind}: false`), kind).toBeGreaterThan(runs / 200);
      expect(counts.get(`kind ${kind}: accepted`), kind).toBeGreaterThan(0);
    }
    for (const name of Object.keys(operations))
      expect(counts.get(`operation ${name}`), name).toBeGreaterThan(0);
  });
});
