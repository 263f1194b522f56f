import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inCampaign, randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { mcs } from '../../../../bench/generators/locks.js';
import { peterson } from '../../../../bench/generators/peterson.js';
import { check, type CheckOptions } from '../../../core/src/api/check.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import { nothingBlocked } from '../../src/automata/attacker-automaton.js';
import { ClosureSession } from '../../src/closures/closure-session.js';
import { symmetricThreads } from '../../src/closures/thread-symmetry.js';
import { openAttacks } from '../../src/search/open-attacks.js';
import { SearchSession } from '../../src/search/search-session.js';
import { AttackSettler } from '../../src/search/settle-attacks.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';
import { attacksByDefinition } from '@fencewright/reference/definitions/attacks-by-definition.js';
import { FeatureCount, programFeatures } from '@fencewright/reference/testing/program-features.js';
import { programOf } from '../robustness/native-program.js';

const runs = randomRuns(400, 20_000, 120);
const seed = randomSeed(20261129);
const maxTracedStates = inCampaign(1000, 8000);

/**
 * Returns the text of a statement of a thread. `me` is the thread's number, from 1 on; `next` is
 * the number of the thread after it.
 */
type Statement = (me: number, next: number) => string;

const statement: fc.Arbitrary<Statement> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.constant<Statement>((me, next) => `own[${me}] = 1; r = own[${next}];`),
  },
  { weight: 3, arbitrary: fc.constant<Statement>((me) => `own[${me}] = 1;`) },
  { weight: 3, arbitrary: fc.constant<Statement>((_, next) => `r = own[${next}];`) },
  { weight: 2, arbitrary: fc.constant<Statement>((_, next) => `own[${next}] = r;`) },
  { weight: 2, arbitrary: fc.constant<Statement>((me) => `r = own[${me}];`) },
  // A change of the cas makes it write what the cell has; a change of the test swaps the branches.
  {
    weight: 4,
    arbitrary: fc.constantFrom<Statement>(
      (me, next) => `own[${me}] = 1; r = last; fence; r = cas(last, 0, 0); r = own[${next}];`,
      (me, next) =>
        `r = flag; if (r == 1) { own[${me}] = 1; r = own[${next}]; }
          else { own[${me}] = 1; fence; r = own[${next}]; }`,
    ),
  },
  ...[
    (me: number) => `last = ${me};`,
    (me: number) => `r = xchg(last, ${me});`,
    (me: number) => `r = cas(last, ${me}, 0);`,
    (_: number, next: number) => `r = cas(own[${next}], 0, 0);`,
    (me: number) => `r = last; if (r == ${me}) { own[${me}] = 2; }`,
    () => 'r = last; own[r] = 1;',
    () => 'r = last; r = own[r];',
    () => 'last = r;',
    () => 'flag = 1;',
    () => 'r = flag;',
    () => 'own[0] = 1;',
    () => 'fence;',
    () => 'if (r == 0) { flag = 1; } else { r = flag; }',
  ].map((its) => ({ weight: 1, arbitrary: fc.constant<Statement>(its) })),
);

