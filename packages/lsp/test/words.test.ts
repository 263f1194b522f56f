import { expect, test } from 'vitest';
import { meaningOfWord } from '../src/words.js';

test('words with a size are explained by what they do, other names are not', () => {
  expect(meaningOfWord('u8')).toContain('The number of 8 bits, without sign');
  expect(meaningOfWord('i32')).toContain('The number of 32 bits, with sign');
  expect(meaningOfWord('fetch_add64')).toBe(
    'Adds atomically, modulo 2^64, and returns the old value.',
  );
  expect(meaningOfWord('fetch_sub32')).toMatch(/atomically, modulo 2\^32/);
  for (const name of ['v0', 'x1', 'u7', 'flag2', 'fetch_any32', 'i32x', 'toString', 'fetch_'])
    expect([name, meaningOfWord(name)]).toEqual([name, undefined]);
});
