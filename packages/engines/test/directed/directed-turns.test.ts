import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lamport2 } from '../../../../bench/generators/lamport.js';
import { peterson } from '../../../../bench/generators/peterson.js';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { check } from '../../../core/src/api/check.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import { hasHeavyFences } from '@fencewright/model/program/heavy-fences.js';
import { isAccess } from '@fencewright/model/program/instruction.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { HappensBefore } from '@fencewright/model/trace/trace.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';
import { FeatureCount, programFeatures } from '@fencewright/reference/testing/program-features.js';
import { randomAutomata } from '@fencewright/reference/testing/random-automata.js';
import {
  ringWithHeavyFences,
  withHeavyFences,
} from '@fencewright/reference/testing/random-heavy-fences.js';
import { randomProgram } from '@fencewright/reference/testing/random-program.js';
import { nothingBlocked } from '../../src/automata/attacker-automaton.js';
import { DirectedFinder, type DirectedWitness } from '../../src/directed/directed-finder.js';
import type { Decision } from '../../src/robustness/decision.js';
import { witnessOfSchedule } from '../../src/robustness/lift-witness.js';
import { searchAttacks } from '../../src/search/attack-search.js';
import { openAttacks } from '../../src/search/open-attacks.js';
import type { SearchOptions } from '../../src/search/search-session.js';
import { programOf } from '../robustness/native-program.js';

const runs = randomRuns(150, 20_000);
const seed = randomSeed(20251128);

const nameOf = ({ thread, store, load }: Attack): string => `${thread}.${store}.${load}`;

const options = {
  symmetry: true,
  maskDeadRegisters: true,
  ownedCells: true,
} as const;

/**
 * Returns a program of copies of its first thread; each copy uses the variables in another order.
 */
function withRenamedCopies(program: Program, copies: number): Program {
  const [first] = program.threads;
  if (!first || program.symbols.length < 2) return program;
  const { length } = program.symbols;
  const turned = (by: number) => {
    const names = new Map(
      program.symbols.map(({ base }, i) => [base, program.symbols[(i + by) % length]!.base]),
    );
    const text = JSON.stringify(first, (key, value: unknown) =>
      key === 'address' ? renameConstant(value, names) : value,
    );
    return JSON.parse(text) as typeof first;
  };
  const threads = Array.from({ length: copies }, (_, i) => ({ ...turned(i), name: `copy${i}` }));
  return { ...program, threads };
}

function renameConstant(address: unknown, names: ReadonlyMap<number, number>): unknown {
  const { kind, value } = address as { kind: string; value?: number };
  const renamed = kind === 'constant' && value !== undefined ? names.get(value) : undefined;
  return renamed === undefined ? address : { ...(address as object), value: renamed };
}

const programs = fc.oneof(
  randomProgram(),
  randomProgram({ maxThreads: 4, maxItems: 4 }),
  randomAutomata({ minThreads: 2, maxThreads: 3, maxSpine: 3, maxExtra: 1, faults: true }),
  fc
    .tuple(randomProgram({ maxItems: 5 }), fc.integer({ min: 2, max: 4 }))
    .map(([program, copies]) => withRenamedCopies(program, copies)),
  withHeavyFences(randomProgram({ fewValues: true })),
  ringWithHeavyFences(3),
);

const notions = fc.constantFrom<HappensBefore>('standard', 'standard', 'value');

/**
 * Returns the last store of the first thread to an array at a constant index: in Peterson's lock,
 * the last store of the lock.
 */
function lastVictim({ threads }: Program): number {
  const stores = threads[0]!.transitions.flatMap(({ instruction }, transition) =>
    instruction.kind === 'store' ? [transition] : [],
  );
  // The last store of all leaves the critical section.
  return stores.at(-2)!;
}

/**
 * Returns features of a case that the search treats by special rules: heavy fences, and the notion
 * of happens-before.
 */
function kindsOf(program: Program, happensBefore: HappensBefore): readonly string[] {
  return [...(hasHeavyFences(program) ? ['heavy fences'] : []), happensBefore];
}

/** The number of threads that access memory in the execution of a witness. */
function runningIn({ threads }: Program, { steps }: DirectedWitness): number {
  const isRunning = ({ thread, transition }: (typeof steps)[number]): boolean =>
    isAccess(threads[thread]!.transitions[transition]!.instruction);
  return new Set(steps.filter(isRunning).map(({ thread }) => thread)).size;
}

