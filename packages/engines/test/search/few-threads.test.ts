import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { check } from '../../../core/src/api/check.js';
import { nothingBlocked } from '../../src/automata/attacker-automaton.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { Decision } from '../../src/robustness/decision.js';
import { witnessOfSchedule } from '../../src/robustness/lift-witness.js';
import { searchAttacks } from '../../src/search/attack-search.js';
import { FewThreads } from '../../src/search/few-threads.js';
import { hasOpenAttack } from '../../src/search/open-attacks.js';
import {
  SearchSession,
  type FewThreadsShare,
  type SearchReductions,
} from '../../src/search/search-session.js';
import { searchedAttacker } from '../../src/search/searched-attacker.js';
import { writeSchedule } from '../../src/search/search-witness.js';
import { threadSets } from '../../src/search/thread-sets.js';
import { FeatureCount, programFeatures } from '@fencewright/reference/testing/program-features.js';
import { randomAutomata } from '@fencewright/reference/testing/random-automata.js';
import { randomProgram } from '@fencewright/reference/testing/random-program.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';
import { programOf } from '../robustness/native-program.js';

const runs = randomRuns(100, 2000, 15);
const seed = randomSeed(20180718);

const nameOf = ({ thread, store, load }: Attack): string => `${thread}.${store}.${load}`;

/**
 * Options with which no attack is refuted or found before the search, so that the search looks for
 * all attacks.
 */
const searchOnly = {
  ...{ staticPath: false, localClosure: false, pairClosure: false, directed: false },
  stagesAfter: 0,
};

/** The share of searches with few running threads; `undefined` if there are no such searches. */
type Share = FewThreadsShare | undefined;

const withShare = (share: Share) => ({
  ...searchOnly,
  ...(share ? { fewThreadsShare: share } : { fewThreads: false }),
});

const verdictsOf = ({ attacks }: Decision) =>
  attacks.map(({ attack, verdict }) => [attack, verdict]);

function namesOfFaults({ faults }: Decision): string[] {
  return faults.map(({ thread, transition, fault }) => `${thread}.${transition}.${fault}`).sort();
}

function subsets(threads: number): number[][] {
  return Array.from({ length: 2 ** threads }, (_, set) =>
    Array.from({ length: threads }, (_, t) => t).filter((t) => (set >>> t) % 2 === 1),
  );
}

/** Returns the program without the code of the threads outside of `active`. */
function partOf(program: Program, active: readonly number[]): Program {
  const threads = program.threads.map((thread, t) =>
    active.includes(t) ? thread : { ...thread, transitions: [] },
  );
  return { ...program, threads };
}

/**
 * Returns the feasible attacks of all parts of the program in which two to four threads run.
 * Another engine decides the attacks.
 */
async function attacksOfParts(program: Program): Promise<ReadonlySet<string>> {
  const { length } = program.threads;
  const found = new Set<string>();
  for (const active of subsets(length)) {
    if (active.length < 2 || active.length > Math.min(4, length - 1)) continue;
    const part = partOf(program, active);
    const { attacks } = await check(part, { engine: 'instrument', allAttacks: true });
    for (const { attack, verdict } of attacks)
      if (verdict === 'feasible') found.add(nameOf(attack));
  }
  return found;
}

/** Returns the attacks found by the complete search with few threads; every witness is replayed. */
async function foundByFew(
  program: Program,
  options: SearchReductions,
): Promise<{ readonly names: ReadonlySet<string>; readonly session: SearchSession }> {
  const session = new SearchSession(program, { ...options, staticPath: false });
  const names = new Set<string>();
  for (const [thread = 0] of session.automata.classes) {
    if (!hasOpenAttack(program, thread, nothingBlocked)) continue;
    const attacker = searchedAttacker(session, { thread, blocked: nothingBlocked });
    const few = new FewThreads(session, attacker, (evidence) => {
      const { attack } = evidence;
      const { computation } = witnessOfSchedule(
        program,
        attack,
        writeSchedule(evidence),
        session.happensBefore,
      );
      expect(computation.length).toBeGreaterThan(0);
      names.add(nameOf(attack));
    });
    const usage = {
      get states() {
        return few.states;
      },
      get bytes() {
        return few.bytes;
      },
      isOver: false,
    };
    const allowance = { budget: new Budget(), stage: 1, usage };
    expect(await few.advance(allowance, Infinity)).toBeUndefined();
  }
  return { names, session };
}

