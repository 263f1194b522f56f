import { Budget } from '@fencewright/ground/base/budget.js';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import {
  isConsistent,
  isConsistentButForThinAir,
  isSequentiallyConsistent,
} from '@fencewright/model/c11/consistency.js';
import type {
  C11Claim,
  C11Result,
  FailingAssertion,
} from '@fencewright/model/verdict/c11-result.js';
import { describe, expect, test } from 'vitest';
import { isCampaign, randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { checkC11 } from '../../src/c11/check-c11.js';
import { firstLateLoad } from '../../src/c11/late-load-orders.js';
import { programOf } from '../robustness/native-program.js';
import type { Outcomes } from './all-outcomes.js';
import { bufferedOutcomes } from './buffered-outcomes.js';
import { isForwardedBehind } from './may-forward.js';
import { bufferingSketch, publicationSketch, skippingSketch } from './publication-sketch.js';
import { type ProgramSketch, randomSketch, textOf } from './sketch.js';

function decide(text: string, maxStates = 100_000): Promise<C11Result> {
  return checkC11(programOf(text), 'c11', new Budget({ maxStates }));
}

/** A condition on final states: the value of each thread's register, and the value of one cell. */
interface Wanted {
  readonly registers: readonly number[];
  readonly cell: number;
  readonly value: number;
}

const textOfWanted = ({ registers, cell, value }: Wanted, { cells }: ProgramSketch): string =>
  [...registers.map((one, t) => `t${t}.r == ${one}`), `${cells[cell]} == ${value}`].join(' && ');

/** Whether some final state in which all threads have ended meets the condition. */
function isMet({ finals }: Outcomes, { registers, cell, value }: Wanted, cells: number): boolean {
  return [...finals].some((one) => {
    const parts = one.split(',');
    return (
      parts[cell] === `${value}` &&
      registers.every((read, t) => parts[cells + t] === `${t} ${read}`)
    );
  });
}

describe('properties of final states', () => {
  test('of random programs, by all graphs with loads behind later stores', async () => {
    const counts: Record<string, number> = {};
    const count = (word: string): void => {
      counts[word] = (counts[word] ?? 0) + 1;
    };
    const first = randomSeed(93_000);
    for (let seed = first; seed < first + randomRuns(400, 6000); seed++) {
      const sketch =
        seed % 3 === 0
          ? seed % 2 === 0
            ? bufferingSketch(seed)
            : skippingSketch(seed)
          : seed % 3 === 1 || seed % 5 > 0
            ? randomSketch(seed, { branches: false, plain: false })
            : publicationSketch(seed, false);
      const outcomes = bufferedOutcomes(sketch, 2000);
      if (!outcomes) continue;
      const { length } = sketch.cells;
      const random = new SeededRandom(seed + 7);
      // Most conditions are those of final states that SC does not have.
      const weak = [...outcomes.c11.finals].filter((one) => !outcomes.sc.finals.has(one));
      if (weak.length === 0 && seed % 4 > 0) continue;
      const all = seed % 4 > 0 && weak.length > 0 ? weak : [...outcomes.sc.finals];
      const parts = all[random.below(all.length)]!.split(',');
      const cell = random.below(length);
      const wanted: Wanted = {
        registers: parts.slice(length).map((one) => {
          const read = Number(one.split(' ')[1]);
          return random.below(6) === 0 ? random.below(3) : read;
        }),
        ...{ cell, value: Number(parts[cell]) },
      };
      const condition = textOfWanted(wanted, sketch);
      const text = `${textOf(sketch).replace('program Sketch\n', '')}
        property reached: exists (${condition})
        property avoided: finally (!(${condition}))`;
      const { claims, verdict } = await decide(text);
      if (verdict.kind === 'unknown') continue;
      const [reached, avoided] = claims!;
      const [underC11, underSC] = [outcomes.c11, outcomes.sc].map((some) =>
        isMet(some, wanted, length),
      );
      const told = { reached: reached!.answer, avoided: avoided!.answer };
      const ofSC = [reached!.underSC, avoided!.underSC];
      const late = reached!.graph ? firstLateLoad(reached!.graph) : -1;
      if (!underC11 && late >= 0 && isForwardedBehind(reached!.graph!, late)) {
        // The judge executes a store before its own thread loads it; processors may forward it.
        expect(isConsistentButForThinAir(reached!.graph!, 'c11')).toBe(true);
        count('forwarded');
        continue;
      }
      if (told.reached !== 'unknown')
        expect([seed, told, text]).toEqual([
          seed,
          underC11
            ? { reached: 'holds', avoided: 'fails' }
            : { reached: 'fails', avoided: 'holds' },
          text,
        ]);
      expect([seed, ofSC]).toEqual([seed, [underSC, !underSC]]);
      for (const { graph } of [reached!, avoided!])
        if (graph) {
          expect(isConsistentButForThinAir(graph, 'c11')).toBe(true);
          expect(isSequentiallyConsistent(graph)).toBe(underSC);
          if (!isConsistent(graph, 'c11')) {
            count('by load buffering');
            if (seed % 6 === 3) count('with skipped statements');
          }
        }
      const isSkipping = seed % 6 === 3 && underC11;
      if (told.reached === 'unknown')
        count(underC11 ? (isSkipping ? 'not found, skipping' : 'not found') : 'cautious');
      else count(underC11 ? (underSC ? 'under SC' : 'only under C11') : 'excluded');
    }
    if (isCampaign) console.log(counts);
    for (const word of [
      ...['under SC', 'only under C11', 'excluded', 'by load buffering', 'with skipped statements'],
    ])
      expect([word, (counts[word] ?? 0) > 4]).toEqual([word, true]);
  });

  const claimOf = async (text: string, maxStates?: number): Promise<C11Claim | undefined> =>
    (await decide(text, maxStates)).claims?.[0];

  const buffering = (order: string, property: string): string => `var x, y
    thread a { local r; r = load(x, ${order}); store(y, 1); }
    thread b { local r; r = load(y, ${order}); store(x, 1); }
    property seen: ${property}`;

  test('an execution that only load buffering makes', async () => {
    const both = 'exists (a.r == 1 && b.r == 1)';
    const claim = await claimOf(buffering('relaxed', both));
    expect(claim).toMatchObject({ answer: 'holds', underSC: false });
    expect(isConsistent(claim!.graph!, 'c11')).toBe(false);
    expect(isConsistentButForThinAir(claim!.graph!, 'c11')).toBe(true);
    expect(await claimOf(buffering('acquire', both))).toMatchObject({ answer: 'fails' });
  });

  // Both threads load first and then store. Each row names what keeps the store behind the load.
  // The loads of c and d may be late.
  test.each([
    ['none', 'store(OTHER, 1, relaxed);'],
    ['a condition', 'if (r == 1) { store(OTHER, 1, relaxed); }'],
    ['a condition on a copy', 's = r; if (s == 1) { store(OTHER, 1, relaxed); }'],
    ['a condition that the loaded value breaks', 'if (r == 0) { store(OTHER, 1, relaxed); }'],
    ['release', 'store(OTHER, 1, release);'],
    ['a fence', 'fence(release); store(OTHER, 1, relaxed);'],
    ['a store that depends on the value', 'store(OTHER, 1 + r * 0, relaxed);'],
    ['an address that depends on the value', 'store(OTHER[r - r], 1, relaxed);'],
  ])('a store waits for the load: %s', async (kept, store) => {
    const thread = (name: string, own: string, other: string): string =>
      `thread ${name} { local r, s; r = load(${own}, relaxed); ${store.replace('OTHER', other)} }`;
    const isArray = store.includes('[');
    const text = `var x${isArray ? '[1]' : ''}, y${isArray ? '[1]' : ''}, z, w
      thread c { local r; r = load(w, relaxed); store(z, 1, relaxed); }
      thread d { local r; r = load(z, relaxed); store(w, 1, relaxed); }
      ${thread('a', isArray ? 'x[0]' : 'x', 'y')} ${thread('b', isArray ? 'y[0]' : 'y', 'x')}
      property seen: exists (a.r == 1 && b.r == 1)`;
    expect((await claimOf(text))?.answer).toBe(kept === 'none' ? 'holds' : 'unknown');
  });

  // Thread b loads y by acquire, so only the load of thread a can be late. On ARM, statements
  // between this load and the store do not keep the store behind the load. A statement that uses
  // the loaded value, or that releases, only waits for the load itself.
  test.each([
    [
      'behind a local statement',
      'r = load(x, relaxed); s = r + 1; store(y, 1, relaxed);',
      's == 2',
    ],
    ['of a read-modify-write', 'r = fetch_add(x, 1, relaxed); store(y, 1, relaxed);', 'r == 1'],
    [
      'behind a read-modify-write',
      'r = load(x, relaxed); s = fetch_add(z, 1, relaxed); store(y, 1, relaxed);',
      'r == 1',
    ],
    ['behind a cas', 'r = load(x, relaxed); s = cas(y, 0, 1, relaxed, relaxed);', 'r == 1'],
    [
      'behind a store that waits',
      'r = load(x, relaxed); store(z, r + 1, relaxed); store(y, 1, relaxed);',
      'r == 1 && z == 2',
    ],
    [
      'behind a store that releases',
      'r = load(x, relaxed); s = r + 1; store(z, s, release); store(y, 1, relaxed);',
      'r == 1 && z == 2 && b.s == 0',
    ],
  ])('a load %s is late', async (_, statements, seen) => {
    const wanted = seen.replaceAll(/\b[rs]\b/g, 'a.$&').replace('b.a.', 'b.');
    const text = `var x, y, z
      thread a { local r, s; ${statements} }
      thread b { local s; await (load(y, acquire) == 1); s = load(z, relaxed); store(x, 1, relaxed); }
      property never: finally (!(${wanted}))`;
    const claim = await claimOf(text);
    expect(claim).toMatchObject({ answer: 'fails', underSC: true });
    const graph = claim!.graph!;
    expect(isConsistentButForThinAir(graph, 'c11')).toBe(true);
    const load = graph.events.find(({ thread }) => thread === 0);
    expect([load?.read, graph.events[load!.from!]?.thread]).toEqual([1, 1]);
    // With acquire, no later store overtakes the load.
    const safe = text.replace(/(load\(x|fetch_add\(x, 1), relaxed/, '$1, acquire');
    expect(['holds', 'unknown']).toContain((await claimOf(safe))?.answer);
  });

  test('a property that the load buffering found first does not break stays open', async () => {
    const text = `var x, y, z
      thread a { local r; r = load(x, relaxed); store(y, 1, relaxed); }
      thread b { await (load(y, acquire) == 1); store(x, 1, relaxed); }
      property never: finally (a.r != 2)`;
    expect(await claimOf(text)).toMatchObject({ answer: 'unknown', underSC: true });
  });

  test('an assertion that only load buffering lets fail', async () => {
    const text = `var x, y, z
      thread a { local r; r = load(x, relaxed); store(y, 1, relaxed); assert(r == 0); }
      thread b { local r; r = load(y, acquire); if (r == 1) { store(x, 1, relaxed); } }`;
    const { verdict, effect, assertions } = await decide(text);
    expect([verdict.kind, assertions]).toEqual(['not-robust', 'fail']);
    expect(effect).toMatchObject({ kind: 'assertion-fails', thread: 0 });
    const { execution } = effect as FailingAssertion;
    expect(execution.kind).toBe('load-buffering');
    expect(execution.graph.events[execution.event]).toMatchObject({ thread: 0, read: 1 });
    // With an acquire load, the assertion holds.
    const safe = await decide(text.replace('load(x, relaxed)', 'load(x, acquire)'));
    expect([safe.verdict.kind, safe.assertions]).toEqual(['robust', 'hold']);
  });

  test.each([
    ['relaxed', 'acquire'],
    ['release', 'acq_rel'],
  ])('an assertion behind a read-modify-write that is late: %s', async (given, acquiring) => {
    const text = `var x, y
      thread a { local r; r = fetch_add(x, 1, ${given}); store(y, 1, relaxed); assert(r == 0); }
      thread b { local r; r = load(y, acquire); if (r == 1) { store(x, 1, relaxed); } }`;
    const { verdict, effect, assertions } = await decide(text);
    expect([verdict.kind, assertions]).toEqual(['not-robust', 'fail']);
    expect(effect).toMatchObject({ kind: 'assertion-fails', thread: 0 });
    const { execution } = effect as FailingAssertion;
    expect(execution.graph.events[execution.event]).toMatchObject({ thread: 0, read: 1 });
    expect(execution.preventedBy).toEqual([{ event: execution.event, order: acquiring }]);
    const safe = await decide(text.replace(`1, ${given}); store`, `1, ${acquiring}); store`));
    expect([safe.verdict.kind, safe.assertions]).toEqual(['robust', 'hold']);
  });

  test('in a robust program, interleavings decide, also where a store may overtake a load', async () => {
    // In thread a, the store to y may overtake the load of x. The load cannot see an effect of this
    // store, since thread c stores nothing after its load of y.
    const text = (answer: string): string => `var x, y
      thread a { local r; r = load(x, relaxed); store(y, 1, relaxed); }
      thread b { store(x, 1, relaxed); }
      thread c { local r; r = load(y, relaxed); }
      property seen: exists (a.r == ${answer} && c.r == 1)`;
    expect((await decide(text('1'))).verdict.kind).toBe('robust');
    expect(await claimOf(text('1'))).toMatchObject({ answer: 'holds', underSC: true });
    expect(await claimOf(text('2'))).toMatchObject({ answer: 'fails', underSC: false });
  });

  test('a search cut short excludes nothing, unless the program is robust', async () => {
    const stores = ['store(x, 1);', 'store(x, 2);', 'store(x, 3);', 'store(x, 4);'].join(' ');
    const text = (order: string): string => `var x, y, z
      thread a { ${stores} } thread b { ${stores} }
      thread d { local r, s; r = load(x, acquire); s = load(x, acquire); }
      thread e { store(y, 1, ${order}); store(z, 1, ${order}); }
      thread f { local r, s; r = load(z, acquire); s = load(y, acquire); store(z, 2, relaxed); }
      property seen: exists (d.r == 5)`;
    expect(await claimOf(text('relaxed'))).toMatchObject({ answer: 'unknown', underSC: false });
    expect(await claimOf(text('release'))).toMatchObject({ answer: 'fails', underSC: false });
  });

  // The final value of d is 1 only if the loop of t stores to d again, after the store of a.
  test('turns of a loop that stores count', async () => {
    const text = `var x, c, d
      thread w { store(x, 1, relaxed); store(c, 1, relaxed); }
      thread t { local r, s; while (r == 0) { store(d, 1); r = load(c, relaxed); } s = load(x, relaxed); }
      thread a { local r; r = load(d, relaxed); store(d, 3); }
      property seen: exists (t.s == 0 && a.r == 1 && d == 1)`;
    expect(await claimOf(text)).toMatchObject({ answer: 'holds', underSC: false });
  });

  test('in endless loops, all threads never end', async () => {
    const text = `var x thread a { loop { store(x, 1); } } property seen: exists (x == 1)`;
    expect(await claimOf(text)).toEqual({ property: 0, answer: 'fails', underSC: false });
  });
});

describe('assertions, where only the graphs decide', () => {
  // The cell x has too many values for the comparison of old loads with interleavings.
  const text = (bound: number): string => `var x, y, w, v
    thread a { store(y, 1); store(w, 1); }
    thread b {
      local k, r, s;
      k = load(w, acquire);
      r = load(y, acquire);
      s = load(x, acquire);
      s = load(v, acquire);
      s = load(v, acquire);
      assert(k < ${bound});
    }
    thread c { local h; havoc h in 0..40; store(x, h); }`;

  test('one that fails in an interleaving does not hold', async () => {
    const { verdict, effect, assertions } = await decide(text(1));
    expect([verdict.kind, effect?.kind, assertions]).toEqual([
      'not-robust',
      'states-differ',
      'fail',
    ]);
  });

  test('one that never fails holds', async () => {
    const { verdict, effect, assertions } = await decide(text(2));
    expect([verdict.kind, effect?.kind, assertions]).toEqual([
      'not-robust',
      'states-differ',
      'hold',
    ]);
  });
});

describe('threads that wait', () => {
  test('registers that a waiting thread does not use any more make no difference', async () => {
    const text = (last: string): string => `var x, y, z
      thread a { store(x, 1, relaxed); store(y, 1, relaxed); }
      thread b { local r, s; r = load(y, relaxed); s = load(x, relaxed); ${last} }`;
    expect((await decide(text('await (load(z) == 1);'))).effect?.kind).toBe('none');
    expect((await decide(text('await (load(z) == 1 + r - s);'))).effect?.kind).toBe(
      'states-differ',
    );
    expect((await decide(text(''))).effect?.kind).toBe('states-differ');
  });

  // Under SC, the loop of u never ends, so no execution ends, and t waits for ever, as under C11.
  test('a wait in vain beside a loop without end is no news of C11', async () => {
    const text = `var x, y, z
      thread a { store(x, 1, relaxed); store(y, 1, relaxed); }
      thread t { await (load(z) == 1); }
      thread u {
        local r, s, q;
        while (q == 0) { r = load(y, relaxed); s = load(x, relaxed); if (r > s) { q = 1; } }
      }`;
    const { verdict, effect } = await decide(text);
    expect(verdict.kind).toBe('not-robust');
    expect(effect?.kind).not.toBe('waits');
  });
});