/**
 * The search for attacks: with all threads running (`all`), with only one thread running beside the
 * attacker (`few`), or over write schedules (`writes`).
 */
type Kind = 'all' | 'few' | 'writes';

/**
 * Returns all attacks that the finder finds, and how many of them it found by the write schedule of
 * another attack.
 */
function findAll(
  program: Program,
  happensBefore: HappensBefore,
  kind: Kind,
): {
  readonly found: DirectedWitness[];
  readonly carried: number;
} {
  const finder = new DirectedFinder(program, { ...options, happensBefore });
  const found: DirectedWitness[] = [];
  let carried = 0;
  if (!finder.isDirected) return { found, carried };
  for (const thread of program.threads.keys()) {
    const attacker = finder.attacker(thread, nothingBlocked);
    const left = new Map<number, Set<number>>();
    for (const { store, load } of openAttacks(program, thread, nothingBlocked))
      left.set(store, (left.get(store) ?? new Set<number>()).add(load));
    for (const [store, loads] of left) {
      const carry = (): void => {
        const more = finder.carryOver(attacker, store, (load) => loads.has(load));
        carried += more.length;
        for (const { attack } of more) expect(loads.delete(attack.load)).toBe(true);
        found.push(...more);
      };
      carry();
      for (const load of [...loads]) {
        if (!loads.has(load)) continue;
        const attack = { thread, store, load };
        const few = kind === 'few' ? 1 : undefined;
        const witness =
          kind === 'writes'
            ? finder.searchWrites(attacker, attack, 2000)
            : finder.search(attacker, attack, 2000, few);
        if (!witness) continue;
        found.push(witness);
        loads.delete(load);
        carry();
      }
    }
  }
  return { found, carried };
}

/** Returns the program of a generated text, without the program's name. */
const familyMember = (source: string): Program => programOf(source.replace(/^program .*$/mu, ''));

const decide = (program: Program, more: SearchOptions, allAttacks = true): Promise<Decision> =>
  searchAttacks(program, {
    ...{ staticPath: false, localClosure: false, pairClosure: false, fewThreads: false },
    ...more,
    ...{ allAttacks, replayAll: true, budget: new Budget() },
  });

const verdictsOf = ({ attacks }: Decision) =>
  attacks.map(({ attack, verdict }) => `${nameOf(attack)} ${verdict}`);

const foundBy = ({ attacks }: Decision, stage: string): number =>
  attacks.filter(({ settledBy }) => settledBy === stage).length;

