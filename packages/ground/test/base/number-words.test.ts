import { expect, test } from 'vitest';
import {
  countOf,
  enumerate,
  formatBytes,
  formatCount,
  formatDuration,
} from '../../src/base/number-words.js';

test('numbers as people write them', () => {
  expect([0, 999, 1000, 1234567].map(formatCount)).toEqual(['0', '999', '1,000', '1,234,567']);
  expect([0, 1, 2].map((n) => countOf(n, 'state'))).toEqual(['0 states', '1 state', '2 states']);
  expect(['a', 'b', 'c'].map((_, i, all) => enumerate(all.slice(0, i)))).toEqual([
    '',
    'a',
    'a and b',
  ]);
  expect(enumerate(['a', 'b', 'c'])).toBe('a, b and c');
  expect([0.44, 12.3, 999.6, 3456, 12_345, 125_000].map(formatDuration)).toEqual([
    '0.4 ms',
    '12 ms',
    '1.00 s',
    '3.46 s',
    '12.3 s',
    '2 min 5 s',
  ]);
  expect([10, 2048, 36_175_872].map(formatBytes)).toEqual(['10 bytes', '2 KiB', '34.5 MiB']);
});
