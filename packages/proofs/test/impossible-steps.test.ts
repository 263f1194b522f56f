import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomRuns, randomSeed } from '../../../tools/random-runs.js';
import { openProgram, proveText, useSolver } from './proving.js';
import { refuteByDefinition } from './refute-by-definition.js';
import { refuteProof } from './refute-proof.js';

const solver = useSolver();

async function verdictOf(text: string) {
  const { result, claims } = await proveText(text, { solver, searchInstances: false });
  const stores = (claims?.stores ?? []) as readonly { readonly impossible?: unknown }[];
  return {
    kind: result.verdict.kind,
    isByExclusion: stores.some(({ impossible }) => impossible !== undefined),
  };
}

/**
 * Returns a program in which one thread may skip its fence, and a second thread then closes a
 * happens-before cycle.
 */
const skipping = (before: string, behind: string, rest: string): string => `program P
  var x, y, z = 1
  thread a[*] { local r, v; ${before} o: x = 1; p: ${behind} q: if (r == 0) goto l; fence; l: v = y; }
  thread b[*] { local w; y = 1; fence; w = x; }
  ${rest}`;

describe('a load behind a step that the invariants exclude', () => {
  it.each([
    ['register', 'r = z;', 'skip;', 'invariant one(t: a): t @ o || t @ p || t @ q ==> t.r == 1'],
    ['cell of its own', '', 'r = z;', 'invariant kept(t: a): t @ q ==> t.r == 1'],
  ])('does not come while the store waits: a %s', async (_, before, behind, claim) => {
    const text = skipping(before, behind, `invariant never: z == 1\n${claim}`);
    expect(await verdictOf(text)).toEqual({ kind: 'proved', isByExclusion: true });
    // Without the invariants the proof has no argument.
    expect((await verdictOf(skipping(before, behind, ''))).kind).toBe('unknown');
  });

  it('may be excluded by the value of the delayed store, which its thread reads', async () => {
    const text = `program P
      var x, y
      thread a { local r, v; x = 1; p: r = x; q: if (r == 0) goto l; fence; l: v = y; }
      thread b { local w; y = 1; fence; w = x; }
      invariant own(t: a): t @ p ==> x == 1
      invariant read(t: a): t @ q ==> t.r == 1`;
    expect(await verdictOf(text)).toEqual({ kind: 'proved', isByExclusion: true });
  });

  it('counts if another thread breaks the invariant', async () => {
    const other = 'thread c { z = 0; }\ninvariant never: z == 1';
    const text = skipping('r = z;', 'skip;', `${other}\ninvariant one(t: a): t @ q ==> t.r == 1`);
    expect((await verdictOf(text)).kind).toBe('unknown');
  });

  it('counts if an invariant holds and says nothing about the step', async () => {
    const text = skipping('r = z;', 'skip;', 'thread c { z = 0; }\ninvariant some: x >= 0');
    expect((await verdictOf(text)).kind).toBe('unknown');
  });

  it('and the load of such a step counts, which has other ways to go on', async () => {
    // With 'x' delayed, 'a' reads 'z' early: the other thread stores 'z' and misses 'x'.
    const text = `program P
      var x, y, z = 1
      thread a { local r, v; x = 1; r = z; if (r == 0) goto l; fence; l: v = y; }
      thread b { local w; z = 2; fence; w = x; y = 1; }
      invariant never: z >= 1`;
    expect((await verdictOf(text)).kind).toBe('unknown');
    expect((await verdictOf(text.replace('z = 2;', 'skip;'))).kind).toBe('proved');
  });

  it('counts if a load in front of the step is no right mover', async () => {
    // Under SC 'r' is 1, as 'x' is 1 before 'a' looks; with the store delayed, 'b' is too early.
    const text = `program P
      var x, y, z = 1, u
      thread a { local r, v; x = 1; p: r = z; q: if (r == 0) goto l; fence; l: v = y; }
      thread b { local w; atomic { w = x; if (w == 0) { w = u; if (w == 1) z = 0; } } y = 1; }
      thread c { u = 1; }
      invariant never(t: a): t @ q ==> t.r == 1`;
    expect((await verdictOf(text)).kind).toBe('unknown');
  });
});

