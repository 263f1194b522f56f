import { expect, test } from 'vitest';
import { exitCodes, worstOf } from '../src/exit-codes.js';

test('the worst of several files decides', () => {
  const { robust, notRobust, unknown, input, internal } = exitCodes;
  expect(worstOf([])).toBe(0);
  expect(worstOf([robust, robust])).toBe(0);
  expect(worstOf([robust, unknown])).toBe(5);
  expect(worstOf([unknown, notRobust, robust])).toBe(10);
  expect(worstOf([notRobust, input, unknown])).toBe(65);
  expect(worstOf([input, internal, notRobust])).toBe(70);
});
