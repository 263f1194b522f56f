import { describe, expect, test } from 'vitest';
import { StateStore } from '../../src/explicit/state-store.js';

function vector(...values: number[]): Int32Array {
  return Int32Array.from(values);
}

function add(store: StateStore, values: readonly number[], parent = -1, move = -1): number {
  return store.add(vector(...values), values.length, parent, move);
}

function read(store: StateStore, state: number, length: number): number[] {
  const target = new Int32Array(length).fill(77);
  store.read(state, target, length);
  return [...target];
}

describe('the state store', () => {
  test('numbers states in the order of their arrival and refuses those it has', () => {
    const store = new StateStore();
    expect(add(store, [1, 2, 3])).toBe(0);
    expect(add(store, [3, 2, 1])).toBe(1);
    expect(add(store, [1, 2, 3])).toBe(-1);
    expect(store.count).toBe(2);
  });

  test('zeros at the end make no difference, zeros elsewhere do', () => {
    const store = new StateStore();
    expect(add(store, [5, 0])).toBe(0);
    expect(add(store, [5])).toBe(-1);
    expect(add(store, [5, 0, 0, 0])).toBe(-1);
    expect(add(store, [0, 5])).toBe(1);
    expect(add(store, [])).toBe(2);
    expect(add(store, [0, 0])).toBe(-1);
  });

  test('looks at no more entries than it is told to', () => {
    const store = new StateStore();
    expect(store.add(vector(1, 2, 9), 2, -1, -1)).toBe(0);
    expect(store.add(vector(1, 2, 8), 2, -1, -1)).toBe(-1);
    expect(read(store, 0, 4)).toEqual([1, 2, 0, 0]);
  });

  test('keeps what it was given, not the vector', () => {
    const store = new StateStore();
    const values = vector(1, -2, 2147483647, -2147483648);
    store.add(values, 4, -1, -1);
    values.fill(0);
    expect(read(store, 0, 6)).toEqual([1, -2, 2147483647, -2147483648, 0, 0]);
  });

  test('remembers where states came from', () => {
    const store = new StateStore();
    add(store, [1]);
    add(store, [2], 0, 7);
    add(store, [1], 1, 8);
    expect(store.parentOf(0)).toBe(-1);
    expect([store.parentOf(1), store.moveOf(1)]).toEqual([0, 7]);
  });

  test('grows: 300,000 states, of growing length, all found again', () => {
    const store = new StateStore();
    const count = 300_000;
    const stateAt = (i: number): number[] => [i & 1023, i >>> 10, ...(i > 100_000 ? [-i] : [])];
    for (let i = 0; i < count; i++)
      if (add(store, stateAt(i), i - 1, i % 7) !== i) throw new Error(`state ${i} is not new`);
    expect(store.count).toBe(count);
    for (let i = 0; i < count; i += 997) {
      expect(add(store, stateAt(i))).toBe(-1);
      expect(read(store, i, 3)).toEqual([...stateAt(i), 0].slice(0, 3));
      expect([store.parentOf(i), store.moveOf(i)]).toEqual([i - 1, i % 7]);
    }
    // 24 bytes for a state's numbers and its place in the table, and its entries.
    expect(store.bytes).toBeGreaterThan(count * (24 + 8));
    expect(store.bytes).toBeLessThan(count * 60);
  });
});
