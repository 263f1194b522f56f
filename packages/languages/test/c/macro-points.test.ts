import { describe, expect, test } from 'vitest';
import { findFencePoints } from '../../src/c/find-fence-points.js';
import { findMacroPoints } from '../../src/c/find-macro-points.js';
import { insertFencesInC, type FenceLayout } from '../../src/c/insert-fences.js';
import { applyEdits } from '@fencewright/ground/source/text-edit.js';

/** Returns the text with `F` at every place in its macros. */
function fenced(text: string, layout: FenceLayout = 'inline'): string {
  const points = findMacroPoints(text);
  expect(points.every(({ isInMacro }) => isInMacro)).toBe(true);
  const fences = points.map((point) => ({ point, fence: 'F' }));
  return applyEdits(text, insertFencesInC(text, fences, layout));
}

describe('the places in a macro', () => {
  test.each([
    ['do { x; y; } while (0)', 'do { F; x; F; y; F; } while (0)'],
    ['{ x; }', '{ F; x; F; }'],
    // The value of the whole is that of the last statement.
    ['({ int r = x; r; })', '({ F; int r = x; F; r; })'],
    ['(x, !f(y, z))', '(x, (F, !f(y, z)))'],
    ['((x), (y), z)', '((x), (F, (y)), (F, z))'],
    ['f((x, y), z)', 'f((x, (F, y)), z)'],
    ['(x && y)', '(x && (F, y))'],
    ['while (x) { y; }', 'while (x) { F; y; F; }'],
    ['if (x) { y; } else { z; }', 'if (x) { F; y; F; } else { F; z; F; }'],
    ['static void p##f(void) { x; }', 'static void p##f(void) { F; x; F; }'],
    // Only the first statement would be the body of an `if` before the macro's name.
    ['x; y', 'x; y'],
    ['while (x) y', 'while (x) y'],
    ['f(x, y)', 'f(x, y)'],
    ['a[(x)] = (struct s){ 1, 2 }', 'a[(x)] = (struct s){ 1, 2 }'],
    ['{ 1, 2 }, { 3, 4 }', '{ 1, 2 }, { 3, 4 }'],
    ['"do { x; } while (0)"', '"do { x; } while (0)"'],
    ['1', '1'],
  ])('%s', (body, expected) => {
    expect(fenced(`#define M(x) ${body}\n`)).toBe(`#define M(x) ${expected}\n`);
    expect(fenced(`# define M ${body}`)).toBe(`# define M ${expected}`);
    // The places of the statements do not count those of macros.
    expect(findFencePoints(`#define M(x) ${body}\n`)).toEqual([]);
  });

  test('each line of a fence ends like the lines of the macro', () => {
    const text =
      '#define M(x) \\\r\n  do { \\\r\n    x; /* so */ \\\r\n  } while (0)\r\nint y;\r\n';
    expect(fenced(text, 'lines')).toBe(
      '#define M(x) \\\r\n  do { \\\r\n    F; \\\r\n    x; /* so */ \\\r\n    F; \\\r\n  } while (0)\r\nint y;\r\n',
    );
    expect(fenced(text)).toBe(
      '#define M(x) \\\r\n  do { \\\r\n    F; x; /* so */ \\\r\n  F; } while (0)\r\nint y;\r\n',
    );
  });

  test('bodies of branches get braces within their lines', () => {
    const text = '#define M(x) \\\n  do { \\\n    if (x) \\\n      y; \\\n  } while (0)\n';
    expect(fenced(text, 'lines')).toBe(
      '#define M(x) \\\n  do { \\\n    F; \\\n    if ((F, x)) { \\\n      F; \\\n      y; } \\\n    F; \\\n  } while (0)\n',
    );
  });

  test.each([
    '#define M(x) #x\n',
    '#define M\n',
    '#include "m.h"\n#if defined(M) && (x, y)\n#endif\n',
    '#undef M\nvoid f(void) { M(x); }\n',
    '// fencewright: no fences in this file\n#define M(x) do { x; } while (0)\n',
  ])('there are none in %j', (text) => {
    expect(findMacroPoints(text)).toEqual([]);
  });
});
