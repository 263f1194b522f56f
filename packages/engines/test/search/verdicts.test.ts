import { describe, expect, test } from 'vitest';
import { check } from '../../../core/src/api/check.js';
import { attackName, programOf } from '../robustness/native-program.js';
import { expectAttacks, expectAttacksOfLoops } from '../robustness/expect-attacks.js';

/** Returns copies of a thread: `t0`, `t1`, ... */
function copies(count: number, body: string): string {
  return Array.from({ length: count }, (_, t) => `thread t${t} { ${body} }`).join('\n');
}

describe('dead states of the last phase', () => {
  test('a success leaves none behind: the next attack starts in the very same state', () =>
    expectAttacks(
      `var x, y
      thread a { local r, q; x = 1; r = y; q = y; }
      thread b { local p; y = 1; p = x; }`,
      ['a: x = 1 | r = y', 'a: x = 1 | q = y', 'b: y = 1 | p = x'],
    ));

  test('nor in states that other threads visit on their way', () =>
    expectAttacks(
      `var x, y, z
      thread a { local r, q; x = 1; r = y; q = y; }
      thread b { local p; y = 1; p = z; z = 1; p = x; }
      thread c { z = 2; y = 3; }`,
      ['a: x = 1 | r = y', 'a: x = 1 | q = y', 'b: y = 1 | p = x', 'b: y = 1 | p = z'],
    ));

  test('a state that is dead for one target is not for another', () =>
    expectAttacks(
      `var x, y, z
      thread a { local r; z = 1; x = 1; r = y; }
      thread b { local p; y = 1; p = x; }`,
      ['a: x = 1 | r = y', 'b: y = 1 | p = x'],
    ));
});

describe('threads with the same code', () => {
  test('each can be the attacker, whoever came first', () =>
    expectAttacks(
      `var n, x, y
      ${copies(
        2,
        `local id, r, p; id = fetch_add(n, 1);
        if (id == 0) { x = 1; r = y; } else { y = 1; p = x; }`,
      )}`,
      [0, 1].flatMap((t) => [`t${t}: x = 1 | r = y`, `t${t}: y = 1 | p = x`]),
    ));

  test('attackers that read before their last load', () =>
    expectAttacks(
      `var n, x, y, z
      ${copies(
        2,
        `local id, r, p; id = fetch_add(n, 1);
        if (id == 0) { x = 1; r = z; r = y; } else { y = 1; p = z; p = x; }`,
      )}`,
      [0, 1].flatMap((t) => [`t${t}: x = 1 | r = y`, `t${t}: y = 1 | p = x`]),
    ));

  test('three of them, and one that is different', () =>
    expectAttacks(
      `var n, x, y
      thread other { local q; x = 5; q = y; }
      ${copies(3, 'local id, r; id = fetch_add(n, 1); if (id == 1) { y = 1; r = x; }')}`,
      ['other: x = 5 | q = y', ...[0, 1, 2].map((t) => `t${t}: y = 1 | r = x`)],
    ));

  test('a witness among them names a computation of the program', async () => {
    // Only the thread that comes second stores to y, and either thread may be second.
    const program = programOf(
      `var n, x, y
      ${copies(
        3,
        `local id, r; id = fetch_add(n, 1);
        if (id == 1) { y = 1; r = x; }
        if (id == 2) { x = 1; r = y; }`,
      )}`,
    );
    const { verdict } = await check(program, { engine: 'search' });
    expect(verdict.kind).toBe('not-robust');
    if (verdict.kind !== 'not-robust') return;
    const { attack, computation, cycle } = verdict.witness;
    expect(['y = 1 | r = x', 'x = 1 | r = y']).toContain(
      attackName(program, attack).replace(/^t\d: /, ''),
    );
    // The attacker's delayed store reaches memory last, and after the attacker's last load.
    const last = computation.at(-1);
    expect(last).toMatchObject({ thread: attack.thread, kind: 'store', transition: attack.store });
    expect(
      computation.some(
        ({ thread, kind, ...rest }) =>
          thread === attack.thread &&
          kind === 'load' &&
          'transition' in rest &&
          rest.transition === attack.load,
      ),
    ).toBe(true);
    expect(cycle.map(({ relation }) => relation).sort()).toEqual(['cf', 'cf', 'po', 'po']);
    // All three threads took a number: ids 0, 1, 2 in the order of the rmws.
    const numbers = computation.flatMap((action) => (action.kind === 'rmw' ? [action.value] : []));
    expect(numbers).toEqual([0, 1, 2]);
  });

  test('an endless loop of twins', () =>
    expectAttacksOfLoops(
      `var x, y
      ${copies(2, 'local r; loop { x = 1; r = y; }')}
      thread u { local r; loop { y = 1; fence; r = x; } }`,
      ['t0: x = 1 | r = y', 't1: x = 1 | r = y'],
    ));
});

describe('last phases that take many states', () => {
  // c and d wait for b, and b waits for the attack's load, so the states of all three threads count
  // in the last phase.
  test('are postponed, not forgotten', async () => {
    const program = programOf(
      `var x, y, z, u[3]
      thread a { local r; x = 1; r = y; }
      thread b {
        local i, p;
        y = 1; z = 1;
        while (i < 40) { u[0] = i; i = i + 1; }
        fence; p = x;
      }
      thread c { local i, p; do { p = z; } while (p == 0); while (i < 40) { u[1] = i; i = i + 1; } }
      thread d { local i, p; do { p = z; } while (p == 0); while (i < 40) { u[2] = i; i = i + 1; } }`,
    );
    // With the reduction `owned-cells`, the loops would be local steps.
    const options = { engine: 'search', allAttacks: true, without: ['owned-cells'] } as const;
    const { attacks } = await check(program, options);
    const feasible = attacks.filter(({ verdict }) => verdict === 'feasible');
    expect(feasible.map(({ attack }) => attackName(program, attack))).toEqual(['a: x = 1 | r = y']);
  });
});

describe('local computations that are too many to follow', () => {
  test('are cut in the same way for tables and for the witness', async () => {
    const program = programOf(`var x, y
      thread a {
        local i, j, k, r;
        havoc i in 0..15; havoc j in 0..15; havoc k in 0..63;
        x = i + j + k; r = y;
      }
      thread b { local r; y = 1; r = x; }`);
    const { verdict } = await check(program);
    expect(verdict.kind).toBe('not-robust');
  });

  test('leave a verdict of robust unknown', async () => {
    const program = programOf(`var x, y
      thread a {
        local i, j, k, r;
        havoc i in 0..15; havoc j in 0..15; havoc k in 0..63;
        x = i + j + k; r = y;
      }
      thread b { local r; r = x; y = 1; }`);
    const { verdict } = await check(program, { without: ['static-path'] });
    expect(verdict.kind).toBe('unknown');
  });
});
