import { expect, test } from 'vitest';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { usesWideValues } from '../../src/program/uses-wide-values.js';
import { programOf } from '../../../engines/test/robustness/native-program.js';

// docs/language.md, "Numbers of 64 bits": what engines, proofs and formats without them have to
// notice. Each program has one place where more than 32 bits may come up.
test.each([
  ['an initial value', 'var x = 5000000000L', 'r = x;'],
  ['a number', 'var x', 'x = 5000000000L;'],
  ['an operator', 'var x', 'r = x +: 1;'],
  ['one that wraps', 'var x', 'r = x *:% 3;'],
  ['a conversion: u32 of -1 needs 33', 'var x', 'r = u32(0 - 1);'],
  ['the other one, which only such values need', 'var x', 'r = i32(r);'],
  ['an address', 'var x', 'mem[r +: 1] = 1;'],
  ['what an xchg stores', 'var x', 'r = xchg(x, 5000000000L);'],
  ['what a cas expects', 'var x', 'r = cas(x, 5000000000L, 1);'],
  ['a sum that an rmw makes', 'var x', 'r = fetch_add64(x, 1);'],
  ['a difference that an rmw makes', 'var x', 'r = fetch_sub64(x, 1);'],
  ['an assumption', 'var x', 'assume(r <:% 2);'],
  ['an assertion', 'var x', 'assert(r != 5000000000L);'],
  ['what a havoc wants', 'var x', 'havoc r in 0..1 with r <:% 1;'],
])('numbers of 64 bits in %s', (_, declarations, code) => {
  expect(usesWideValues(programOf(`${declarations} thread t { local r; ${code} }`))).toBe(true);
});

test('numbers of 64 bits in what a property says', () => {
  const text = 'var x thread t { x = 1; } property p: never (x == 5000000000L)';
  expect(usesWideValues(programOf(text))).toBe(true);
});

test('numbers of 64 bits in what an invariant says', () => {
  const text = 'var x thread t { x = 1; } invariant i: x != 5000000000L';
  expect(usesWideValues(programOf(text))).toBe(true);
});

test('a program with a domain has no numbers of 64 bits', () => {
  const text = (value: string): string =>
    `program P domain 0..3 var x thread t { local r; r = ${value}; }`;
  expect(parseNative(text('5')).model).toBeDefined();
  const { diagnostics } = parseNative(text('5000000000L'));
  expect(diagnostics.map(({ message }) => message).join()).toContain('numbers of 32 bits');
});

test('no numbers of 64 bits: operators of 32 that wrap, and all numbers of 32', () => {
  const code = 'r = x +% 1; r = u16(r); r = fetch_add32(x, 2147483647); x = (-2147483647 - 1);';
  const text = `var x = 2147483647 thread t { local r; ${code} } property p: never (x < 0)`;
  expect(usesWideValues(programOf(text))).toBe(false);
});

test('programs of events, which have 32 bits, hand over no number of 64', () => {
  const text = (value: string): string =>
    `program P var x event e() { call p(${value}); } procedure p(a) { x = 1; } events e()`;
  expect(parseNative(text('5')).model).toBeDefined();
  expect(parseNative(text('5000000000L')).model).toBeUndefined();
});