describe('a load, and a lock block of another thread', () => {
  // Under SC the block reads 1 once 'a' looks; with 'x' delayed it reads 0, and stores 'z'.
  const text = `program P
    var x, z, u
    thread a { local r; x = 1; p: r = z; }
    thread b { local w; u = 1; atomic { w = x; if (w == 0) z = 1; } }
    invariant seen: a @ p ==> x == 1`;

  it('do not change places if the block, before the delayed store, stores to the cell', async () => {
    expect((await verdictOf(text)).kind).toBe('unknown');
    expect((await verdictOf(text.replace('z = 1;', 'u = 2;'))).kind).toBe('proved');
  });

  it('do not, either, if the block stores to an index, or a value, that it has read', async () => {
    const index = text.replace('x, z, u', 'x, z[*], u').replace('r = z', 'r = z[0]');
    expect((await verdictOf(index.replace('if (w == 0) z = 1', 'z[w] = 1'))).kind).toBe('unknown');
    expect((await verdictOf(text.replace('if (w == 0) z = 1', 'z = 1 - w'))).kind).toBe('unknown');
  });
});

const values = fc.constantFrom(0, 1);
const cells = fc.constantFrom('x', 'y', 'z', 'z', 'z', 'z');
const thread = fc.record({
  early: fc.boolean(),
  source: cells,
  store: fc.tuple(
    fc.constantFrom('own', 'own', 'own', 'own', 'own', 'other', 'z'),
    fc.constantFrom(0, 1, 1, 1, 1),
  ),
  between: fc.option(fc.tuple(fc.constantFrom('x', 'y', 'z'), values), { nil: undefined, freq: 1 }),
  turns: fc.constantFrom(true, true, true, false),
  read: fc.constantFrom('other', 'other', 'other', 'own'),
  last: fc.boolean(),
  isAny: fc.boolean(),
});

/** Random threads that may skip their fence, with claims about the values that they load. */
const programs = fc
  .tuple(fc.array(thread, { minLength: 2, maxLength: 2 }), values)
  .map(([threads, first]) => {
    const parts = threads.map(({ early, source, store, between, turns, read, last, isAny }, i) => {
      const left = turns ? 1 - first : first;
      const named = (cell: string): string =>
        cell === 'z' ? 'z' : (cell === 'own') === (i === 0) ? 'x' : 'y';
      return `thread t${i}${isAny ? '[*]' : ''} { local r, v;
        ${early ? `r = ${source};` : ''} o: ${named(store[0])} = ${store[1]};
        p: ${between ? `${between[0]} = ${between[1]};` : ''} ${early ? '' : `r = ${source};`}
        q: if (r == ${left}) goto l; fence; l: v = ${named(read)}; ${last ? `v = ${source};` : ''} }`;
    });
    const claims = threads.flatMap(({ turns, early }, i) => {
      const kept = turns ? first : 1 - first;
      return [
        ...(early ? [`invariant p${i}(a: t${i}): a @ o || a @ p ==> a.r == ${kept}`] : []),
        `invariant q${i}(a: t${i}): a @ q ==> a.r == ${kept}`,
      ];
    });
    const memory = ['x', 'y', 'z'].flatMap((cell) =>
      [0, 1].map((value) => `invariant ${cell}${value}: ${cell} == ${value}`),
    );
    return ['program P', `var x, y, z = ${first}`, ...parts, ...claims, ...memory].join('\n');
  });

it('never proves of threads that go round their fences what an instance refutes', async () => {
  const seen = { programs: 0, proved: 0, excluded: 0, refuted: 0, complete: 0 };
  await fc.assert(
    fc.asyncProperty(programs, async (text) => {
      const open = openProgram(text);
      const { result, claims } = await proveText(text, { solver, searchInstances: false });
      const stores = (claims?.stores ?? []) as readonly { readonly impossible?: unknown }[];
      const isByExclusion = stores.some(({ impossible }) => impossible !== undefined);
      seen.programs++;
      if (result.verdict.kind !== 'proved') return;
      seen.proved++;
      seen.excluded += Number(isByExclusion);
      const judged = await refuteByDefinition(open, result);
      seen.complete += judged.complete;
      expect(judged.because, text).toBeUndefined();
      if (!isByExclusion) return;
      const { because } = await refuteProof(open, result, result.verdict.conclusion);
      expect(because, text).toBeUndefined();
    }),
    { numRuns: randomRuns(80, 5000, 15), seed: randomSeed(20_261_130), endOnFailure: true },
  );
  console.log('steps that invariants exclude', seen);
  expect(seen.excluded).toBeGreaterThan(seen.programs / 40);
  expect(seen.complete).toBeGreaterThan(seen.proved / 4);
});