const reductions: readonly SearchReductions[] = [
  {},
  { firstStage: 2, tightLayout: true },
  { symmetry: false, firstStage: 1, kernel: 'wasm' },
  { ownedCells: false, maskDeadRegisters: false, shareDeadStates: false },
];

const programs = fc.oneof(
  randomProgram(),
  randomProgram({ maxThreads: 5, maxItems: 3 }),
  randomProgram({ maxThreads: 4, maxItems: 4 }),
  randomAutomata({ minThreads: 3, maxThreads: 4, maxSpine: 3, maxExtra: 1, faults: true }),
);

describe('searches in which few threads run', () => {
  test(`find what the parts of ${runs} random programs have, and replay as runs of the whole`, async () => {
    const count = new FeatureCount();
    await fc.assert(
      fc.asyncProperty(programs, fc.constantFrom(...reductions), async (program, options) => {
        if (program.threads.length < 3) return;
        const expected = await attacksOfParts(program);
        const { names, session } = await foundByFew(program, options);
        const own = [...expected].filter((name) => {
          const thread = Number(name.split('.')[0]);
          return session.representative(thread) === thread;
        });
        expect([...names].sort()).toEqual(own.sort());
        const whole = await check(program, { engine: 'instrument', allAttacks: true });
        const feasible = whole.attacks.filter(({ verdict }) => verdict === 'feasible');
        const features = {
          found: names.size > 0,
          'needs more threads': feasible.length > expected.size,
          [`variant ${reductions.indexOf(options)}`]: names.size > 0,
        };
        const known = programFeatures(program);
        count.add([
          ...known,
          ...Object.entries(features).flatMap(([name, has]) => (has ? name : [])),
        ]);
      }),
      { numRuns: runs, seed },
    );
    console.info(count.toString());
    for (const feature of [
      '3 threads',
      '4 threads',
      '5 threads',
      'found',
      'symmetric threads',
      'lock',
    ])
      expect(count.get(feature), feature).toBeGreaterThan(runs / 100);
  });

  test(`change no verdict of ${runs} random programs, and no fault where all is explored`, async () => {
    const count = new FeatureCount();
    const early = { share: Infinity, fromStage: 0 };
    const faulty = randomAutomata({ minThreads: 3, maxThreads: 3, maxSpine: 3, faults: true });
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(programs, faulty),
        fc.constantFrom(...reductions),
        async (program, options) => {
          const decide = (share: Share, allAttacks: boolean) =>
            searchAttacks(program, {
              ...options,
              ...withShare(share),
              allAttacks,
              replayAll: true,
              budget: new Budget(),
            });
          const whole = await decide(undefined, true);
          const few = await decide(early, true);
          expect(verdictsOf(few)).toEqual(verdictsOf(whole));
          expect(few.incomplete).toBe(whole.incomplete);
          const isExplored = whole.attacks.some(({ verdict }) => verdict !== 'feasible');
          if (isExplored) expect(namesOfFaults(few)).toEqual(namesOfFaults(whole));
          const isFaulty = isExplored && few.faults.length > 0;
          const first = await decide(early, false);
          expect(first.witness === undefined).toBe(whole.witness === undefined);
          count.add([
            ...(few.attacks.some(({ settledBy }) => settledBy === 'few-threads') ? ['found'] : []),
            ...(few.attacks.some(({ settledBy }) => settledBy === 'search') ? ['by search'] : []),
            ...(few.witness ? ['not robust'] : []),
            ...(isFaulty ? ['faults'] : []),
            ...(few.states > whole.states ? ['more states'] : []),
          ]);
        },
      ),
      { numRuns: 4 * runs, seed },
    );
    console.info(count.toString());
    for (const feature of ['not robust', 'found', 'by search', 'faults', 'more states'])
      expect(count.get(feature), feature).toBeGreaterThan(runs / 100);
  });

  const examples = new URL('../../../../examples/', import.meta.url);
  const exampleOf = (name: string): Program => {
    const { model } = parseNative(readFileSync(new URL(`${name}.fw`, examples), 'utf8'));
    return finiteProgram(model)!;
  };

  // A table may take a few states more than its limit: the successors of one state.
  const slack = 50;

  const decide = (program: Program, share: Share, maxStates = Infinity) =>
    searchAttacks(program, {
      firstStage: 2,
      ...withShare(share),
      allAttacks: true,
      budget: new Budget({ maxStates }),
    });

  // Every cycle takes all six threads.
  const ring = programOf(`var x[6]
    ${[0, 1, 2, 3, 4, 5]
      .map((t) => `thread t${t} { local r; x[${t}] = 1; r = x[${(t + 1) % 6}]; }`)
      .join('\n')}`);

  test('take no more than their share of the states', async () => {
    const whole = await decide(ring, undefined);
    const attackers = ring.threads.length;
    const most = (1 + attackers / 4) * whole.states + attackers * slack;
    const few = await decide(ring, { share: 1 / 4, fromStage: 0 });
    expect(few.states).toBeGreaterThan(whole.states);
    expect(few.states).toBeLessThan(most);
    const late = await decide(ring, { share: Infinity, fromStage: 20 });
    expect(late.states).toBe(whole.states);
    expect((await decide(ring, { share: Infinity, fromStage: 0 })).states).toBeGreaterThan(most);
  });

  test.each(['mcs-lock', 'lamport-fast', 'chase-lev-fenced'])(
    'keep to the budget, and leave open what it did not reach: %s',
    async (name) => {
      const program = exampleOf(name);
      const { attacks } = await decide(program, undefined);
      for (const maxStates of [20, 50, 100, 200, 400]) {
        const early = { share: Infinity, fromStage: 0 };
        const bounded = await decide(program, early, maxStates);
        expect(bounded.states).toBeLessThan(maxStates + slack);
        bounded.attacks.forEach(({ verdict }, i) => {
          const known = attacks[i]!.verdict;
          expect(verdict === 'unknown' ? known : verdict).toBe(known);
        });
        const isOpen = bounded.attacks.some(({ verdict }) => verdict === 'unknown');
        expect(bounded.incomplete).toBe(isOpen ? 'states' : undefined);
        if (maxStates < 50) expect(isOpen).toBe(true);
      }
    },
  );

  test('have the first threads of each class, the attacker always', () => {
    const classes = [[0, 3], [1], [2, 4, 5]];
    const sets = (attacker: number, size: number) => [...threadSets(classes, attacker, size)];
    expect(sets(0, 2)).toEqual([
      [0, 3],
      [0, 1],
      [0, 2],
    ]);
    expect(sets(1, 3)).toEqual([
      [0, 1, 3],
      [0, 1, 2],
      [1, 2, 4],
    ]);
    expect(sets(2, 3)).toEqual([
      [0, 2, 3],
      [0, 1, 2],
      [0, 2, 4],
      [1, 2, 4],
      [2, 4, 5],
    ]);
  });

  // The attack of `a` needs both partners: `b` stores to y, which `a` loads too early; `c` sees the
  // store of `b` to z and loads x too early to see the store of `a`.
  const chain = programOf(`var x, y, z
    thread a { local r; x = 1; r = y; }
    thread b { local r; y = 1; fence; z = 1; }
    thread c { local r; r = z; assume (r == 1); r = x; }
    thread d { local r; r = z; }`);

  test('find an attack that takes three threads only with three', async () => {
    const { names } = await foundByFew(chain, {});
    expect([...names]).toEqual(['0.0.1']);
    const pairs = [1, 2, 3].map((other) => partOf(chain, [0, other]));
    for (const pair of pairs) expect((await foundByFew(pair, {})).names.size).toBe(0);
  });
});
