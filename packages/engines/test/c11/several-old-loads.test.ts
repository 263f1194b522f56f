import { Budget } from '@fencewright/ground/base/budget.js';
import { describe, expect, test } from 'vitest';
import { checkC11 } from '../../src/c11/check-c11.js';
import { programOf } from '../robustness/native-program.js';
import { type GraphEnd, graphsOf } from './program-graphs.js';
import { usualCases } from '../../../../tools/usual-cases.js';

/**
 * Returns a program whose threads `left` and `right` each load an old value of a cell that the
 * other thread has overwritten once more. In an interleaving, only one of the threads can get the
 * value 1, by winning `won`. If only one of the two loads reads an old value, and the search
 * follows such loads only where an interleaving lets the thread know the cell's last store, the
 * result is a state of some interleaving. So such a search finds no difference to SC. The threads
 * set their registers to 0 at the end, so that no register shows a difference.
 */
function twoOldLoads(wait: (cell: string, order: string) => string): string {
  const side = (own: string, other: string, into: string): string => `
      local r, q, v;
      ${wait(`f${own}`, 'acquire')}
      ${wait(`f${other}`, 'relaxed')}
      store(${own}, 2);
      choose { ${wait('d', 'acquire')} r = load(${other}); }
      or { r = 0; }
      or {
        q = cas(won, 0, 1, relaxed, relaxed);
        if (q == 1) { store(d, 1, release); r = 1; } else { r = 0; }
      }
      store(${into}, r);
      r = 0; q = 0; v = 0;`;
  return `var x = 1 var y = 1 var fx, fy, won, d, a, b
    thread writer { store(x, 0); store(fx, 1, release); }
    thread another { store(y, 0); store(fy, 1, release); }
    thread starter {
      local q;
      q = cas(won, 0, 1, relaxed, relaxed);
      if (q == 1) { store(d, 1, release); }
      q = 0;
    }
    thread left { ${side('y', 'x', 'a')} }
    thread right { ${side('x', 'y', 'b')} }`;
}

/**
 * Returns a load after which the thread blocks for ever if the value is not 1. A loop that repeats
 * the load would have more execution graphs.
 */
const once = (cell: string, order: string): string =>
  `v = load(${cell}, ${order}); assume(v == 1);`;

describe('old loads of several threads', () => {
  test('two that each have an interleaving with the same effect, and together none', async () => {
    const program = programOf(twoOldLoads(once));
    const graphs = graphsOf(program, { graphs: 100_000, events: 20 });
    if (!graphs?.isWhole) throw new Error('too many graphs');
    const [a, b] = ['a', 'b'].map((name) => program.symbols.find((one) => one.name === name)!.base);
    const hasBoth = ({ memory }: GraphEnd): boolean => memory.get(a!) === 1 && memory.get(b!) === 1;
    expect(graphs.ends.filter(hasBoth).map(({ isOfSC }) => isOfSC)).toContain(false);
    expect(graphs.ends.filter(({ isOfSC }) => isOfSC).some(hasBoth)).toBe(false);

    const waiting = twoOldLoads((cell, order) => `await (load(${cell}, ${order}) == 1);`);
    const { verdict, effect } = await checkC11(programOf(waiting), 'c11', new Budget());
    expect([verdict.kind, effect?.kind]).toEqual(['not-robust', 'states-differ']);
  });

  test('what a thread stores behind an old value, others load', async () => {
    const text = (value: number): string => `var x, y, z
      thread a { store(x, 1); store(y, 1); }
      thread b { local r; await (load(y) == 1); r = load(x); store(z, r + 1); store(z, 2); r = 0; }
      thread c { local r; r = load(z); assert(r != ${value}); r = 0; }`;
    const effectOf = async (value: number): Promise<unknown> =>
      (await checkC11(programOf(text(value)), 'c11', new Budget())).effect;
    expect(await effectOf(1)).toMatchObject({ kind: 'assertion-fails', thread: 2 });
    expect(await effectOf(3)).toEqual({ kind: 'none' });
  });

  // The loop reads the old value in vain, and is not obliged to read it for ever.
  test('an old value that a loop may read again and again', async () => {
    const text = `var x, f
      thread a { store(x, 1); store(f, 1); }
      thread b { local r, n; await (load(f) == 1); r = 0; while (r == 0) { r = load(x); n = load(f); } }`;
    const { verdict, effect } = await checkC11(programOf(text), 'c11', new Budget());
    expect([verdict.kind, effect?.kind]).toEqual(['not-robust', 'none']);
  });

  // Each round of `u` may load the new y and an old x, from another store each time. Without old
  // loads, `u` loops only once. If `t` ends, `u` waits for ever for its next y.
  const rounds = [
    ['endlessly', 'loop {', '}', 'unknown'],
    [
      ...['until the other thread ends', 'local q; q = 1; while (q == 1) {'],
      ...['q = load(w, relaxed); }', 'waits'],
    ],
  ] as const;
  test.each(usualCases(rounds, ([title]) => title === 'endlessly'))(
    'a thread that goes round for ever through states of interleavings, %s',
    async (_, from, to, kind) => {
      const text = `var x, y, z, w
      thread t {
        ${from}
          store(x, 1); store(y, 1);
          await (load(z, acquire) == 1);
          store(x, 0); store(y, 0, release);
          await (load(z, acquire) == 0);
        ${to}
      }
      thread u {
        local b;
        b = 0;
        while (b == 0) {
          await (load(y) == 1);
          b = load(x);
          if (b == 0) { store(z, 1, release); await (load(y, acquire) == 0); store(z, 0, release); }
        }
      }`;
      const { verdict, effect } = await checkC11(programOf(text), 'c11', new Budget());
      expect([verdict.kind, effect?.kind]).toEqual(['not-robust', kind]);
    },
  );

  // Dekker's algorithm with fences, in endless loops. A waiting thread may take an old turn for the
  // current one while the other thread passes twice: no interleaving has this state, and the state
  // does not last.
  test('a state that no interleaving has, and that does not last', async () => {
    const side = (own: number): string => `
      thread t${own} {
        local other, t, q;
        loop {
          store(flag[${own}], 1);
          fence(seq_cst);
          other = load(flag[${1 - own}], acquire);
          while (other == 1) {
            t = load(turn, acquire);
            if (t != ${own}) {
              store(flag[${own}], 0);
              await (load(turn, acquire) == ${own});
              store(flag[${own}], 1);
              fence(seq_cst);
            }
            other = load(flag[${1 - own}], acquire);
          }
          store(d, ${own + 1});
          q = load(d);
          assert(q == ${own + 1});
          store(turn, ${1 - own}, release);
          store(flag[${own}], 0, release);
        }
      }`;
    const text = `var flag[2] var turn, d ${side(0)} ${side(1)}`;
    const { verdict, effect, assertions } = await checkC11(programOf(text), 'c11', new Budget());
    expect([verdict.kind, effect?.kind, assertions]).toEqual(['not-robust', 'none', 'hold']);
  });
});
