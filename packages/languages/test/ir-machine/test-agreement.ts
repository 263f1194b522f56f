import { rmSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { allClangs, freshFolder } from '../../../core/test/node/clang/clangs.js';
import { type Compared, compareAll, isOfMachine } from './compare.js';
import { assemblyKinds } from './random-assembly-statements.js';
import { enough, type Source } from './sources.js';
import type { RandomText } from './random-text.js';

const runs = randomRuns(120, 5000, 40);
const first = randomSeed(0);
/** The minimum number of programs in a run that lets the test expect each part several times. */
const leastCounted = 200;
const limits = { maxStates: 20_000, toolStates: 200_000 };

const clang = (await allClangs()).find(({ kind }) => kind === 'native');

/** Counters by name. */
class Counts {
  readonly counts = new Map<string, number>();

  add(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  get(what: string): number {
    return this.counts.get(what) ?? 0;
  }

  addCompared({ judged, said }: Compared, { kinds }: RandomText): void {
    for (const kind of kinds) this.add(`made: ${kind}`);
    if (said.kind === 'refused') this.add('refused');
    this.add(judged.kind === 'judged' ? `judged: ${judged.verdict}` : `not judged: ${judged.why}`);
    this.add(said.kind === 'said' ? `said: ${said.verdict}` : `refused: ${said.why}`);
    if (judged.kind !== 'judged' || said.kind !== 'said') return;
    this.add('compared');
    for (const kind of kinds) this.add(kind);
  }
}

/**
 * Tests that the tool's answers about random programs of a kind agree with the machine for LLVM IR.
 */
export function testAgreement({ name, share, make, shapes }: Source): void {
  describe.skipIf(!clang)('random programs', () => {
    const folder = freshFolder();
    afterAll(() => {
      rmSync(folder, { recursive: true });
    });

    test(`in ${name}: the tool says what a machine for LLVM IR does`, async () => {
      const count = Math.ceil(runs * share);
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
          if (isOfMachine(each.seed)) counts.add(`headers of the machine: ${each.said.kind}`);
          if (each.disagreements.length > 0)
            disagreements.push({
              seed: each.seed,
              said: [...each.disagreements, each.asked ?? '', each.text],
            });
        });
      }
      console.log(Object.fromEntries([...counts.counts].toSorted()));
      expect(disagreements).toEqual([]);
      expect(counts.get('compared')).toBeGreaterThan(count / 2);
      expect(counts.get('judged: not-robust')).toBeGreaterThan(count / 20);
      // A few programs have each shape at most once.
      if (count < leastCounted) return;
      if (shapes.length === 0)
        expect(assemblyKinds.filter((kind) => counts.get(kind) === 0)).toEqual([]);
      const rare = shapes.filter((kind) => counts.get(`made: ${kind}`) < enough * count);
      expect(rare).toEqual([]);
      if (shapes.length > 1) expect(counts.get('refused')).toBeLessThan(count / 4);
    });
  });
}
