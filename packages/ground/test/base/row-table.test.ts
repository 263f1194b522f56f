import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RowTable } from '../../src/base/row-table.js';

test('rows have the numbers of their first arrival', () => {
  const row = fc.array(fc.integer({ min: -2, max: 2 }), { minLength: 3, maxLength: 3 });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 60 }), (rows) => {
      const table = new RowTable(3);
      const numbers = new Map<string, number>();
      for (const words of rows) {
        const known = numbers.get(words.join());
        const added = table.add(Int32Array.from(words));
        expect(added).toEqual({ index: known ?? numbers.size, isNew: known === undefined });
        numbers.set(words.join(), added.index);
      }
      expect(table.size).toBe(numbers.size);
      for (const [name, index] of numbers) {
        const copy = new Int32Array(3);
        table.copyTo(copy, index);
        expect([copy.join(), table.get(index).join()]).toEqual([name, name]);
        expect([0, 1, 2].map((place) => table.word(index, place)).join()).toBe(name);
        expect(table.has(copy)).toBe(true);
      }
      expect(table.has(Int32Array.of(3, 3, 3))).toBe(false);
    }),
  );
});

test('a table of many rows finds each of them', () => {
  const table = new RowTable(2);
  for (let i = 0; i < 5000; i++) table.add(Int32Array.of(i, -i));
  for (let i = 0; i < 5000; i++)
    expect(table.add(Int32Array.of(i, -i))).toEqual({ index: i, isNew: false });
});
