import { describe, test } from 'vitest';
import { expectAttacks, expectAttacksOfLoops } from './expect-attacks.js';

/**
 * The helper thread of most tests: it overwrites the cell that `a` loads, and then loads the cell
 * that `a` stores to.
 */
const partner = 'thread b { local p; y = 1; p = x; }';
/**
 * The same helper thread with a fence between its accesses, so that it has no feasible attack of
 * its own.
 */
const fencedPartner = 'thread b { local p; y = 1; fence; p = x; }';
const partnersAttack = 'b: y = 1 | p = x';
const fencedByCfg = 'b: y = 1 | p = x';

describe('the attacker halts after its last load', () => {
  test('what it would store later is in the buffer behind the delayed store', () =>
    expectAttacks(
      `var x, y, z
      thread a { local r; x = 1; r = y; z = 1; }
      thread b { local q, p; q = z; assume(q == 1); y = 1; p = x; }`,
      [],
    ));

  test('what it would load later does not join the path', () =>
    expectAttacks(
      `var x, y, z
      thread a { local r, q; x = 1; r = y; q = z; }
      thread b { local p; z = 1; fence; p = x; }`,
      ['a: x = 1 | q = z'],
    ));
});

describe('success is about the address of the first delayed store', () => {
  test('not about that of a later one', () =>
    expectAttacks(
      `var x, y, z
      thread a { local r; x = 1; z = 1; r = y; }
      thread b { local p; y = 1; p = z; }`,
      ['a: z = 1 | r = y', 'b: y = 1 | p = z'],
    ));

  test('nor about that of an earlier one, which is SC', () =>
    expectAttacks(
      `var x, y, z
      thread a { local r; x = 1; z = 1; r = y; }
      ${partner}`,
      ['a: x = 1 | r = y', partnersAttack],
    ));

  test.each(['p = x', 'x = 2', 'p = xchg(x, 2)', 'p = cas(x, 7, 8)'])(
    'an access by a thread on the path: %s',
    (access) =>
      expectAttacks(
        `var x, y
        thread a { local r; x = 1; r = y; }
        thread b { local p; y = 1; fence; ${access}; }`,
        ['a: x = 1 | r = y'],
      ),
  );

  test.each(['p = x', 'x = 2', 'p = xchg(x, 2)', 'p = cas(x, 7, 8)'])(
    'not by a thread off the path: %s',
    (access) =>
      expectAttacks(
        `var x, y
        thread a { local r; x = 1; r = y; }
        thread b { y = 1; }
        thread c { local p; ${access}; }`,
        [],
      ),
  );

  test.each(['p = x; y = 1;', 'x = 2; y = 1;'])(
    'not before the thread joins the path: %s',
    (code) =>
      expectAttacks(
        `var x, y
        thread a { local r; x = 1; r = y; }
        thread b { local p; ${code} }`,
        [],
      ),
  );
});

describe('(W5): the last load does not read from the buffer', () => {
  test('not the first delayed store', () =>
    expectAttacks(
      `var x
      thread a { local r; x = 1; r = x; }
      thread b { local p; x = 2; p = x; }`,
      [],
    ));

  test('nor a later one', () =>
    expectAttacks(
      `var x, y
      thread a { local r; x = 1; y = 2; r = y; }
      ${fencedPartner}`,
      [],
    ));

  test('but it may read an address that only stores before the first delayed one went to', () =>
    expectAttacks(
      `var x, y
      thread a { local r; y = 2; x = 1; r = y; }
      ${partner}`,
      ['a: x = 1 | r = y', partnersAttack],
    ));
});

describe('loads between the delayed store and the last load', () => {
  test('read the newest own store, which memory does not hold', () =>
    expectAttacks(
      `var x, y, z
      thread a { local q, r; x = 1; z = 1; z = 2; q = z; assume(q == 2); r = y; }
      ${partner}`,
      ['a: x = 1 | r = y', partnersAttack],
    ));

  test('read memory where no own store is delayed', () =>
    expectAttacks(
      `var x, y, z
      thread a { local q, r; x = 1; q = z; assume(q == 1); r = y; }
      thread b { local p; z = 1; y = 1; fence; p = x; }`,
      ['a: x = 1 | r = y', 'a: x = 1 | q = z'],
    ));

  test('hide what other threads stored to their address', () =>
    expectAttacks(
      `var x, y, z
      thread a { local q, r; x = 1; z = 1; q = z; assume(q == 3); r = y; }
      ${fencedPartner}
      thread c { z = 3; }`,
      [],
    ));
});

