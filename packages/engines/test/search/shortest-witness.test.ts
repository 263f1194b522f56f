import { describe, expect, test } from 'vitest';
import { check } from '../../../core/src/api/check.js';
import { programOf } from '../robustness/native-program.js';

const times = (count: number, statement: string): string =>
  Array.from({ length: count }, () => statement).join(' ');

/**
 * Returns two threads whose cycle has 6 actions: two for each store, one for each load. Each detour
 * adds one action.
 */
const longAttack = (detours: number): string =>
  `thread long { local r; x = 1; r = y; }
  thread partner { local p; y = 1; ${times(detours, 'p = idle;')} p = x; }`;

interface Shorter {
  readonly begins: string;
  readonly attacker: string;
  /**
   * The statements between the two accesses of the other thread; a fence counts as an action of the
   * cycle.
   */
  readonly between: string;
  /** The number of actions in the cycle. */
  readonly length: number;
}

const shorter: readonly Shorter[] = [
  { begins: 'at once', attacker: 'u = 1; q = v;', between: '', length: 6 },
  {
    begins: 'after loads',
    attacker: `${times(4, 'q = w;')} u = 1; q = v;`,
    between: 'fence;',
    length: 7 + 4,
  },
  {
    begins: 'after stores',
    attacker: `${times(4, 'w = 1;')} u = 1; q = v;`,
    between: 'fence;',
    length: 7 + 8,
  },
  {
    begins: 'at once, and loads more before its last load',
    attacker: `u = 1; ${times(4, 'q = w;')} q = v;`,
    between: 'fence;',
    length: 7 + 4,
  },
];

async function witnessLength(threads: string): Promise<number | undefined> {
  const program = programOf(`var x, y, u, v, w, idle\n${threads}`);
  const { verdict } = await check(program, { allAttacks: true, without: ['static-path'] });
  return verdict.kind === 'not-robust' ? verdict.witness.computation.length : undefined;
}

describe('the shortest witness of all attacks', () => {
  // The shorter witness has one action less than the witness of the attack found first. The search
  // passes over an attack by a lower bound on the actions of its witness. The bound does not count
  // the helpers' actions: here two actions and a fence. A bound that was larger by three, or by one
  // for each of the attacker's steps, would miss the shorter witness.
  test.each(shorter)(
    'is found where its attacker is not the first and begins $begins',
    async ({ attacker, between, length }) => {
      const long = longAttack(length + 1 - 6);
      expect(await witnessLength(long)).toBe(length + 1);
      const threads = `${long}
        thread short { local q; ${attacker} }
        thread answer { local p; v = 1; ${between} p = u; }
        thread other { w = 1; }`;
      expect(await witnessLength(threads)).toBe(length);
    },
  );
});
