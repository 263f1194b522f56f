import { describe, expect, test } from 'vitest';
import { peterson } from '../../../bench/generators/peterson.js';
import { parseNative } from '@fencewright/core/native';
import { fromWire, toWire } from '../src/wire.js';

describe('data between threads', () => {
  test('arrive as they were sent, values that JSON has not included', () => {
    const shared = { name: 'x', numbers: [1, -0, NaN, Infinity, -Infinity] };
    const data = {
      list: [shared, shared, undefined, null, true],
      map: new Map<unknown, unknown>([
        [shared, new Set([1, 'two', shared])],
        [2, undefined],
      ]),
      wide: 2n ** 70n,
      floats: new Float64Array([0.1, -0]),
      absent: undefined,
      ...JSON.parse('{"__proto__": {"own": 1}}'),
    } as object;
    const arrived = fromWire(toWire(data)) as typeof data & { list: readonly unknown[] };
    expect(arrived).toStrictEqual(data);
    expect(arrived.list[0]).toBe(arrived.list[1]);
  });

  test('a program that occurs twice is sent once', () => {
    const { model } = parseNative(peterson(6));
    const once = toWire({ model }).length;
    expect(once).toBeGreaterThan(10_000);
    expect(toWire({ model, about: model, list: [model, { model }] }).length).toBeLessThan(
      once + 100,
    );
  });

  test('functions are refused', () => {
    expect(() => toWire({ run: () => undefined })).toThrow(/could not be cloned/);
  });
});