describe('entry levels', () => {
  test('a load does not join after a load', () =>
    expectAttacks(
      `var x, y
      thread a { local r; x = 1; r = y; }
      thread b { local q, p; q = y; p = x; }`,
      [],
    ));

  test('a load joins after a store', () =>
    expectAttacks(
      `var x, y
      thread a { local r; x = 1; r = y; }
      thread b { y = 1; }
      thread c { local q, p; q = y; p = x; }`,
      ['a: x = 1 | r = y'],
    ));

  test('a store joins after a store', () =>
    expectAttacks(
      `var x, y, z
      thread a { local r; x = 1; r = y; }
      thread b { y = 1; z = 1; }
      thread c { local p; z = 2; p = x; }`,
      ['a: x = 1 | r = y', 'c: z = 2 | p = x'],
    ));

  test('a store joins after the load of a thread on the path', () =>
    expectAttacks(
      `var x, y, z
      thread a { local r; x = 1; r = y; }
      thread b { local q; y = 1; q = z; }
      thread c { local p; z = 1; p = x; }`,
      ['a: x = 1 | r = y', 'b: y = 1 | q = z', 'c: z = 1 | p = x'],
    ));

  test('a load joins nothing after the load of a thread on the path', () =>
    expectAttacks(
      `var x, y, z
      thread a { local r; x = 1; r = y; }
      thread b { local q; y = 1; fence; q = z; }
      thread c { local w, p; w = z; p = x; }`,
      [],
    ));

  // The block ensures that the load of c comes after both accesses of b.
  test('levels never fall: a load after a store leaves the address stored to', () =>
    expectAttacks(
      `var x, y
      thread a { local r; x = 1; r = y; }
      thread b { local q; lock; y = 1; q = y; unlock; }
      thread c { local w, p; w = y; p = x; }`,
      ['a: x = 1 | r = y'],
    ));
});

describe('rmws', () => {
  test.each(['xchg(y, 1)', 'fetch_add(y, 1)', 'fetch_or(y, 0)', 'cas(y, 0, 1)'])(
    'join through their store part alone: %s',
    (rmw) =>
      expectAttacks(
        `var x, y
        thread a { local r; x = 1; r = y; }
        thread b { local q, p; q = ${rmw}; p = x; }`,
        ['a: x = 1 | r = y'],
      ),
  );

  test('raise the level to a store', () =>
    expectAttacks(
      `var x, y
      thread a { local r; x = 1; r = y; }
      thread b { local q; q = fetch_add(y, 1); }
      thread c { local w, p; w = y; p = x; }`,
      ['a: x = 1 | r = y'],
    ));

  test('a failing cas is a load: it does not join after a load', () =>
    expectAttacks(
      `var x, y
      thread a { local r; x = 1; r = y; }
      thread b { local q, p; q = cas(y, 7, 8); p = x; }`,
      [],
    ));

  test('a failing cas is a load: it joins after a store', () =>
    expectAttacks(
      `var x, y
      thread a { local r; x = 1; r = y; }
      thread b { y = 1; }
      thread c { local q, p; q = cas(y, 7, 8); p = x; }`,
      ['a: x = 1 | r = y'],
    ));

  test('a failing cas is a load: a store joins after it', () =>
    expectAttacks(
      `var x, y, z
      thread a { local r; x = 1; r = y; }
      thread b { local q; y = 1; q = cas(z, 7, 8); }
      thread c { local p; z = 1; fence; p = x; }`,
      ['a: x = 1 | r = y'],
    ));

  test('a failing cas is a load: no load joins after it', () =>
    expectAttacks(
      `var x, y, z
      thread a { local r; x = 1; r = y; }
      thread b { local q; y = 1; q = cas(z, 7, 8); }
      thread c { local w, p; w = z; p = x; }`,
      [],
    ));

  test('a succeeding cas is a store: a load joins after it', () =>
    expectAttacks(
      `var x, y, z
      thread a { local r; x = 1; r = y; }
      thread b { local q; y = 1; q = cas(z, 0, 8); }
      thread c { local w, p; w = z; p = x; }`,
      ['a: x = 1 | r = y'],
    ));
});

