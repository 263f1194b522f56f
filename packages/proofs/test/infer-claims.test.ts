import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Budget } from '@fencewright/ground/base/budget.js';
import { instantiate } from '@fencewright/model/program/instantiate.js';
import { exploreMachine } from '@fencewright/model/semantics/explore-machine.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import { randomRuns, randomSeed } from '../../../tools/random-runs.js';
import { openProgram, proveText, useSolver } from './proving.js';
import { randomLockProgram } from './random-lock-text.js';

const solver = useSolver();

async function provesOne(text: string) {
  const { result } = await proveText(text, { solver, infer: true, properties: ['one'] });
  const [one] = result.properties;
  return { verdict: one?.verdict, helpers: result.invariants.length };
}

const lock = (take: string, release: string, more = ''): string => `program P
  var l = 0, x${more}
  thread t[*] { local r, v; loop { ${take} cs: v = x; x = v + 1; ${release} } }
  property one: never (t[0] @ cs && t[1] @ cs)`;

describe('mutual exclusion of any two copies, without a written invariant', () => {
  it.each([
    ['a lock by exchange', lock('do { r = xchg(l, 1); } while (r != 0);', 'l = 0;')],
    ['a lock by compare-and-swap', lock('do { r = cas(l, 0, 1); } while (r == 0);', 'l = 0;')],
    [
      'a lock that looks before it takes',
      lock('do { while (l == 1) { } r = xchg(l, 1); } while (r == 1);', 'l = 0;'),
    ],
    [
      'the lock of Linux, which counts down',
      lock('loop { r = fetch_sub(l, 1); if (r >= 0) break; while (l < 0) { } }', 'l = 0;'),
    ],
    ['tickets', lock('r = fetch_add(n, 1); do { v = l; } while (v != r);', 'l = r + 1;', ', n')],
  ])('is proved of %s', async (_, text) => {
    const { verdict, helpers } = await provesOne(text);
    expect(verdict).toBe('holds');
    expect(helpers).toBeGreaterThan(0);
  });

  it.each([
    ['one exchange whose result nobody looks at', lock('r = xchg(l, 1);', 'l = 0;')],
    [
      'a release in front of the section',
      lock('do { r = xchg(l, 1); } while (r != 0); l = 0;', ''),
    ],
    [
      'tickets that are handed on twice',
      lock('r = fetch_add(n, 1); do { v = l; } while (v != r);', 'l = r + 1; l = r + 2;', ', n'),
    ],
  ])('is not claimed of %s', async (_, text) => {
    expect((await provesOne(text)).verdict).toBe('unknown');
  });
});

describe('what one copy knows inside of a lock', () => {
  const counter = (more: string, condition: string) => `program P
  var l, x
  thread t[*] { local v, w; loop { while (!cas(l, 0, 1)) { } v = x; x = v + 1; cs: ${more} l = 0; } }
  property one: never (t[0] @ cs && ${condition})`;

  // The program overwrites v next, so that nothing but the claim reads v.
  it('is proved of a register that only the claim reads', async () => {
    const { verdict } = await provesOne(counter('v = x;', 'x != t[0].v + 1'));
    expect(verdict).toBe('holds');
  });

  it.each([
    ['cas', 'while (!cas(l, 0, 1)) { }', 'l = 0;'],
    ['cas of the own number', 'while (!cas(l, 0, self + 1)) { }', 'l = 0;'],
    ['xchg', 'while (xchg(l, 1)) { }', 'l = 0;'],
    [
      'a look before a cas',
      'do { do { r = l; } while (r); r = cas(l, 0, 1); } while (!r);',
      'l = 0;',
    ],
  ])('is proved of several variables: %s', async (_, take, release) => {
    const { verdict, helpers } = await provesOne(`program P
      var l, x, y
      thread t[*] { local r, v; loop { ${take} v = x; x = v + 1; y = v + 1; cs: skip; ${release} } }
      property one: never (t[0] @ cs && x != y)`);
    expect(verdict).toBe('holds');
    expect(helpers).toBeGreaterThan(1);
  });

  it('is proved where two attempts to take the lock lead to one place', async () => {
    const { verdict } = await provesOne(`program P
      var l, x
      thread t[*] { local r, s; loop { choose { r = cas(l, 0, 1); } or { s = cas(l, 0, 1); } cs: skip; } }
      property one: never (t[0] @ cs && x == 1)`);
    expect(verdict).toBe('holds');
  });

  it('is proved of what a copy has read inside, and knows outside', async () => {
    const { verdict } = await provesOne(`program P
      var l, x
      thread t[*] { local v, w; loop { while (!cas(l, 0, 1)) { } v = x; x = v + 1; w = x; l = 0; out: v = w; } }
      property one: never (t[0] @ out && t[0].w != t[0].v + 1)`);
    expect(verdict).toBe('holds');
  });

  it('is not claimed if it is wrong', async () => {
    const { verdict } = await provesOne(counter('v = x;', 'x == t[0].v + 1'));
    expect(verdict).not.toBe('holds');
  });
});

