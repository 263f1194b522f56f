import { describe, expect, test } from 'vitest';
import { markPlaces } from '../../../src/frontends/c/mark-places.js';
import { offsetOf } from '../../../src/frontends/c/fence-point.js';

const mark = '__atomic_signal_fence(5)';

describe('marks', () => {
  const text = 'void f(void) {\n  if (a) while (b)\n    x; // c\n  y;\n}\n';
  const marked = markPlaces(text, () => true);

  test('leave lines as they are', () => {
    const bare = (some: string) =>
      some.split('\n').map((line) => line.replaceAll(/[\s(){};,]/g, ''));
    expect(bare(marked.text.replaceAll(mark, ''))).toEqual(bare(text));
  });

  test('stand where they are said to stand', () => {
    expect(marked.places.length).toBe(8);
    expect(marked.text.split(mark).length - 1).toBe(8);
    for (const { at } of marked.places) expect(marked.text.startsWith(mark, at)).toBe(true);
    expect(new Set(marked.places.map(({ at }) => at)).size).toBe(8);
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
    for (const { at, point } of marked.places) expect(marked.unmarked(at)).toBe(offsetOf(point));
  });
});
