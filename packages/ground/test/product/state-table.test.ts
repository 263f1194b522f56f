import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLinearStorage } from '../../src/product/kernel.js';
import type { Field } from '../../src/product/layout.js';
import { TableFull, type StateStorage } from '../../src/product/state-storage.js';
import { StateTable } from '../../src/product/state-table.js';

function words(value: number): Int32Array {
  return Int32Array.of(value, Math.imul(value, 0x9e3779b1));
}

const field: Field = { word: 0, shift: 0, mask: -1 };
const tables = {
  'in arrays': () => new StateTable(2),
  'in linear memory': () => {
    const table = new StateTable(2);
    table.moveTo(createLinearStorage()!);
    return table;
  },
};

describe.each(Object.entries(tables))('a state table %s', (_, create) => {
  test('numbers states in the order of their arrival and knows them again', () => {
    const table = create();
    for (let i = 0; i < 20_000; i++) expect(table.add(words(7 * i), i - 1)).toBe(i);
    for (let i = 0; i < 20_000; i++) expect(table.add(words(7 * i), 0)).toBe(-1);
    expect(table.count).toBe(20_000);
    expect(table.read(12_345, field)).toBe(7 * 12_345);
    expect(table.parent(12_345)).toBe(12_344);
  });

  test('says beforehand how much it will grow', () => {
    const table = create();
    for (let i = 0; i < 30_000; i++) {
      const { bytes } = table;
      const growth = table.growthFor(1);
      table.add(words(i), 0);
      // Linear memory comes in pages.
      expect(Math.abs(table.bytes - bytes - growth)).toBeLessThanOrEqual(65_536);
      if (growth === 0) expect(table.bytes).toBe(bytes);
    }
  });

  test('forgets the last states and takes them again', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.array(fc.nat(300), { maxLength: 60 }), fc.nat(100)), {
          maxLength: 20,
        }),
        (rounds) => {
          const table = create();
          let model: number[] = [];
          for (const [added, kept] of rounds) {
            for (const value of added) {
              const expected = model.includes(value) ? -1 : model.push(value) - 1;
              expect(table.add(words(value), -1)).toBe(expected);
            }
            const count = Math.floor((model.length * kept) / 100);
            table.truncate(count);
            model = model.slice(0, count);
          }
          expect(table.count).toBe(model.length);
          model.forEach((value, state) => expect(table.read(state, field)).toBe(value));
        },
      ),
    );
  });

  test.each([
    { to: 2, note: 'as many' },
    { to: 4, note: 'more' },
    { to: 1, note: 'fewer' },
  ])('moves fields into $note words', ({ to }) => {
    const table = create();
    const from = [
      { word: 0, shift: 3, mask: 1023 },
      { word: 1, shift: 0, mask: 1023 },
    ];
    for (let i = 0; i < 1000; i++) table.add(Int32Array.of(i << 3, 999 - i), i - 1);
    const places = [
      { word: to - 1, shift: 16, mask: 0xffff },
      { word: 0, shift: 0, mask: 1023 },
    ];
    table.repack(to, from, places);
    for (let i = 0; i < 1000; i++) {
      expect(places.map((place) => table.read(i, place))).toEqual([i, 999 - i]);
      expect(table.parent(i)).toBe(i - 1);
      const packed = new Int32Array(to);
      packed[to - 1]! |= i << 16;
      packed[0]! |= 999 - i;
      expect(table.add(packed, 0)).toBe(-1);
    }
  });
});

test('a table of wider states keeps their words and knows them again', () => {
  const table = new StateTable(2);
  for (let i = 0; i < 1000; i++) table.add(words(i), i - 1);
  table.widen(5);
  for (let i = 0; i < 1000; i++) {
    const packed = new Int32Array(5);
    packed.set(words(i));
    expect(table.add(packed, 0)).toBe(-1);
    expect(table.parent(i)).toBe(i - 1);
    packed[4] = 1;
    expect(table.numberOf(packed)).toBe(-1);
  }
  expect(table.add(new Int32Array([1, 2, 3, 4, 5]), 7)).toBe(1000);
});

test('a million states take at most 27 bytes each, also when the table has just grown', () => {
  const table = tables['in linear memory']();
  let worst = 0;
  for (let i = 0; i < 2_200_000; i++) {
    table.add(words(i), -1);
    if (i > 1_000_000) worst = Math.max(worst, table.bytes / table.count);
  }
  expect(worst).toBeLessThanOrEqual(27);
});

test('a table without memory to grow says so and keeps its states', () => {
  const table = new StateTable(2);
  for (let i = 0; i < 100; i++) table.add(words(i), -1);
  const storage: StateStorage = createLinearStorage()!;
  table.moveTo(storage);
  Object.defineProperty(storage, 'resize', {
    value: () => {
      throw new RangeError('no memory');
    },
  });
  expect(() => {
    for (let i = 100; i < 100_000; i++) table.add(words(i), -1);
  }).toThrow(TableFull);
  expect(table.count).toBe(table.capacity);
  expect(table.add(words(50), -1)).toBe(-1);
});