describe('what drains the buffer', () => {
  test.each(['fence', 'q = xchg(z, 1)', 'q = cas(z, 7, 8)', 'fetch_add(z, 1)', 'lock; unlock'])(
    'rules the attack out by control flow: %s',
    (drain) =>
      expectAttacks(
        `var x, y, z
        thread a { local q, r; x = 1; ${drain}; r = y; }
        ${fencedPartner}`,
        [],
        ['a: x = 1 | r = y', fencedByCfg],
      ),
  );

  test.each(['fence', 'q = xchg(z, 1)', 'q = cas(z, 7, 8)', 'lock; unlock'])(
    'stops the attacker where control flow has another way: %s',
    (drain) =>
      expectAttacks(
        `var x, y, z
        thread a { local q, r; x = 1; choose { ${drain}; } or { assume(q == 5); } r = y; }
        ${fencedPartner}`,
        [],
        [fencedByCfg],
      ),
  );

  test('an rmw on the way of a helper does not stop it', () =>
    expectAttacks(
      `var x, y, z
      thread a { local r; x = 1; r = y; }
      thread b { local q, p; y = 1; q = cas(z, 7, 8); lock; unlock; fence; p = x; }`,
      ['a: x = 1 | r = y'],
      [fencedByCfg],
    ));
});

describe('loops', () => {
  const pair = `var x, y
    thread a { local r; x = 1; r = y; }
    ${partner}`;
  const both = ['a: x = 1 | r = y', partnersAttack];

  test('a thread that computes for ever hides no violation', () =>
    expectAttacksOfLoops(`${pair} thread c { loop { skip; } }`, both));

  test('nor does one that computes for ever with registers', () =>
    expectAttacksOfLoops(`${pair} thread c { local i; loop { i = 1 - i; } }`, both));

  test('nor does a choice to compute for ever', () =>
    expectAttacksOfLoops(
      `var x, y
      thread a { local r; while (*) { skip; } x = 1; r = y; }
      ${partner}
      thread c { choose { loop { skip; } } or { skip; } }`,
      both,
    ));

  test('an endless loop between a store and a load', () =>
    expectAttacksOfLoops(
      `var x, y
      thread a { local r; x = 1; while (*) { skip; } r = y; }
      thread b { local p; y = 1; while (*) { fence; } p = x; }`,
      both,
    ));

  test('threads that go round for ever', () =>
    expectAttacksOfLoops(
      `var x, y
      thread a { local r; loop { x = 1; r = y; } }
      thread b { local p; loop { y = 1; fence; p = x; } }`,
      ['a: x = 1 | r = y'],
    ));

  test('the load may come before the store in the text', () =>
    expectAttacksOfLoops(
      `var x, y
      thread a { local r; loop { r = y; x = 1; } }
      thread b { local p; loop { p = x; y = 1; fence; } }`,
      ['a: x = 1 | r = y'],
    ));
});

describe('dead ends and ends', () => {
  test('the last load may lead to a dead end, and unreachable code attacks nobody', () =>
    expectAttacks(
      `var x, y, z
      thread a regs r init l0 begin
        l0: mem[x] <- 1; goto l1;
        l1: r <- mem[y]; goto l2;
        l1: r <- mem[z]; goto dead;
        l2: mem[z] <- 5; goto l3;
        typo: mem[z] <- 4; goto l1;
      end
      thread b { local p; z = 1; fence; p = x; }`,
      ['a: x = 1 | r = z'],
    ));

  test('a helper that is stuck does not go on', () =>
    expectAttacks(
      `var x, y
      thread a { local r; x = 1; r = y; }
      thread b { local p; y = 1; assume(p == 1); p = x; }`,
      [],
    ));

  test('a helper that never gets to join', () =>
    expectAttacks(
      `var x, y
      thread a { local r; x = 1; r = y; }
      thread b { local p; p = y; assume(p == 1); y = 1; fence; p = x; }`,
      [],
    ));
});

describe('the address of a load is taken before its register changes', () => {
  const attacker = 'thread a { local r; r = 1; mem[2] = 1; r = mem[r & 1]; }';

  test('as the last load', () =>
    expectAttacks(`${attacker} thread b { local p; mem[1] = 4; p = mem[2]; }`, [
      'a: mem[2] = 1 | r = mem[r & 1]',
      'b: mem[1] = 4 | p = mem[2]',
    ]));

  test('as the last load, of another cell', () =>
    expectAttacks(`${attacker} thread b { local p; mem[0] = 4; p = mem[2]; }`, []));

  test('on the path', () =>
    expectAttacks(
      `thread a { local r; mem[1] = 1; r = mem[3]; }
      thread b { local p; p = 1; mem[3] = 1; fence; p = mem[p & 1]; }`,
      ['a: mem[1] = 1 | r = mem[3]'],
    ));

  test('as the first access on the path', () =>
    expectAttacks(
      `thread a { local r; mem[2] = 1; r = mem[3]; }
      thread b { mem[3] = 1; mem[1] = 2; }
      thread c { local q, p; q = 1; q = mem[q & 1]; p = mem[2]; }`,
      ['a: mem[2] = 1 | r = mem[3]'],
    ));
});
