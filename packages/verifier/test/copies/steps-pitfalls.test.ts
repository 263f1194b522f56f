import { describe, expect, test } from 'vitest';
import { AttackSteps } from '../../src/attack/steps.js';
import { readAutomata } from '../../src/read-automata.js';
import { automataOf, parameterizedOf } from './certify.js';
import { reachesGoal } from './explore-instance.js';
import { smallInstances } from './small-instances.js';

/** Whether the steps lead to the end of an attack on some instance with at most three threads. */
function isAttacked(text: string, happensBefore: 'standard' | 'value' = 'standard'): boolean {
  const program = parameterizedOf(`program p\nvar x, y, z, w\n${text}`);
  const steps = new AttackSteps(readAutomata(automataOf(program), ''), happensBefore);
  return smallInstances(program, 3).some(({ templateOf }) =>
    reachesGoal(
      steps,
      templateOf.map((template) => steps.codeOf[template]!),
    ),
  );
}

const delays = 'thread a { local r; x = 1; r = y; }';

describe('an attack', () => {
  test.each([
    [
      'by a block that joins in its middle, its first access meets',
      `${delays}\nthread b[*] { atomic { x = 2; y = 2; } }`,
    ],
    [
      'by a block whose first access is a load',
      `${delays}\nthread b[*] { local p; atomic { p = x; y = 1; } }`,
    ],
    [
      'through what the first half of a block wrote',
      `${delays}\nthread b[*] { atomic { z = 1; y = 1; } }\nthread c[*] { local p; p = z; p = x; }`,
    ],
    [
      'through what the first half of a block read',
      `${delays}\nthread b[*] { local p; atomic { p = z; y = 1; } }\nthread c[*] { local p; z = 1; fence; p = x; }`,
    ],
    [
      'with the second load as the last one',
      'thread a { local r, s; x = 1; r = y; s = z; }\nthread b[*] { y = 1; }\nthread c[*] { local p; z = 1; fence; p = x; }',
    ],
    ['by a copy of the same code', 'thread a[*] { local r; x = 1; r = y; y = 1; r = x; }'],
    ['by an rmw', `${delays}\nthread b[*] { local p; p = xchg(y, 1); p = x; }`],
    [
      'with a store in between to another cell',
      'thread a { local r; x = 1; z = 1; r = z; r = y; }\nthread b[*] { y = 1; fence; x = 2; }',
    ],
  ])('%s', (_, text) => {
    expect(isAttacked(text)).toBe(true);
  });
});

describe('no attack', () => {
  test.each([
    [
      'by a block that does not join',
      `${delays}\nthread b[*] { local p; atomic { p = y; x = 2; } }`,
    ],
    [
      'by a thread that only reads what was read',
      `${delays}\nthread b[*] { local p; p = y; x = 2; }`,
    ],
    ['by a cas that fails', `${delays}\nthread b[*] { local p; p = cas(y, 1, 2); x = 2; }`],
    [
      'past an rmw',
      'thread a { local r; x = 1; r = xchg(z, 1); r = y; }\nthread b[*] { y = 1; fence; x = 2; }',
    ],
    [
      'by a load from the own buffer',
      'thread a { local r; x = 1; r = x; }\nthread b[*] { x = 2; x = 3; }',
    ],
    [
      'out of a block',
      'thread a { local r; lock; x = 1; r = y; unlock; }\nthread b[*] { y = 1; fence; x = 2; }',
    ],
    [
      'after which a block is never released',
      `${delays}\nthread b[*] { lock; y = 1; x = 2; assume(0); unlock; }`,
    ],
  ])('%s', (_, text) => {
    expect(isAttacked(text)).toBe(false);
  });
});

test('by values, a store of the value that is there already leads nowhere', () => {
  const text = 'thread a[*] { x = 1; y = 1; }\nthread b { local r; y = 1; r = x; }';
  expect(isAttacked(text)).toBe(true);
  expect(isAttacked(text, 'value')).toBe(false);
  expect(isAttacked(text.replace('x = 1; y = 1;', 'x = 1; y = 2;'), 'value')).toBe(true);
});
