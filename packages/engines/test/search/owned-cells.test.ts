import { describe, test } from 'vitest';
import { expectAttacks, expectAttacksOfLoops } from '../robustness/expect-attacks.js';

const partner = 'thread b { local p; y = 1; fence; p = x; }';
const attack = 'a: x = 1 | r = y';

describe('cells that only one thread accesses', () => {
  test('are never the target, nor the address of the last load', () =>
    expectAttacks(
      `var x, y, own
      thread a { local r; x = 1; own = 1; r = own; r = y; }
      thread b { local p, q; y = 1; fence; p = x; }`,
      [attack],
    ));

  test('keep their values: from the start on, through stores, loads and the buffer', () =>
    expectAttacks(
      `var x, y, own = 5
      thread a {
        local q, r;
        q = own; assume(q == 5);
        own = 6; x = 1;
        q = own; assume(q == 6);
        own = 7; q = own; assume(q == 7);
        r = y;
      }
      ${partner}`,
      [attack],
    ));

  test('hold nothing else', () =>
    expectAttacks(
      `var x, y, own = 5
      thread a { local q, r; own = 6; x = 1; q = own; assume(q == 5); r = y; }
      ${partner}`,
      [],
    ));

  test('count in loops', () =>
    expectAttacksOfLoops(
      `var x, y, i
      thread a { local q, r; do { i = i + 1; q = i; } while (q < 3); x = 1; r = y; }
      ${partner}`,
      [attack],
    ));

  test('of an array, by an index that is known to stay in it', () =>
    expectAttacks(
      `var x, y, v[2]
      thread a { local q, r; havoc q in 0..1; v[q] = 3; x = 1; r = v[1 - q]; assume(r == 0); r = y; }
      ${partner}`,
      [attack],
    ));

  test('rmws of them drain the buffer all the same', () =>
    expectAttacks(
      `var x, y, own
      thread a { local r; x = 1; choose { r = xchg(own, 1); } or { assume(r == 5); } r = y; }
      ${partner}`,
      [],
    ));

  test('their failing and succeeding cas differ', () =>
    expectAttacks(
      `var x, y, own = 2
      thread a { local q, r; q = cas(own, 2, 3); assume(q == 1); q = cas(own, 2, 4); assume(q == 0); x = 1; r = y; }
      ${partner}`,
      [attack],
    ));

  test('helpers use them on the path and off it', () =>
    expectAttacks(
      `var x, y, own
      thread a { local r; x = 1; r = y; }
      thread b { local q, p; own = 1; q = own; y = q; own = 2; fence; q = own; if (q == 2) { p = x; } }`,
      [attack],
    ));
});

describe('cells that look as if only one thread accessed them', () => {
  test('another thread only loads it', () =>
    expectAttacks(
      `var x, y, z
      thread a { local r; z = 1; r = y; }
      thread b { local p; y = 1; p = z; }`,
      ['a: z = 1 | r = y', 'b: y = 1 | p = z'],
    ));

  test('another thread reaches it through a register', () =>
    expectAttacks(
      `var x, y
      thread a { local r; x = 1; r = y; }
      thread b { local p, q; y = 1; p = &x; q = mem[p]; }`,
      [attack, 'b: y = 1 | q = mem[p]'],
    ));

  test('another thread reaches it through a pointer in memory', () =>
    expectAttacks(
      `var x, y, pointer
      thread a { local r, q; q = &x; pointer = q; x = 1; r = y; }
      thread b { local p, q; p = pointer; y = 1; fence; q = mem[p]; }`,
      [attack],
    ));

  test('another thread loads from an address that cannot be told', () =>
    expectAttacksOfLoops(
      `var x, y
      thread a { local r; x = 1; r = y; }
      thread b { local i, q; while (i < 99) { i = i + 1; } y = 1; fence; q = mem[&x + i - 99]; }`,
      [attack],
    ));

  test('another thread stores to an address that cannot be told', () =>
    expectAttacksOfLoops(
      `var x, y
      thread a { local r; x = 1; r = y; }
      thread b { local i, q; while (i < 99) { i = i + 1; } mem[&y + i - 99] = 1; fence; q = x; }`,
      [attack],
    ));

  test('another thread changes it by an rmw', () =>
    expectAttacks(
      `var x, y, z
      thread a { local r, q; q = z; assume(q == 1); x = 1; r = y; }
      thread b { local p; fetch_add(z, 1); y = 1; fence; p = x; }`,
      [attack],
    ));
});

describe('cells that nobody stores to', () => {
  test('hold their initial value and make no path', () =>
    expectAttacks(
      `var x, y, table[2] = {4, 9}
      thread a { local q, r; x = 1; r = table[0]; q = table[1]; assume(r + q == 13); r = y; }
      thread b { local p, q; y = 1; q = table[1]; p = x; }`,
      [attack, 'b: y = 1 | p = x'],
    ));
});

describe('threads that are the same up to cells of their own', () => {
  test('have the same attacks', () =>
    expectAttacks(
      `var x, y, own0, own1
      thread t0 { local r; own0 = 1; r = own0; x = r; r = y; }
      thread t1 { local r; own1 = 1; r = own1; x = r; r = y; }
      thread b { local p; y = 1; p = x; }`,
      ['t0: x = r | r = y', 't1: x = r | r = y', 'b: y = 1 | p = x'],
    ));

  test('not with other initial values', () =>
    expectAttacks(
      `var x, y, own0 = 1, own1 = 2
      thread t0 { local q, r; q = own0; assume(q == 1); x = q; r = y; }
      thread t1 { local q, r; q = own1; assume(q == 1); x = q; r = y; }
      thread b { local p; y = 1; fence; p = x; }`,
      ['t0: x = q | r = y'],
    ));
});
