import { describe, test } from 'vitest';
import { expectAttacks, expectAttacksOfLoops } from './expect-attacks.js';

const attacker = 'thread a { local r; x = 1; r = y; }';
const attack = 'a: x = 1 | r = y';

describe('lock blocks that join the path', () => {
  test('after an access that is not on it', () =>
    expectAttacks(
      `var x, y
      ${attacker}
      thread b { local q, p; lock; q = y; y = 1; unlock; p = x; }`,
      [attack],
      ['b: y = 1 | p = x', 'b: y = 1 | q = y'],
    ));

  test('after a store that is not on it', () =>
    expectAttacks(
      `var x, y, z
      ${attacker}
      thread b { local p; lock; z = 1; y = 1; unlock; p = x; }`,
      [attack],
    ));

  // c can take the lock only after b has released it, and b's block has to come after the attack's
  // load.
  test('after the block of another helper on the path', () =>
    expectAttacks(
      `var x, y, z, u
      ${attacker}
      thread b { local q; lock; q = y; y = 1; z = 1; unlock; }
      thread c { local w, v, p; lock; w = u; v = z; unlock; p = x; }`,
      [attack],
    ));

  test('with the target inside the block', () =>
    expectAttacks(
      `var x, y
      ${attacker}
      thread b { local q, p; lock; q = y; y = 1; p = x; unlock; }`,
      [attack],
    ));

  // With p = 0 and r = 0 at the end, the block precedes the load of r, and the load precedes the
  // block.
  test('with all its accesses: the target may come first', () =>
    expectAttacks(
      `var x, y
      ${attacker}
      thread b { local p; lock; p = x; y = 1; unlock; }`,
      [attack],
    ));

  // c loads w = 5, so it comes after b's block, but not after b's store to y by a path of single
  // accesses.
  test('with all its accesses: other threads join behind the first', () =>
    expectAttacks(
      `var x, y, w
      ${attacker}
      thread b { lock; w = 5; y = 1; unlock; }
      thread c { local u, v, p; u = w; assume(u == 5); v = y; p = x; }`,
      [attack],
    ));

  test('with all its accesses: stores before the one that joins raise levels', () =>
    expectAttacks(
      `var x, y, w
      ${attacker}
      thread b { lock; w = 5; y = 1; unlock; }
      thread c { local u, p; u = w; assume(u == 5); p = x; }`,
      [attack],
    ));

  test('with all its accesses: loads before the one that joins raise levels', () =>
    expectAttacks(
      `var x, y, w, g
      ${attacker}
      thread b { local q; lock; q = w; assume(q == 0); y = 1; unlock; }
      thread c { local p; w = 1; fence; p = x; }`,
      [attack],
    ));

  // x = 1 is delayed past r = y; the block overwrites x before it stores to y; at the end x = 1 and
  // r = 0.
  test('with all its accesses: a store to the target may come first', () =>
    expectAttacks(
      `var x, y
      ${attacker}
      thread b { lock; x = 2; y = 1; unlock; }`,
      [attack],
    ));

  test('but not by what it did itself', () =>
    expectAttacks(
      `var x, y, w
      ${attacker}
      thread b { local q, p; lock; w = 1; q = w; w = 2; p = x; unlock; }`,
      [],
    ));

  test('not if the block has no access on the path', () =>
    expectAttacks(
      `var x, y, z
      ${attacker}
      thread b { local q, p; lock; q = y; z = 1; unlock; p = x; }`,
      [],
    ));
});

describe('a helper that keeps the lock after it touched the target: the delayed store never reaches memory', () => {
  test('it ends', () =>
    expectAttacks(
      `var x, y
      ${attacker}
      thread b { local p; lock; y = 1; p = x; }`,
      [],
    ));

  test('it is stuck', () =>
    expectAttacks(
      `var x, y
      ${attacker}
      thread b { local p; lock; y = 1; p = x; assume(p == 3); unlock; }`,
      [],
    ));

  test('it computes for ever', () =>
    expectAttacksOfLoops(
      `var x, y
      ${attacker}
      thread b { local p; lock; y = 1; p = x; loop { skip; } }`,
      [],
    ));

  test('it loads for ever', () =>
    expectAttacksOfLoops(
      `var x, y
      ${attacker}
      thread b { local p; lock; y = 1; loop { p = x; } }`,
      [],
    ));

  test('it touched the target before it took the lock', () =>
    expectAttacks(
      `var x, y
      ${attacker}
      thread b { local p; y = 1; fence; p = x; lock; }`,
      [attack],
    ));
});