describe('directed searches and write schedules', () => {
  test(`find feasible attacks of ${runs} random programs, and nearly all; all witnesses replay`, async () => {
    const count = new FeatureCount();
    let missed = 0;
    let feasible = 0;
    const kinds = fc.constantFrom<Kind>('all', 'writes', 'writes', 'few');
    await fc.assert(
      fc.asyncProperty(programs, notions, kinds, async (program, happensBefore, kind) => {
        const { found, carried } = findAll(program, happensBefore, kind);
        for (const { attack, steps } of found)
          expect(witnessOfSchedule(program, attack, steps, happensBefore).attack).toEqual(attack);
        const names = found.map(({ attack }) => nameOf(attack));
        expect(new Set(names).size).toBe(names.length);
        const isPlain = happensBefore === 'standard' && !hasHeavyFences(program);
        const { attacks } = await check(program, {
          ...{ happensBefore, allAttacks: true, without: ['directed'] },
          engine: isPlain ? 'instrument' : 'search',
        });
        const expected = attacks.filter(({ verdict }) => verdict === 'feasible');
        const known = new Set(expected.map(({ attack }) => nameOf(attack)));
        for (const name of names) expect(known).toContain(name);
        // With few threads running many attacks are out of reach; schedules pass no lock blocks and
        // no heavy fences.
        const features = programFeatures(program);
        const isBlocked = hasHeavyFences(program) || features.includes('lock');
        if (kind === 'all' || (kind === 'writes' && !isBlocked)) {
          feasible += known.size;
          missed += known.size - names.length;
        }
        count.add([
          ...features,
          ...(names.length > 0 ? [`found by ${kind}`] : []),
          ...(names.length > 0 ? ['found'] : []),
          ...(names.length > 0
            ? kindsOf(program, happensBefore).map((kind) => `found: ${kind}`)
            : []),
          ...(carried > 0 ? ['carried over'] : []),
        ]);
      }),
      { numRuns: runs, seed },
    );
    console.info(`${count.toString()}\nmissed ${missed} of ${feasible}`);
    const exercised = [
      ...['2 threads', '3 threads', '4 threads', 'carried over', 'lock'],
      ...['found: heavy fences', 'found: value', 'found: standard'],
      ...['found by all', 'found by few', 'found by writes'],
    ];
    for (const feature of exercised)
      expect(count.get(feature), feature).toBeGreaterThan(runs / 100);
    expect(missed).toBeLessThan(feasible / 10);
  });

  test(`change no verdict of ${runs} random programs`, async () => {
    const count = new FeatureCount();
    await fc.assert(
      fc.asyncProperty(programs, notions, async (program, happensBefore) => {
        const off = await decide(program, { happensBefore, directed: false, stagesAfter: 0 });
        const early = { happensBefore, stagesAfter: 0, firstStage: 1 };
        const on = await decide(program, early);
        expect(verdictsOf(on)).toEqual(verdictsOf(off));
        expect(on.incomplete).toBe(off.incomplete);
        const open = on.attacks.filter(({ settledBy }) => settledBy === 'search');
        if (open.length > 0 && off.faults.length === 0) expect(on.faults).toEqual([]);
        const first = await decide(program, early, false);
        expect(first.witness === undefined).toBe(off.witness === undefined);
        const isFound = foundBy(on, 'directed') > 0;
        count.add([
          ...(isFound ? kindsOf(program, happensBefore).map((kind) => `found: ${kind}`) : []),
          ...(foundBy(on, 'search') > 0 ? ['by search'] : []),
          ...(off.faults.length > 0 ? ['faults'] : []),
        ]);
      }),
      { numRuns: runs, seed },
    );
    console.info(count.toString());
    const kinds = ['found: heavy fences', 'found: value', 'found: standard'];
    for (const feature of ['by search', ...kinds])
      expect(count.get(feature), feature).toBeGreaterThan(runs / 100);
    expect(count.get('faults')).toBeGreaterThan(runs / 500);
  });

  test('an attacker is that of a thread under a repair, not of the last thread', () => {
    const finder = new DirectedFinder(
      programOf(
        'var x, y thread a { local r; x = 1; r = y; }\n' + 'thread b { local r; y = 1; r = x; }',
      ),
      { ...options, happensBefore: 'standard' },
    );
    const blocked = { locations: new Set<number>(), transitions: new Set<number>() };
    expect([0, 1, 0].map((thread) => finder.attacker(thread, blocked).thread)).toEqual([0, 1, 0]);
  });

  // The numbers of feasible attacks come from the complete search without this stage.
  test.each([
    ['peterson', peterson(4), 144],
    ['lamport2', lamport2(4), 68],
  ])('find all attacks of %s with four threads', async (_, source, feasible) => {
    const program = familyMember(source);
    const { attacks } = await searchAttacks(program, {
      stagesAfter: 500,
      fewThreads: false,
      allAttacks: true,
      budget: new Budget(),
    });
    expect(attacks.filter(({ verdict }) => verdict === 'feasible')).toHaveLength(feasible);
    expect(attacks.filter(({ settledBy }) => settledBy === 'directed').length).toBeGreaterThan(20);
  });

  // The attacker delays its last store to `victim`; another thread has to reach the same level,
  // pushed from level to level by all other threads. Searches state by state took four times as
  // many states for each level.
  test.each([4, 6, 8])('the deepest attack of peterson with %i threads takes few writes', (n) => {
    const program = familyMember(peterson(n));
    const finder = new DirectedFinder(program, { ...options, happensBefore: 'standard' });
    const attacker = finder.attacker(0, nothingBlocked);
    const [{ store, load }] = [...openAttacks(program, 0, nothingBlocked)].filter(
      ({ store: last }) => last === lastVictim(program),
    ) as [Attack];
    const witness = finder.searchWrites(attacker, { thread: 0, store, load }, 600 * n)!;
    expect(witnessOfSchedule(program, witness.attack, witness.steps, 'standard').attack).toEqual({
      ...{ thread: 0, store, load },
    });
    expect(runningIn(program, witness)).toBe(n);
  });

  // `a` proceeds only with `b` and `c`, and only `d` closes the cycle.
  test('are found with few threads only if no others are needed', () => {
    const program = programOf(
      'var x, y, z, w ' +
        'thread a { local r; while (w == 0) { } x = 1; r = y; } ' +
        'thread b { local r; while (z == 0) { } w = 1; } ' +
        'thread c { z = 1; } ' +
        'thread d { local r; y = 1; r = x; }',
    );
    const [attack] = [...openAttacks(program, 0, nothingBlocked)];
    const isFound = (helpers?: number): boolean => {
      const finder = new DirectedFinder(program, { ...options, happensBefore: 'standard' });
      const attacker = finder.attacker(0, nothingBlocked);
      return finder.search(attacker, attack!, 1000, helpers) !== undefined;
    };
    expect([1, 2, 3, undefined].map(isFound)).toEqual([false, false, true, true]);
  });

  // `b` may have loaded `z` before or after it changes: only the store to `w` lets `a` go on.
  test('a schedule says which of the possible writes a thread makes', () => {
    const program = programOf(
      'var x, y, z, w\n' +
        'thread a { local r; while (w == 0) { } x = 1; r = y; }\n' +
        'thread b { local r; r = z; if (r == 0) { y = 2; } else { w = 1; } }\n' +
        'thread c { z = 1; }\n' +
        'thread d { local r; y = 1; r = x; }',
    );
    const finder = new DirectedFinder(program, { ...options, happensBefore: 'standard' });
    const attacks = [...openAttacks(program, 0, nothingBlocked)];
    expect(attacks).toHaveLength(1);
    const witness = finder.searchWrites(finder.attacker(0, nothingBlocked), attacks[0]!, 100);
    expect(witness?.attack).toEqual(attacks[0]);
  });

  // `d` joins by a write of `y` or of `z`, from one node. Only the write of `y` leads on to `x`.
  test('a schedule looks for a path from each last load', () => {
    const program = programOf(
      'var x, y, z\n' +
        'thread a { local r; x = 1; r = y; r = z; }\n' +
        'thread d { local r; choose { y = 1; r = x; } or { z = 1; } }',
    );
    const finder = new DirectedFinder(program, { ...options, happensBefore: 'standard' });
    const attacker = finder.attacker(0, nothingBlocked);
    const attacks = [...openAttacks(program, 0, nothingBlocked)];
    expect(attacks.map(({ store, load }) => [store, load])).toEqual([
      [0, 1],
      [0, 2],
    ]);
    const witness = finder.search(attacker, attacks[0]!, 100);
    expect(witness?.attack).toEqual(attacks[0]);
    const found = finder.carryOver(attacker, 0, () => true);
    expect(found.map(({ attack }) => attack)).toEqual([attacks[0]]);
  });

  // The attacker delays the store before its loop over all threads, goes round, and sees the door
  // closed anew. At its second look it can proceed only after a write of another thread.
  test('a schedule leads to its own attack again, and to those of other threads', () => {
    const program = familyMember(lamport2(6));
    const finder = new DirectedFinder(program, { ...options, happensBefore: 'standard' });
    const accesses = (thread: number, kind: string): readonly number[] =>
      program.threads[thread]!.transitions.flatMap(({ instruction }, transition) =>
        instruction.kind === kind ? [transition] : [],
      );
    const attackOf = (thread: number): Attack => ({
      ...{ thread, store: accesses(thread, 'store')[4]!, load: accesses(thread, 'load')[1]! },
    });
    const attacker = finder.attacker(0, nothingBlocked);
    expect(finder.search(attacker, attackOf(0), 2000, 4)?.attack).toEqual(attackOf(0));
    const carried = program.threads.flatMap((_, thread) => {
      const { store, load } = attackOf(thread);
      return finder.carryOver(finder.attacker(thread, nothingBlocked), store, (l) => l === load);
    });
    for (const { attack, steps } of carried)
      expect(witnessOfSchedule(program, attack, steps, 'standard').attack).toEqual(attack);
    expect(carried.map(({ attack }) => attack)).toEqual([0, 1, 2, 3, 4, 5].map(attackOf));
  });

  test('find all attacks of peterson with six threads in few states', async () => {
    const decision = await searchAttacks(familyMember(peterson(6)), {
      allAttacks: true,
      budget: new Budget({ maxStates: 200_000 }),
    });
    const { attacks, incomplete } = decision;
    expect(incomplete).toBeUndefined();
    // Each of the six threads has 150 attacks behind its stores to `victim`.
    expect(attacks.filter(({ verdict }) => verdict === 'feasible')).toHaveLength(900);
  });
});
