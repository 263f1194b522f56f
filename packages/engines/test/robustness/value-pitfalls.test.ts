import { describe, expect, test } from 'vitest';
import { check } from '../../../core/src/api/check.js';
import { attacksByDefinition } from '@fencewright/reference/definitions/attacks-by-definition.js';
import { attackName, programOf } from './native-program.js';

/** Options for the search, which switch every reduction on or off. */
const variants = [
  {},
  { without: ['static-path'], forTests: { stagesAfter: 0 } },
  { without: ['static-path', 'symmetry', 'dead-registers', 'owned-cells', 'shared-dead-states'] },
] as const;

/**
 * Expects that exactly the named attacks are feasible under value happens-before, by the search and
 * by the definition.
 */
async function expectAttacks(text: string, feasible: readonly string[]): Promise<void> {
  const program = programOf(text);
  const definition = attacksByDefinition(program, 200_000, 'value');
  expect(definition.complete).toBe(true);
  const expected = [...feasible].sort();
  expect(definition.feasible.map((attack) => attackName(program, attack)).sort()).toEqual(expected);
  for (const variant of variants) {
    const options = {
      ...variant,
      happensBefore: 'value',
      allAttacks: true,
      replayAll: true,
    } as const;
    const { attacks } = await check(program, options);
    const found = attacks.filter(({ verdict }) => verdict === 'feasible');
    expect(found.map(({ attack }) => attackName(program, attack)).sort()).toEqual(expected);
  }
}

const attack = 'a: x = 1 | r = y';
/** A thread that may delay `x = 1` past a load of 0 from `y`. */
const attacker = 'thread a { local r; x = 1; r = y; }';

describe('the first step of the path', () => {
  test('stores another value than the load read', () =>
    expectAttacks(`var x, y ${attacker} thread b { local p; y = 1; fence; p = x; }`, [attack]));

  test('not the same', () =>
    expectAttacks(`var x, y ${attacker} thread b { local p; y = 0; fence; p = x; }`, []));

  // The value of y may change twice after the load: y = 1 puts its helper on the path, and then y =
  // 0 puts the second helper there.
  test('the same, after another one', () =>
    expectAttacks(
      `var x, y ${attacker}
      thread b { y = 1; }
      thread c { local p; y = 0; fence; p = x; }`,
      [attack],
    ));

  test('an rmw that changes the value', () =>
    expectAttacks(`var x, y ${attacker} thread b { local p; p = xchg(y, 1); p = x; }`, [attack]));

  test('not an rmw that writes what it read', () =>
    expectAttacks(`var x, y ${attacker} thread b { local p; p = xchg(y, 0); p = x; }`, []));
});

describe('the end of the path', () => {
  const helper = (access: string): string =>
    `var x, y ${attacker} thread b { local p; y = 1; fence; ${access} }`;

  test.each([
    'p = x;',
    'x = 2;',
    'x = 0;',
    'p = xchg(x, 2);',
    'p = xchg(x, 1);',
    'p = cas(x, 7, 8);',
  ])('reads or writes another value than the delayed one: %s', (access) =>
    expectAttacks(helper(access), [attack]),
  );

  test('not a store of the delayed value', () => expectAttacks(helper('x = 1;'), []));

  // Another thread stored 1 to x before: then the load, and both halves of the rmw, agree with the
  // delayed store.
  test.each([
    'p = x; assume(p == 1);',
    'p = xchg(x, 1); assume(p == 1);',
    'p = cas(x, 5, 6); assume(p == 0);',
  ])('not an access of the value that is there and is delayed: %s', (access) =>
    expectAttacks(`var x = 1, y ${attacker} thread b { local p; y = 1; fence; ${access} }`, []),
  );

  test('an rmw that overwrites the delayed value', () =>
    expectAttacks(`var x = 1, y ${attacker} thread b { local p; y = 1; fence; p = xchg(x, 2); }`, [
      attack,
    ]));

  test('is about the first delayed store, not about the newest to the address', () =>
    expectAttacks(
      `var x, y
      thread a { local r; x = 1; x = 2; r = y; }
      thread b { y = 1; fence; x = 1; }`,
      ['a: x = 2 | r = y'],
    ));
});

