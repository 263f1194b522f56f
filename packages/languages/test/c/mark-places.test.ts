import { describe, expect, test } from 'vitest';
import { markPlaces, unmarkedPlaces } from '../../src/c/mark-places.js';
import { markAt } from '@fencewright/model/program/text-mark.js';
import { offsetOf } from '../../src/c/fence-point.js';

const mark = /__builtin_prefetch\(\(const void \*\)(\d+)\)/g;

describe('marks', () => {
  const text = 'void f(void) {\n  if (a) while (b)\n    x; // c\n  y;\n}\n';
  const marked = markPlaces(text, () => true);

  test('leave lines as they are', () => {
    const bare = (some: string) =>
      some.split('\n').map((line) => line.replaceAll(/[\s(){};,]/g, ''));
    expect(bare(marked.text.replaceAll(mark, ''))).toEqual(bare(text));
  });

  test('stand there, each once, with the numbers of their points', () => {
    const found = [...marked.text.matchAll(mark)].map(([, address]) => markAt(BigInt(address!)));
    expect(found.length).toBe(8);
    expect(new Set(found)).toEqual(new Set(marked.points.keys()));
  });

  test('offsets go back to the text without them', () => {
    let back = '';
    for (let at = 0, last = -1; at < marked.text.length; at++) {
      const offset = marked.unmarked(at);
      expect(offset).toBeGreaterThanOrEqual(last);
      if (marked.text[at] === text[offset] && offset > last) {
        back += text[offset]!;
        last = offset;
      }
    }
    expect(back).toBe(text);
    for (const { index, 1: address } of marked.text.matchAll(mark))
      expect(marked.unmarked(index)).toBe(offsetOf(marked.points[markAt(BigInt(address!))!]!));
  });
});

test('places go back by bytes, as compilers count them', () => {
  const source = 'void f(void) {\n  g("\u00e9"); x = 1;\n}\n';
  const marked = markPlaces(source, () => true);
  const line = marked.text.split('\n')[1]!;
  const column = new TextEncoder().encode(line.slice(0, line.indexOf('x ='))).length;
  const back = unmarkedPlaces(source, marked)({ line: 1, column });
  expect(back).toEqual({ line: 1, column: '  g("e"); '.length });
});