/** Changes of the text of one thread, in programs whose threads are otherwise alike. */
const differences: readonly ((text: string) => string)[] = [
  (text) => text.replace(' = 1;', ' = 2;'),
  (text) => text.replace(/= own\[\d\]/u, '= own[3]'),
  (text) => text.replace(/own\[\d\] =/u, 'own[0] ='),
  (text) => text.replace(/= own\[\d\]/u, '= own[0]'),
  (text) => text.replace('last', 'flag'),
  (text) => text.replace(/== \d/u, '== 0'),
  (text) => text.replace('0, 0)', '1, 1)'),
  (text) => text.replace(/\b(?:xchg|cas)\(last, \d/u, (call) => `${call.slice(0, -1)}0`),
];

/**
 * Random programs of two or three threads that are alike up to their numbers, some with one
 * statement changed in one thread.
 */
const programs = fc
  .record({
    count: fc.integer({ min: 2, max: 3 }),
    statements: fc.array(statement, { minLength: 2, maxLength: 4, size: 'max' }),
    isLoop: fc.integer({ min: 0, max: 3 }).map((die) => die === 0),
    change: fc.option(
      fc.record({ thread: fc.nat(2), at: fc.nat(3), by: fc.constantFrom(...differences) }),
    ),
  })
  .map(({ count, statements, isLoop, change }) => {
    const threads = Array.from({ length: count }, (_, t) => {
      const lines = statements.map((its, i) => {
        const text = its(t + 1, ((t + 1) % count) + 1);
        return change && change.thread % count === t && change.at === i ? change.by(text) : text;
      });
      const body = lines.join(' ');
      return `thread t${t} { local r; ${isLoop ? `loop { ${body} }` : body} }`;
    });
    return programOf(`var last, flag, own[4]\n${threads.join('\n')}`);
  });

function likeThreads(program: Program, ownedCells = true): ReadonlyMap<ThreadId, ThreadId> {
  const options = { maskDeadRegisters: true, ownedCells, happensBefore: 'standard' } as const;
  return symmetricThreads(new ClosureSession(program, { ...options, symmetry: true }, 30_000));
}

const endsOf = (attacks: readonly Attack[], thread: ThreadId): readonly string[] =>
  attacks
    .filter((attack) => attack.thread === thread)
    .map(({ store, load }) => `${store}.${load}`)
    .sort();

test(`threads that are alike have the same attacks, by definition, in ${runs} programs`, () => {
  const count = new FeatureCount();
  fc.assert(
    fc.property(programs, fc.boolean(), (program, ownedCells) => {
      const like = likeThreads(program, ownedCells);
      const { feasible, complete } = attacksByDefinition(program, maxTracedStates, 'standard');
      if (complete)
        for (const [thread, first] of like)
          expect(endsOf(feasible, thread)).toEqual(endsOf(feasible, first));
      const [of0, of1] = [endsOf(feasible, 0), endsOf(feasible, 1)];
      count.add([
        ...programFeatures(program),
        ...(complete ? ['complete'] : []),
        ...(like.size > 0 ? ['alike'] : ['not alike']),
        ...(like.size > 0 && feasible.length > 0 ? ['alike, some feasible'] : []),
        ...(complete && of0.join() !== of1.join() ? ['different attacks'] : []),
      ]);
    }),
    { numRuns: runs, seed },
  );
  console.info(count.toString());
  for (const feature of ['complete', 'alike', 'not alike', 'alike, some feasible'])
    expect(count.get(feature), feature).toBeGreaterThan(runs / 20);
  expect(count.get('different attacks')).toBeGreaterThan(0);
});

/**
 * Options without any method that refutes or finds attacks before the search, so that the search
 * decides every attack.
 */
const searchOnly: CheckOptions = {
  allAttacks: true,
  without: ['static-path', 'local-closure', 'pair-closure', 'few-threads', 'directed'],
};
/** Options with which each refuting stage has its turn before the search has stored any state. */
const stagesOnly: CheckOptions = {
  allAttacks: true,
  without: ['static-path', 'few-threads', 'directed'],
  forTests: { stagesAfter: 0 },
};

test(`what is refuted for one of several threads alike is infeasible, in ${runs / 3} programs`, async () => {
  const count = new FeatureCount();
  const limits = { maxStates: 20_000 };
  await fc.assert(
    fc.asyncProperty(programs, async (program) => {
      const [searched, staged] = [
        await check(program, { ...searchOnly, limits }),
        await check(program, { ...stagesOnly, limits }),
      ];
      const verdicts = (result: typeof searched) =>
        result.attacks.map(({ attack, verdict }) => ({ attack, verdict }));
      const isDecided = searched.attacks.every(({ verdict }) => verdict !== 'unknown');
      const like = likeThreads(program);
      const feasible = searched.attacks.flatMap(({ attack, verdict }) =>
        verdict === 'feasible' ? [attack] : [],
      );
      if (isDecided) {
        expect(verdicts(staged)).toEqual(verdicts(searched));
        for (const [thread, first] of like)
          expect(endsOf(feasible, thread)).toEqual(endsOf(feasible, first));
      }
      const refuted = staged.attacks.filter(
        ({ settledBy }) => settledBy === 'local-closure' || settledBy === 'pair-closure',
      );
      count.add([
        ...(like.size > 0 && feasible.length > 0 ? ['alike, some feasible'] : []),
        ...(isDecided ? ['decided'] : []),
        ...(refuted.length > 0 ? ['some refuted'] : []),
        ...(refuted.some(
          ({ attack }) => (like.get(attack.thread) ?? attack.thread) !== attack.thread,
        )
          ? ['refuted for a thread alike']
          : []),
      ]);
    }),
    { numRuns: Math.ceil(runs / 3), seed },
  );
  console.info(count.toString());
  for (const feature of [
    'decided',
    'some refuted',
    'refuted for a thread alike',
    'alike, some feasible',
  ])
    expect(count.get(feature), feature).toBeGreaterThan(runs / 60);
});

/**
 * Returns the number of attacks of the attackers that the refuting stages refute, and the work of
 * the stages.
 */
async function refuteFor(program: Program, attackers: readonly ThreadId[]) {
  const meter = { left: 1e12 };
  const budget = new Budget({ effort: 1e12, meter });
  const settler = new AttackSettler(new SearchSession(program, {}));
  let refuted = 0;
  for (const turn of settler.turnsAfter.keys())
    refuted += (await settler.settle(turn, attackers, () => true, budget)).refuted.length;
  return { refuted, work: 1e12 - meter.left };
}

describe('threads', () => {
  test('of a queue lock take hardly more work together than one of them', async () => {
    const locks = programOf(mcs(4, { loop: true }).replace(/^program .*$/mu, ''));
    const one = await refuteFor(locks, [0]);
    const all = await refuteFor(locks, [0, 1, 2, 3]);
    expect(one.refuted).toBe([...openAttacks(locks, 0, nothingBlocked)].length);
    expect(all.refuted).toBe(4 * one.refuted);
    expect(all.work).toBeLessThan(1.2 * one.work);
  });

  test('of a queue lock are alike: each is led to the next by renaming all threads', () => {
    const like = likeThreads(programOf(mcs(4, { loop: true }).replace(/^program .*$/mu, '')));
    expect([...like]).toEqual([0, 1, 2, 3].map((thread) => [thread, 0]));
  });

  // The cas of `a` writes the value that the cell has, and that of `b` writes nothing: both leave
  // memory as it is, but only a write comes behind the load of another thread.
  test('of which one writes what a cell has, and one writes nothing, are not', async () => {
    const program = programOf(`var f1, f2, p
      thread a { local r; f1 = 1; r = p; fence; r = cas(p, 0, 0); r = f2; }
      thread b { local r; f2 = 1; r = p; fence; r = cas(p, 1, 1); r = f1; }`);
    expect(likeThreads(program).size).toBe(0);
    const { verdict } = await check(program, stagesOnly);
    expect(verdict.kind).toBe('not-robust');
  });

  // `c` writes 3 for `a` to read, and `d` writes 4 for `b`.
  test.each([
    [4, [0, 0, 2, 2]],
    [5, []],
  ])('of which one tests for %i are alike if the value is written', (tested, first) => {
    const reader = (flag: string, value: number) =>
      `local r; ${flag} = 1; r = last; if (r == ${value}) { r = z; }`;
    const like = likeThreads(
      programOf(`var f1, f2, z, last
        thread a { ${reader('f1', 3)} }
        thread b { ${reader('f2', tested)} }
        thread c { local r; last = 3; z = 1; r = f1; }
        thread d { local r; last = 4; z = 1; r = f2; }`),
    );
    expect([...like.keys()].sort().map((thread) => like.get(thread))).toEqual(first);
  });

  test.each([
    [1, [0, 0, 0]],
    [2, []],
  ])('of a ring are alike if the last one looks at the first: at thread %i', (last, first) => {
    const thread = (me: number, other: number) =>
      `thread t${me} { local r; own[${me}] = 1; r = own[${other}]; }`;
    const text = `var own[4] ${thread(1, 2)} ${thread(2, 3)} ${thread(3, last)}`;
    expect([...likeThreads(programOf(text), false).values()]).toEqual(first);
  });

  // A thread that delays `cells` stores of 0 or 1 has 2 ** cells states, and two nodes for each
  // store under SC.
  test.each([
    [4, 4],
    [13, 0],
  ])('that delay stores to %i cells are compared with limited work', (cells, size) => {
    const stores = (flag: string) =>
      Array.from({ length: cells }, (_, i) => `havoc v in 0..1; own[${i}] = v; r = ${flag};`);
    const thread = (flag: string) => `{ local r, v; ${stores(flag).join(' ')} }`;
    const text = `var f1, f2, own[${cells}]
      thread a ${thread('f1')} thread b ${thread('f2')} thread c { f1 = 1; } thread d { f2 = 1; }`;
    expect(likeThreads(programOf(text)).size).toBe(size);
  });

  // Whoever waits looks at the others in the order of their numbers.
  test('of the filter lock are not', () => {
    expect(likeThreads(programOf(peterson(3).replace(/^program .*$/mu, ''))).size).toBe(0);
  });

  test('that take the bus lock are not compared', () => {
    const thread = (me: number) =>
      `thread t${me} { local r; atomic { r = x; x = ${me}; } own[${me}] = 1; r = own[${3 - me}]; }`;
    expect(likeThreads(programOf(`var x, own[3]\n${thread(1)}\n${thread(2)}`)).size).toBe(0);
  });
});
