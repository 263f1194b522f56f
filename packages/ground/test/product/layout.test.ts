import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLayout, fits, withCells, type Field } from '../../src/product/layout.js';

const ids = fc.array(fc.integer({ min: 0, max: 5000 }), { maxLength: 20 });

function width({ mask }: Field): number {
  return 32 - Math.clz32(mask);
}

test('fields hold the largest ids, stay inside a word and do not overlap', () => {
  fc.assert(
    fc.property(ids, ids, fc.boolean(), (nodes, values, spare) => {
      const { words, components, cells } = createLayout(nodes, values, spare);
      const taken = Array.from({ length: words }, () => new Set<number>());
      const largest = [...nodes, ...values];
      [...components, ...cells].forEach((field, i) => {
        expect(fits(field, largest[i]!)).toBe(true);
        expect(field.shift + width(field)).toBeLessThanOrEqual(32);
        for (let bit = field.shift; bit < field.shift + width(field); bit++) {
          expect(taken[field.word]!.has(bit)).toBe(false);
          taken[field.word]!.add(bit);
        }
      });
    }),
  );
});

test('a layout has two words at least, and no spare bits where they would cost a word', () => {
  expect(createLayout([1], [1]).words).toBe(2);
  expect(createLayout([255, 255, 255, 255], [65535, 65535]).words).toBe(2);
  expect(createLayout([255, 255, 255, 255], [65535, 65535, 1]).words).toBe(3);
});

test('a large layout takes further cells without moving a field', () => {
  const before = createLayout(
    Array.from({ length: 100 }, () => 3),
    Array.from({ length: 100 }, () => 1),
  );
  const after = withCells(before, 500)!;
  expect(after.components).toEqual(before.components);
  expect(after.cells.slice(0, 100)).toEqual(before.cells);
  expect(after.cells).toHaveLength(500);
  const bits = [...after.components, ...after.cells, ...after.room].flatMap((field) =>
    Array.from({ length: width(field) }, (_, bit) => 32 * field.word + field.shift + bit),
  );
  expect(new Set(bits).size).toBe(bits.length);
  expect(Math.max(...bits)).toBeLessThan(32 * after.words);
  expect(withCells(createLayout([1], [1]), 2)).toBe(undefined);
});

test('without spare bits every field is as narrow as it can be', () => {
  const { components, cells } = createLayout([0, 1, 2, 7], [8], false);
  expect([...components, ...cells].map(width)).toEqual([1, 1, 2, 3, 4]);
});

test('a field of a whole word holds every id', () => {
  const field = createLayout([2 ** 31], []).components[0];
  expect(fits(field, 2 ** 31)).toBe(true);
  expect(fits(undefined, 0)).toBe(false);
});
