import { expect } from 'vitest';
import { describeWith } from '../../../../tools/external-program.js';
import { test } from 'vitest';
import { forgeEveryKind, operations } from './campaign.js';
import { kinds } from './subjects.js';

/** A long run sets FENCEWRIGHT_EVERY_KIND_RUNS=4000 and its own FENCEWRIGHT_SEED. */
const runs = Number(process.env.FENCEWRIGHT_EVERY_KIND_RUNS ?? 400);
const seed = Number(process.env.FENCEWRIGHT_SEED ?? 20261126);

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
  }, 36_000_000);
});
