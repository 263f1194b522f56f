import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { check, type CheckOptions } from '../../../core/src/api/check.js';
import { enumerateTraces } from '@fencewright/reference/definitions/enumerate-traces.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { asInstance, threadsOfInstance } from '@fencewright/engines/parameterized/as-instance.js';
import { instantiate } from '@fencewright/model/program/instantiate.js';
import { templatesOf, threadModel } from '@fencewright/model/program/model.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import { FeatureCount } from '@fencewright/reference/testing/program-features.js';
import { randomAutomata } from '@fencewright/reference/testing/random-automata.js';
import { randomProgram } from '@fencewright/reference/testing/random-program.js';
import type { HappensBefore } from '@fencewright/model/trace/trace.js';
import { programOf } from '../../../engines/test/robustness/native-program.js';
import { randomCopies } from './random-copies.js';

const runs = randomRuns(150, 5000, 40);
const seed = randomSeed(20261123);

/**
 * Options that keep the first search tiny, so that the search of instances has to answer questions.
 */
const first = {
  forTests: { firstTurn: { states: 1, elements: 4_000 } },
  limits: { maxStates: 100_000 },
} as const;

const searchOnly = ['static-path', 'local-closure', 'pair-closure'] as const;

/** Options with each step of the decision about all instances switched on and off. */
const variants: readonly CheckOptions[] = [
  {},
  { without: ['small-instances'] },
  { without: ['static-path'] },
  { without: [...searchOnly, 'small-instances'] },
  { without: [...searchOnly, 'cover'] },
];

const counts = fc.tuple(fc.constantFrom(1, 2, 3), fc.constantFrom(1, 2, 2));

/** Random templates, in most of which at least two threads have equal code. */
const templates: fc.Arbitrary<Templates> = fc.oneof(
  randomCopies.map((text) => templatesOf(threadModel(parseNative(text).model)!)),
  fc
    .oneof(
      randomProgram({ maxThreads: 2, maxItems: 3, loops: true }),
      randomAutomata({ maxThreads: 2, maxSpine: 4, loops: true }),
    )
    .map((program) => ({ templates: program, unbounded: [...program.threads.keys()] })),
);

const programs: fc.Arbitrary<Program> = fc.tuple(templates, counts).map(([about, [a, b]]) => {
  const number = (thread: number): number => (thread === about.unbounded[0] ? a : b);
  return instantiate(
    about,
    about.templates.threads.map((_, t) => number(t)),
  ).program;
});

describe.each([
  { happensBefore: 'standard', runs },
  { happensBefore: 'value', runs: Math.ceil(runs / 3) },
] as const satisfies readonly { happensBefore: HappensBefore; runs: number }[])(
  '$happensBefore happens-before',
  ({ happensBefore, runs }) => {
    test(`${runs} programs of copies: what all instances say is what a search of the program says`, async () => {
      const count = new FeatureCount();
      await fc.assert(
        fc.asyncProperty(programs, async (program) => {
          const { limits } = first;
          const without = [...searchOnly, 'any-number-first'] as const;
          const alone = { without, happensBefore, limits };
          const expected = await check(program, { ...alone, allAttacks: true });
          const { violation } = enumerateTraces(program, {
            maxTracedStates: 300,
            stopAtViolation: true,
            happensBefore,
          });
          if (violation && expected.verdict.kind !== 'unknown')
            expect(expected.verdict.kind).toBe('not-robust');
          const features = [expected.verdict.kind, ...(asInstance(program) ? ['copies'] : [])];
          for (const variant of variants) {
            const asked = { ...first, ...variant, happensBefore };
            for (const allAttacks of [false, true]) {
              const result = await check(program, { ...asked, allAttacks });
              const { kind } = result.verdict;
              const who = JSON.stringify({ ...variant, allAttacks });
              if (kind !== 'unknown' && expected.verdict.kind !== 'unknown')
                expect(kind, who).toBe(expected.verdict.kind);
              if (expected.verdict.kind !== 'unknown') expect(kind, who).not.toBe('unknown');
              if (violation) expect(['not-robust', 'unknown'], who).toContain(kind);
              if (allAttacks && expected.verdict.kind !== 'unknown')
                expect(verdictsOf(result), who).toEqual(verdictsOf(expected));
              if (result.attacks.some(({ settledBy }) => settledBy === 'any-number'))
                features.push(`settled by any number: ${kind}`);
            }
          }
          count.add([...new Set(features)]);
        }),
        { numRuns: runs, seed },
      );
      console.info(count.toString());
      for (const [feature, share] of [
        ['copies', 2],
        ['robust', 10],
        ['not-robust', 10],
        ['settled by any number: robust', 30],
        ['settled by any number: not-robust', 20],
      ] as const)
        expect(count.get(feature), feature).toBeGreaterThan(runs / share);
    });
  },
);

