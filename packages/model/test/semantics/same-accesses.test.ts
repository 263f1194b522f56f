import { describe, expect, test } from 'vitest';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import type { Program } from '../../src/program/program.js';
import { sameAccesses } from '../../src/semantics/same-accesses.js';

function thread(body: string, variables = 'x, y, z'): Program {
  const { model } = parseNative(`program P\nvar ${variables}\nthread t { local r, s; ${body} }\n`);
  if (model?.kind !== 'finite') throw new Error(body);
  return model.program;
}

const spin = 'xchg(x, 1); while (y == 1 && z == 1) { } x = 0;';

describe('the same accesses', () => {
  test.each([
    'r = xchg(x, 1); loop { if (y != 1) break; if (z != 1) break; } x = 0;',
    'xchg(x, 1); r = y; while (r == 1) { s = z; if (s != 1) break; r = y; } x = 0;',
    'xchg(x, 1); again: if (1 == y) { if (z == 1) goto again; } r = 3; x = r - 3;',
  ])('are written in more than one way: %s', (body) => {
    expect(sameAccesses(thread(spin), thread(body))).toBe(true);
    expect(sameAccesses(thread(body, 'z, x, y'), thread(spin))).toBe(true);
  });

  test.each([
    ['a plain store', 'x = 1; while (y == 1 && z == 1) { } x = 0;'],
    ['another instruction', 'cas(x, 0, 1); while (y == 1 && z == 1) { } x = 0;'],
    ['the other order', 'xchg(x, 1); while (z == 1 && y == 1) { } x = 0;'],
    [
      'loads that are not repeated',
      'xchg(x, 1); r = y; s = z; while (r == 1 && s == 1) { } x = 0;',
    ],
    ['one turn only', 'xchg(x, 1); if (y == 1) { if (z == 1) { r = y; } } x = 0;'],
    ['another value', 'xchg(x, 1); while (y == 1 && z == 1) { } x = 2;'],
    ['a fence more', 'xchg(x, 1); fence; while (y == 1 && z == 1) { } x = 0;'],
    ['an end too soon', 'xchg(x, 1); while (y == 1 && z == 1) { }'],
    ['another condition', 'xchg(x, 1); while (y >= 1 && z == 1) { } x = 0;'],
  ])('are not those with %s', (_, body) => {
    expect(sameAccesses(thread(spin), thread(body))).toBe(false);
  });

  test('are not decided where there are choices, or no end', () => {
    expect(
      sameAccesses(thread('choose { x = 1; } or { x = 2; }'), thread('x = 1;')),
    ).toBeUndefined();
    expect(sameAccesses(thread('loop { r = r + 1; }'), thread('x = 1;'))).toBeUndefined();
    const counting = 'loop { x = r; r = r + 1; }';
    expect(sameAccesses(thread(counting), thread(counting))).toBeUndefined();
  });
});
