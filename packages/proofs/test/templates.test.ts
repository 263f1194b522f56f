import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { randomRuns, randomSeed } from '../../../tools/random-runs.js';
import { sampleStates } from '../src/strategy/sample-states.js';
import { printNative } from '@fencewright/core/native';
import { formatInvariant } from '@fencewright/model/program/format-invariant.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import type { Invariant } from '@fencewright/model/program/program.js';
import type { Candidate } from '../src/invariants/candidates.js';
import { inferInvariants } from '../src/invariants/infer-invariants.js';
import { candidatesOf } from '../src/invariants/invariant-templates.js';
import { Prover } from '../src/obligations/obligation.js';
import { toProofProgram, type ProofProgram } from '../src/steps/proof-program.js';
import {
  evaluateInSample,
  type SampledState,
  type SampledThread,
} from '../src/invariants/sampled-state.js';
import { openProgram, proveText, useSolver } from './proving.js';

const corpus = new URL('../../../corpus/reduction/', import.meta.url).pathname;
const textOf = (name: string): string => readFileSync(`${corpus}${name}.fw`, 'utf8');
const bare = (text: string): string => text.replace(/^invariant .*$/gm, '');
const effort = { maxStates: 8000 };

function proofProgram(open: Templates): ProofProgram {
  const program = toProofProgram(open, open.templates.invariants ?? []);
  if ('unsupported' in program) throw new Error(program.unsupported.kind);
  return program;
}

/** Whether some choice of distinct threads falsifies the invariant in the state. */
function isBroken(
  { templates }: ProofProgram,
  { binders, condition }: Invariant,
  state: SampledState,
) {
  const choices = binders.reduce<readonly (readonly SampledThread[])[]>(
    (chosen, { thread }) =>
      chosen.flatMap((before) =>
        state.threads
          .filter((each) => each.thread === thread && !before.includes(each))
          .map((each) => [...before, each]),
      ),
    [[]],
  );
  return choices.some(
    (chosen) => evaluateInSample(condition, templates.symbols, state, chosen) === 0,
  );
}

const withWeaker = (candidate: Candidate): readonly Candidate[] => [
  candidate,
  ...candidate.weaker.flatMap(withWeaker),
];

describe('samples', () => {
  // An independent check of reachability: the invariants are proved elsewhere.
  it.each(['mcs-lock', 'dc-locking', 'inline-pgsql', 'ticket-lock'])(
    'of %s have its invariants',
    async (name) => {
      const program = proofProgram(openProgram(textOf(name)));
      const samples = await sampleStates(program, effort);
      expect(samples.length).toBeGreaterThan(20);
      for (const { thread, places } of program.threads)
        expect(
          new Set(
            samples.flatMap(({ threads }) =>
              threads.filter((each) => each.thread === thread).map(({ location }) => location),
            ),
          ),
        ).toEqual(new Set(places));
      const invariants = (program.templates.invariants ?? []).filter(
        // Dead registers are 0 in samples.
        ({ name: own }) => own !== 'registers' && own !== 'present' && own !== 'given',
      );
      expect(invariants.length).toBeGreaterThan(0);
      for (const invariant of invariants)
        expect(samples.some((state) => isBroken(program, invariant, state))).toBe(false);
    },
  );

  it('end with the time, and with the signal', async () => {
    const program = proofProgram(openProgram(textOf('chase-lev')));
    const few = await sampleStates(program, { ...effort, maxStates: 100 });
    expect(few.length).toBeLessThan(200);
    const { signal } = new AbortController();
    const aborted = AbortSignal.any([signal, AbortSignal.abort()]);
    expect((await sampleStates(program, { ...effort, signal: aborted })).length).toBeLessThan(100);
  });
});

