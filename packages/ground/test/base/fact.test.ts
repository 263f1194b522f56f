import { expect, test } from 'vitest';
import { fact } from '../../src/base/fact.js';

test('a fact is computed on the first question, once for each object', () => {
  const asked: object[] = [];
  const sizeOf = fact((list: readonly number[]) => {
    asked.push(list);
    return list.length === 0 ? undefined : list.length;
  });
  const [some, none] = [[1, 2], [] as number[]];
  expect(asked).toEqual([]);
  expect([sizeOf(some), sizeOf(none), sizeOf(some), sizeOf(none)]).toEqual([
    2,
    undefined,
    2,
    undefined,
  ]);
  expect(asked).toEqual([some, none]);
});

test('a fact that could not be computed is computed again', () => {
  let isBroken = true;
  const answer = fact((_: object) => {
    if (isBroken) throw new Error('broken');
    return 42;
  });
  const subject = {};
  expect(() => answer(subject)).toThrow('broken');
  isBroken = false;
  expect(answer(subject)).toBe(42);
});
