import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  applyEdits,
  insertion,
  lineAt,
  lineBreakOf,
  linesOf,
  replacement,
} from '../../src/source/text-edit.js';

test('edits are made at the offsets of the text before', () => {
  const edits = [replacement(6, 11, 'all'), insertion(0, '> '), replacement(5, 6, ', ')];
  expect(applyEdits('hello world', edits)).toBe('> hello, all');
  expect(applyEdits('hello', [])).toBe('hello');
});

test('insertions at one place keep their order, and come before what is replaced there', () => {
  const edits = [replacement(1, 2, 'B'), insertion(1, '1'), insertion(1, '2'), insertion(2, '3')];
  expect(applyEdits('abc', edits)).toBe('a12B3c');
});

test('overlapping edits are refused', () => {
  expect(() => applyEdits('abcd', [replacement(0, 2, ''), replacement(1, 3, '')])).toThrow();
  expect(() => applyEdits('abcd', [replacement(0, 2, ''), insertion(1, 'x')])).toThrow();
});

test('a text has the line break of its first line', () => {
  expect(lineBreakOf('a\r\nb\n')).toBe('\r\n');
  expect(lineBreakOf('a\rb')).toBe('\r');
  expect(lineBreakOf('a')).toBe('\n');
});

test('every offset lies in its line, and the lines make up the text', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', '\n', '\r\n', '\r'), { maxLength: 8 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, (whole) => {
      const lines = linesOf(whole);
      expect(lines.map(({ start, next }) => whole.slice(start, next)).join('')).toBe(whole);
      expect(lines.map(({ start, end }) => whole.slice(start, end))).toEqual(
        whole.split(/\r\n|\n|\r/),
      );
      for (let offset = 0; offset <= whole.length; offset++) {
        const own = lines.findLast(({ start }) => start <= offset);
        // Within a line break, only the line matters.
        expect(lineAt(whole, offset).start).toBe(own?.start);
        if (own && offset <= own.end) expect(lineAt(whole, offset)).toEqual(own);
      }
    }),
    { seed: 2013 },
  );
});
