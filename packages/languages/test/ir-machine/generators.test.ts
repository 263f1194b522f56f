import { describe, expect, test } from 'vitest';
import { randomSeed } from '../../../../tools/random-runs.js';
import { enough, type Source, sources } from './sources.js';
import { shapeGroups } from './shape-table.js';

const first = randomSeed(0);
const all: readonly Source[] = Object.values(sources);

describe.each(all.filter(({ shapes }) => shapes.length > 1))(
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
  const kinds = all.flatMap(({ shapes }) => shapes);
  for (const group of Object.keys(shapeGroups))
    expect(kinds.filter((kind) => kind.startsWith(`${group}: `))).not.toEqual([]);
});