function verdictsOf({ attacks }: Awaited<ReturnType<typeof check>>) {
  return attacks.map(({ attack, verdict }) => ({
    attack,
    refuted: verdict === 'by-cfg' || verdict === 'infeasible',
  }));
}

describe('threads as copies', () => {
  const copies = programOf(`var x, y
    thread a { local r; x = 1; r = y; }
    thread odd { local r; y = 1; fence; r = x; }
    thread b { local s; x = 1; s = y; }
    thread c { local r; x = 2; r = y; }`);

  test('have the same code, whatever its names are', () => {
    const view = asInstance(copies)!;
    expect(view.members).toEqual([[0, 2], [1], [3]]);
    expect(view.model.unbounded).toEqual([0]);
    expect(view.model.templates.threads.map(({ name }) => name)).toEqual(['a', 'odd', 'c']);
  });

  test('are none where they store different things', () => {
    expect(asInstance(programOf('var x thread a { x = 1; } thread b { x = 2; }'))).toBeUndefined();
    expect(asInstance(programOf('var x[2] thread t[2] { x[self] = 1; }'))).toBeUndefined();
  });

  test('stand for those of an instance with as many copies, or fewer', () => {
    const view = asInstance(copies)!;
    const threads = (n: number) => threadsOfInstance(view, instantiate(view.model, [n, 1, 1]));
    expect(threads(0)).toEqual([1, 3]);
    expect(threads(1)).toEqual([0, 1, 3]);
    expect(threads(2)).toEqual([0, 2, 1, 3]);
    expect(threads(3)).toBeUndefined();
  });
});

describe('a check in turns', () => {
  /**
   * Returns a lock with four tickets: correct for up to four threads; with more, two threads may
   * get the same ticket. The program is examples/any-number/ticket-lock.fw, whose verdict is known
   * by an argument.
   */
  const tickets = (copies: number) => `var next, serving, x, y
    thread left[${copies}] { local t, s, r;
      t = fetch_add(next, 1); t = t % 4;
      do { s = serving; } while (s != t);
      x = 1; r = y; serving = (t + 1) % 4; }
    thread right[${copies}] { local t, s, r;
      t = fetch_add(next, 1); t = t % 4;
      do { s = serving; } while (s != t);
      y = 1; r = x; serving = (t + 1) % 4; }`;

  test('does not take more copies than there are for a witness', async () => {
    const few = await check(programOf(tickets(2)), first);
    expect(few.verdict.kind).toBe('robust');
    expect(few.attacks.some(({ settledBy }) => settledBy === 'any-number')).toBe(false);
    const many = await check(programOf(tickets(3)), first);
    expect(many.verdict.kind).toBe('not-robust');
  });

  test('ends where states run out', async () => {
    const { verdict, statistics } = await check(programOf(tickets(2)), {
      ...first,
      limits: { maxStates: 50 },
    });
    expect(verdict).toMatchObject({ kind: 'unknown', reason: 'states' });
    expect(statistics.states).toBeLessThan(500);
  });

  test('asks for a proof only where numbers may grow, and believes only yes', async () => {
    // The lock gives out larger and larger tickets without end.
    const growing = programOf(`var next, serving, x, y
      thread p { local t, r; loop { t = fetch_add(next, 1); while (serving != t) { }
        x = t; r = y; serving = t + 1; } }
      thread q { local t, r; loop { t = fetch_add(next, 1); while (serving != t) { }
        y = t; r = x; serving = t + 1; } }`);
    const closed = programOf(tickets(2).replaceAll('fetch_add(next, 1)', 'fetch_xor(next, 1)'));
    const asked: number[] = [];
    const ask = async (program: Program, answer: boolean) => {
      const limits = { maxStates: 2_000 };
      const without = ['static-path', 'local-closure'] as const;
      const triesProof = () => {
        asked.push(program.threads.length);
        return Promise.resolve(answer);
      };
      const engine = { name: 'search', triesProof } as const;
      return (await check(program, { ...first, limits, without, engine })).verdict.kind;
    };
    await ask(closed, true);
    expect(asked).toEqual([]);
    expect(await ask(growing, false)).toBe('unknown');
    expect(await ask(growing, true)).toBe('robust');
    expect(asked).toEqual([2, 2]);
  });
});
