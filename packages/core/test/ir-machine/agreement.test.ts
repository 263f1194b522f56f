import { rmSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { allClangs, freshFolder } from '../node/clang/clangs.js';
import { type Compared, compareAll } from './compare.js';
import { randomC } from './random-c-text.js';
import { randomCpp } from './random-cpp-text.js';
import type { RandomText } from './random-text.js';

/** A longer run sets FENCEWRIGHT_JUDGE_RUNS=5000 and its own FENCEWRIGHT_SEED. */
const runs = Number(process.env.FENCEWRIGHT_JUDGE_RUNS ?? 100);
const first = Number(process.env.FENCEWRIGHT_SEED ?? 0);
const limits = { maxStates: 20_000, toolStates: 200_000 };

const clang = (await allClangs()).find(({ kind }) => kind === 'native');
const folder = freshFolder();
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** How often things were seen. */
class Counts {
  readonly counts = new Map<string, number>();

  add(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  addCompared({ judged, said }: Compared, { kinds }: RandomText): void {
    this.add(judged.kind === 'judged' ? `judged: ${judged.verdict}` : `not judged: ${judged.why}`);
    this.add(said.kind === 'said' ? `said: ${said.verdict}` : `refused: ${said.why}`);
    if (judged.kind !== 'judged' || said.kind !== 'said') return;
    this.add('compared');
    for (const kind of kinds) this.add(kind);
  }
}

const sources: readonly [string, number, (seed: number) => RandomText][] = [
  ['C', Math.ceil(runs * 0.8), (seed) => randomC(seed)],
  ['C++', Math.floor(runs * 0.2), randomCpp],
];

describe.skipIf(!clang)('random programs', { timeout: 300_000 + 10_000 * runs }, () => {
  test.each(sources)(
    'in %s: the tool says what a machine for LLVM IR does',
    async (language, count, make) => {
      const counts = new Counts();
      const disagreements: { readonly seed: number; readonly said: readonly string[] }[] = [];
      for (let done = 0; done < count; done += 20) {
        const length = Math.min(20, count - done);
        const programs = Array.from({ length }, (__, i) => {
          const seed = first + done + i;
          return { seed, made: make(seed) };
        });
        const compared = await compareAll(clang!, programs, folder, limits);
        compared.forEach((each, i) => {
          counts.addCompared(each, programs[i]!.made);
          if (each.disagreements.length > 0)
            disagreements.push({
              seed: each.seed,
              said: [...each.disagreements, each.asked ?? '', each.text],
            });
        });
      }
      console.log(Object.fromEntries([...counts.counts].toSorted()));
      expect(disagreements).toEqual([]);
      expect(counts.counts.get('compared') ?? 0).toBeGreaterThan(count / 2);
      // Few of the programs in C++ have stores that are not locked.
      if (language === 'C')
        expect(counts.counts.get('judged: not-robust') ?? 0).toBeGreaterThan(count / 20);
    },
  );
});
