import { rmSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { allClangs, freshFolder } from '../../../core/test/node/clang/clangs.js';
import { type Compared, compareAll, isOfMachine } from './compare.js';
import { randomC, randomShapedC } from './random-c-text.js';
import { randomCpp } from './random-cpp-text.js';
import { randomShapedCpp } from './random-shaped-cpp.js';
import type { RandomText } from './random-text.js';
import { assemblyKinds } from './random-assembly-statements.js';
import { cppShapes } from './cpp-shapes.js';
import { cShapeKinds } from './c-shapes.js';
import { shapeGroups } from './shape-table.js';

const runs = randomRuns(75, 5000);
const first = randomSeed(0);
/** Programs that are enough to have each shape several times. */
const leastCounted = 200;
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

/** Programs of a kind: how many of the runs, and the shapes that they have in turn. */
interface Source {
  readonly name: string;
  readonly share: number;
  readonly make: (seed: number) => RandomText;
  readonly shapes: readonly string[];
}

const sources: readonly Source[] = [
  { name: 'C', share: 0.4, make: (seed) => randomC(seed), shapes: [] },
  { name: 'C of the shapes', share: 0.3, make: randomShapedC, shapes: cShapeKinds },
  { name: 'C++', share: 0.1, make: randomCpp, shapes: ['store buffering'] },
  {
    name: 'C++ of the shapes',
    share: 0.2,
    make: randomShapedCpp,
    shapes: [...cppShapes.map(({ kind }) => kind), 'b: std::thread of a function'],
  },
];

const enough = 0.03;

describe.each(sources.filter(({ shapes }) => shapes.length > 1))(
  'the generator of $name',
  ({ make, shapes }) => {
    test('each shape is in 3 % of its programs at least', () => {
      const [count, kinds] = [2000, new Map<string, number>()];
      for (let seed = first; seed < first + count; seed++)
        for (const kind of make(seed).kinds) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      const rare = shapes.filter((kind) => (kinds.get(kind) ?? 0) < enough * count);
      expect(rare).toEqual([]);
    });
  },
);

test('each group has shapes', () => {
  const kinds = sources.flatMap(({ shapes }) => shapes);
  for (const group of Object.keys(shapeGroups))
    expect(kinds.filter((kind) => kind.startsWith(`${group}: `))).not.toEqual([]);
});

describe.skipIf(!clang)('random programs', () => {
  test.each(sources)(
    'in $name: the tool says what a machine for LLVM IR does',
    async ({ share, make, shapes }) => {
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
          if (isOfMachine(each.seed, programs[i]!.made))
            counts.add(`headers of the machine: ${each.said.kind}`);
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
    },
  );
});