describe('candidates', () => {
  it.each(['mcs-lock', 'dc-locking', 'nbw-w-lr-rl-blocking', 'sb-detours'])(
    'for %s are contradicted by no sample, nor are weaker ones',
    async (name) => {
      const program = proofProgram(openProgram(bare(textOf(name))));
      const samples = await sampleStates(program, { ...effort, maxStates: 1500 });
      const candidates = candidatesOf(program, samples);
      expect(candidates.length).toBeGreaterThan(10);
      for (const { invariant } of candidates.flatMap(withWeaker))
        expect(
          samples.some((state) => isBroken(program, invariant, state)),
          formatInvariant(program, invariant),
        ).toBe(false);
    },
  );

  it('are weakened to what follows', async () => {
    const program = proofProgram(openProgram(bare(textOf('mcs-lock'))));
    const samples = await sampleStates(program, { ...effort, maxStates: 1000 });
    const pairs = candidatesOf(program, samples)
      .flatMap(withWeaker)
      .flatMap(({ invariant, weaker }) =>
        weaker.map((next) => [invariant, next.invariant] as const),
      );
    expect(pairs.length).toBeGreaterThan(50);
    const [{ location: first }] = samples[0]!.threads as [SampledThread];
    const places = program.threads[0]!.places;
    const number = fc.integer({ min: -1, max: 4 });
    const anyState = fc
      .record({
        cells: fc.array(number, { minLength: 140, maxLength: 140 }),
        threads: fc.array(
          fc.record({
            location: fc.constantFrom(first, ...places),
            registers: fc.array(number, { minLength: 4, maxLength: 4 }),
          }),
          { minLength: 2, maxLength: 2 },
        ),
      })
      .map(({ cells, threads }): SampledState => ({
        memory: new Map(cells.map((value, address) => [address, value])),
        threads: threads.map((each, self) => ({ ...each, thread: 0, self, hasEnded: false })),
      }));
    fc.assert(
      fc.property(fc.constantFrom(...pairs), anyState, ([strong, weak], state) => {
        fc.pre(!isBroken(program, strong, state));
        return !isBroken(program, weak, state);
      }),
      { numRuns: randomRuns(2000, 40_000, 500), seed: randomSeed(4) },
    );
  });
});

describe('inferred invariants', () => {
  const solver = useSolver();
  const quick = { solver, searchInstances: false };

  async function found(text: string): Promise<readonly string[]> {
    const program = proofProgram(openProgram(text));
    const samples = await sampleStates(program, effort);
    const invariants = await inferInvariants(program, [], samples, new Prover(solver));
    return invariants.map((each) => formatInvariant(program, each).replace(/^[^:(]*/, ''));
  }

  it('speak of cells that variables point to, where these point', async () => {
    const text = `program P var top, next[*]
      thread t[*] { local old; loop {
        push: old = xchg(top, self + 1);
        link: next[self + 1] = 7; next[self + 1] = 0; top = 0; } }`;
    expect(await found(text)).toContain(': top >= 0');
    expect(await found(textOf('mcs-lock').replace(/^invariant .*$/gm, ''))).toEqual(
      expect.arrayContaining([
        ': tail != 0 ==> next[tail] <= 0',
        '(a: q): a @ l0 ==> tail != a.self + 1',
        '(a: q, b: q): a @ l2 && b @ l3 ==> a.pred != b.pred',
      ]),
    );
  });

  it('exclude places from each other, and nothing that happens later', async () => {
    const text = `program P var l, x
      thread t[*] { local r; loop {
        enter: atomic { r = l; assume(r == 0); l = 1; }
        inside: x = x + 1;
        out: l = 0; } }`;
    const lines = await found(text);
    expect(lines).toContain('(a: t, b: t): a @ inside ==> !(b @ inside)');
    expect(lines).toContain('(a: t): a @ out ==> l >= 1');
    // Small instances have few values of x, all of them small.
    expect(lines.filter((line) => line.startsWith(': x <= '))).toEqual([]);
  });

  it('are part of the program with the abstractions, which is proved as it is', async () => {
    const text = bare(textOf('inline-pgsql')).replace(
      /havoc (\w) with \w == ([^|]+) .*?;/g,
      '$1 = $2;',
    );
    const { result } = await proveText(text, { ...quick, infer: true });
    expect(result.abstractions).toHaveLength(2);
    expect(result.invariants.map(({ text: line }) => line?.replace(/^.*?: /, ''))).toEqual(
      expect.arrayContaining(['w): latch[a.self] <= 1', 'w): flag[a.self] >= 0']),
    );
    const again = await proveText(printNative(result.abstraction!), quick);
    expect(again.result.verdict).toEqual(result.verdict);
    expect(again.result.invariants).toHaveLength(result.invariants.length);
  });

  it('can be put into the source, and prove the same there', async () => {
    for (const name of ['mcs-lock', 'dc-locking']) {
      const text = bare(textOf(name));
      expect((await proveText(text, quick)).result.verdict.kind).toBe('unknown');
      const { result, questions } = await proveText(text, { ...quick, infer: true });
      expect(result.verdict).toEqual({ kind: 'proved', conclusion: { kind: 'abstraction' } });
      const lines = result.invariants.flatMap(({ text: line }) => line ?? []);
      expect(lines.length).toBeGreaterThan(0);
      const again = await proveText([text, ...lines].join('\n'), quick);
      expect(again.result.verdict).toEqual(result.verdict);
      expect(again.result.invariants.every(({ verdict }) => verdict === 'inductive')).toBe(true);
      // The proof rests on the requested invariants, and needs each inferred one.
      for (const { name: invariant } of result.invariants)
        expect(questions.some(({ claim }) => claim.startsWith(`${invariant} `))).toBe(true);
    }
  });
});