describe('the attacker and the lock', () => {
  test('a lock that it holds when it halts stops the helpers', () =>
    expectAttacks(
      `var x, y
      thread a { local r; lock; x = 1; r = y; unlock; }
      thread b { local p; y = 1; fence; p = x; }`,
      [],
      ['b: y = 1 | p = x'],
    ));

  test('one that it has released does not', () =>
    expectAttacks(
      `var x, y
      thread a { local r; lock; unlock; x = 1; r = y; }
      thread b { local p; y = 1; fence; p = x; }`,
      [attack],
    ));

  test('it cannot load while a helper keeps the lock for ever', () =>
    expectAttacks(
      `var x, y, g
      thread a { local q, r; q = g; assume(q == 1); x = 1; r = y; }
      thread b { local p; lock; g = 1; y = 1; p = x; }`,
      [],
    ));

  test('between its store and its load a helper may use the lock', () =>
    expectAttacks(
      `var x, y, z
      thread a { local q, r; x = 1; q = z; assume(q == 1); r = y; }
      thread b { local p; lock; z = 1; unlock; y = 1; fence; p = x; }`,
      [attack, 'a: x = 1 | q = z'],
    ));
});

describe('locks at the end of threads', () => {
  const pair = `${attacker} thread b { local p; y = 1; p = x; }`;
  const both = [attack, 'b: y = 1 | p = x'];

  test('of a bystander', () => expectAttacks(`var x, y ${pair} thread c { lock; }`, both));

  test('of a bystander that stored before', () =>
    expectAttacks(`var x, y, z ${pair} thread c { z = 1; lock; }`, both));

  test('of the threads themselves', () =>
    expectAttacks(
      `var x, y
      thread a { local r; x = 1; r = y; lock; }
      thread b { local p; y = 1; p = x; lock; }`,
      both,
    ));

  test('of a helper that joined inside', () =>
    expectAttacks(
      `var x, y
      ${attacker}
      thread b { y = 1; lock; }
      thread c { local q, p; q = y; p = x; }`,
      [attack],
    ));
});

describe('loops inside lock blocks', () => {
  test('counted', () =>
    expectAttacksOfLoops(
      `var x, y
      ${attacker}
      thread b { local i, p; lock; while (i < 2) { y = i; i = i + 1; } unlock; p = x; }`,
      [attack],
    ));

  test('waiting for what another thread stored before', () =>
    expectAttacksOfLoops(
      `var x, y, z
      ${attacker}
      thread b { local q, p; lock; do { q = z; } while (q == 0); y = 1; unlock; p = x; }
      thread c { z = 1; }`,
      [attack],
    ));

  test('waiting for what nobody can store meanwhile', () =>
    expectAttacksOfLoops(
      `var x, y
      ${attacker}
      thread b { local q, p; lock; do { q = x; } while (q == 0); y = 1; unlock; p = x; }`,
      [],
    ));

  test('left at random', () =>
    expectAttacksOfLoops(
      `var x, y
      ${attacker}
      thread b { local p; lock; while (*) { y = 1; } unlock; p = x; }`,
      [attack],
    ));
});

describe('misused locks block their thread', () => {
  const helper = 'thread b { local p; y = 1; fence; p = x; }';

  test('unlock without lock', () =>
    expectAttacks(`var x, y thread a { local r; unlock; x = 1; r = y; } ${helper}`, []));

  test('lock twice', () =>
    expectAttacks(
      `var x, y thread a { local r; lock; lock; unlock; x = 1; r = y; } ${helper}`,
      [],
    ));

  test('unlock without lock, of a helper', () =>
    expectAttacks(`var x, y ${attacker} thread b { local p; y = 1; unlock; p = x; }`, []));

  test('a lock that another thread released', () =>
    expectAttacks(
      `var x, y
      thread a { local r; lock; x = 1; r = y; }
      thread b { local p; unlock; y = 1; fence; p = x; }`,
      [],
    ));
});