/** Whether two threads of an instance are in their critical sections in one TSO state. */
async function meetInside(
  open: Templates,
  counts: readonly number[],
  sections: readonly { readonly label: string; readonly thread: number }[],
): Promise<'yes' | 'no' | 'unknown'> {
  const { program, templateOf } = instantiate(open, counts);
  let isFound = false;
  const { incomplete } = await exploreMachine('TSO', program, new Budget({ maxStates: 40_000 }), {
    onState: ({ state }) => {
      const inside = state.locations.filter((location, t) => {
        const name = program.threads[t]!.locations[location]!.name;
        return sections.some(({ label, thread }) => label === name && thread === templateOf[t]);
      });
      isFound ||= inside.length > 1;
    },
    onFailedAssertion: () => undefined,
    isDone: () => isFound,
  });
  return isFound ? 'yes' : incomplete ? 'unknown' : 'no';
}

it('never claims of random locks what a run of some copies under TSO refutes', async () => {
  const seen = { programs: 0, claims: 0, holds: 0, refuted: 0, all: 0, helped: 0 };
  await fc.assert(
    fc.asyncProperty(randomLockProgram, async ({ text, copies }) => {
      const claims = [...text.matchAll(/^invariant (one\d+).*$/gm)].map(([, name]) => name!);
      const bare = text.replaceAll(/^invariant held.*$\n?/gm, '');
      const open = openProgram(bare);
      const options = { solver, infer: true, properties: claims };
      const { result } = await proveText(bare, { ...options, searchInstances: false });
      seen.programs++;
      for (const { name, verdict } of result.properties) {
        seen.claims++;
        const threads = [Number(name[3]), Number(name[4])];
        const all = open.templates.threads.flatMap(({ locations }, thread) =>
          locations
            .filter(({ name: label }) => threads.includes(thread) && /^c\d+$/.test(label))
            .map(({ name: label }) => ({ label, thread })),
        );
        const counts = copies.map((count, thread) => (threads.includes(thread) ? count : 1));
        // With a third copy of one template, the claim is about two different templates only.
        const few = threads[0] === threads[1] ? counts : counts.map(() => 1);
        const judged = await meetInside(open, few, all);
        seen.refuted += Number(judged === 'yes');
        seen.all += Number(judged === 'no');
        if (verdict !== 'holds') continue;
        seen.holds++;
        seen.helped += Number(result.invariants.some(({ origin }) => origin === 'inferred'));
        expect(judged, bare).not.toBe('yes');
      }
    }),
    { numRuns: randomRuns(24, 2000, 8), seed: randomSeed(20_261_129), endOnFailure: true },
  );
  console.log('claims of random locks', seen);
  expect(seen.holds).toBeGreaterThan(seen.programs / 10);
  expect(seen.refuted).toBeGreaterThan(seen.programs / 10);
  expect(seen.helped).toBeGreaterThan(seen.programs / 20);
});