describe('levels', () => {
  // The path: y = 1, then an access to z by b; c joins by its own access to z, and reads x.
  const program = (initial: number, onPath: string, joining: string): string =>
    `var x, y, z = ${initial} ${attacker}
    thread b { local p; y = 1; fence; ${onPath} }
    thread c { local p; ${joining} fence; p = x; }`;

  test.each([
    [0, 'z = 1;', 'p = z; assume(p == 1);'],
    [0, 'z = 1;', 'z = 2;'],
    [0, 'p = z;', 'z = 1;'],
    [0, 'p = xchg(z, 1);', 'z = 0;'],
    [0, 'p = xchg(z, 1);', 'z = 1;'],
    [0, 'z = 1; z = 2;', 'z = 2;'],
    [0, 'z = 1; z = 2;', 'z = 1;'],
    [0, 'p = xchg(z, 0);', 'p = z;'],
    [0, 'p = z; z = 1;', 'z = 1;'],
    [0, 'z = 0;', 'p = z;'],
    [0, 'z = 0;', 'p = cas(z, 5, 6);'],
    [0, 'p = z;', 'p = xchg(z, 1);'],
  ])('z = %d: after %s joins %s', (initial, onPath, joining) =>
    expectAttacks(program(initial, onPath, joining), [attack]),
  );

  test.each([
    [0, 'p = z;', 'p = z;'],
    [0, 'p = z;', 'z = 0;'],
    [1, 'z = 1;', 'z = 1;'],
    [0, 'p = z;', 'p = xchg(z, 0);'],
    [0, 'p = z;', 'p = cas(z, 5, 6);'],
    [0, 'p = xchg(z, 0);', 'z = 0;'],
    [1, 'p = z; z = 1;', 'z = 1;'],
  ])('z = %d: after %s does not join %s', (initial, onPath, joining) =>
    expectAttacks(program(initial, onPath, joining), []),
  );
});

describe('lock blocks', () => {
  // The store of 0 to y changes nothing, though p reads from it; z = 1 is on no path.
  test('a store of the value that is there does not join', () =>
    expectAttacks(
      `var x, y, z ${attacker}
      thread b { lock; y = 0; z = 1; unlock; }
      thread c { local p; p = y; p = x; }`,
      [],
    ));

  // A thread that reads y reads b's store of 1, which b's block brings onto the path by z.
  test('one that joins by another access takes the store with it', () =>
    expectAttacks(
      `var x, y, z, w = 1
      thread a { local r; x = 1; r = z; }
      thread b { lock; w = 1; z = 1; unlock; }
      thread c { local p; p = w; p = x; }`,
      ['a: x = 1 | r = z'],
    ));

  test('does not join by a load of what it stored itself', () =>
    expectAttacks(
      `var x, y, z, w
      thread a { local r; x = 1; r = y; }
      thread b { y = 1; w = 1; }
      thread c { local p; lock; w = 1; p = w; unlock; p = x; }`,
      [],
    ));

  // Between its accesses c has read x, but is not on the path yet: b would meet the target there.
  // The loop does not end if x is not 0, so the definition is not compared.
  test('nobody else goes on while one is inside a block with a loop', async () => {
    const program = programOf(
      `var x, y
      thread a { local r; x = 2; r = y; }
      thread b { x = 1; x = 0; }
      thread c {
        local r;
        lock;
        do { r = x; y = (r + 1) & 1; } while (r != 0);
        unlock;
      }`,
    );
    for (const variant of variants) {
      const { verdict } = await check(program, { ...variant, happensBefore: 'value' });
      expect(verdict.kind === 'not-robust' && attackName(program, verdict.witness.attack)).toBe(
        'a: x = 2 | r = y',
      );
    }
  });
});
