import { Budget } from '@fencewright/ground/base/budget.js';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import type { C11Result } from '@fencewright/model/verdict/c11-result.js';
import { describe, expect, test } from 'vitest';
import { isCampaign, randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { compileC11 } from '../../src/c11/c11-steps.js';
import { findCells } from '../../src/c11/cells.js';
import { checkC11 } from '../../src/c11/check-c11.js';
import { observe } from '../../src/c11/observe.js';
import { mayStoresOvertakeLoads } from '../../src/c11/stores-behind-loads.js';
import { programOf } from '../robustness/native-program.js';
import { type AllOutcomes, allOutcomes, type Outcomes } from './all-outcomes.js';
import { bufferedOutcomes } from './buffered-outcomes.js';
import {
  bufferingBesideOldLoads,
  bufferingSketch,
  publicationSketch,
} from './publication-sketch.js';
import { type ProgramSketch, randomSketch, textOf } from './sketch.js';

const programs = randomRuns(150, 2000, 100);
const programsWithLateLoads = randomRuns(25, 1500, 18);
const first = randomSeed(60_000);

/** Returns the text with an assertion at the end of a thread for each forbidden value. */
function textWithClaims(sketch: ProgramSketch, forbidden: readonly (number | undefined)[]): string {
  let thread = 0;
  return textOf(sketch)
    .replace('program Sketch\n', '')
    .split('\n')
    .map((line) => {
      if (line !== '}') return line;
      const value = forbidden[thread++];
      return value === undefined ? line : `  assert(r != ${value});\n}`;
    })
    .join('\n');
}

/** Returns a random program; many of the programs publish data. */
function randomProgram(seed: number, branches: boolean): ProgramSketch {
  if (!branches && seed % 3 === 0) return bufferingSketch(seed);
  return seed % 4 === 0
    ? randomSketch(seed, { branches, plain: false })
    : publicationSketch(seed, branches);
}

/**
 * Chooses forbidden values for assertions: values that only C11 allows, if any, or random values.
 */
function randomClaims(
  seed: number,
  { threads }: ProgramSketch,
  { c11, sc }: AllOutcomes,
): readonly (number | undefined)[] {
  const random = new SeededRandom(seed + 11);
  return threads.map((_, thread) => {
    const own = [...c11.registers].filter((one) => one.startsWith(`${thread} `));
    const weak = own.filter((one) => !sc.registers.has(one));
    const share = random.below(100);
    const value = share < 60 ? weak[0]?.split(' ')[1] : undefined;
    if (value !== undefined) return Number(value);
    return share % 3 === 0 ? 3 + random.below(2) : share > 95 ? random.below(3) : undefined;
  });
}

function isWithin(one: ReadonlySet<unknown>, other: ReadonlySet<unknown>): boolean {
  return [...one].every((item) => other.has(item));
}

/** Returns how many locations there are at which a thread waits for ever in some final state. */
function waitsOf({ finals }: Outcomes, threads: number, thread: number): number {
  const places = [...finals].map((one) => one.split(',').at(thread - threads)!);
  return new Set(places.filter((one) => !one.startsWith('r'))).size;
}

/**
 * Throws if the answer contradicts the outcomes. Returns a word for the kind of the answer, which
 * the test counts.
 */
function compare(
  { verdict, effect, assertions }: C11Result,
  { c11, sc }: AllOutcomes,
  forbidden: readonly (number | undefined)[],
  hasLate: boolean,
): string {
  const failing = ({ registers }: Outcomes): Set<number> =>
    new Set(forbidden.flatMap((value, t) => (registers.has(`${t} ${value}`) ? [t] : [])));
  // Only graphs in which loads come after later stores of their thread can judge this answer.
  const isLate = effect?.kind === 'assertion-fails' && effect.execution.kind === 'load-buffering';
  if (isLate && !hasLate) return 'fails by load buffering';
  const areSameFinals = isWithin(c11.finals, sc.finals);
  const isSameFailing = isWithin(failing(c11), failing(sc));
  if (assertions === 'hold') expect([...failing(c11)]).toEqual([]);
  if (assertions === 'fail') expect(failing(c11).size).toBeGreaterThan(0);
  if (verdict.kind === 'robust') {
    expect([areSameFinals, isSameFailing]).toEqual([true, true]);
    return 'robust';
  }
  switch (effect?.kind) {
    case 'none':
      expect([areSameFinals, isSameFailing]).toEqual([true, true]);
      return 'none';
    case 'no-assertion':
      expect(isSameFailing).toBe(true);
      return 'no-assertion';
    case 'states-differ':
      expect([areSameFinals, isSameFailing]).toEqual([false, true]);
      return 'states-differ';
    case 'waits':
      expect(isSameFailing || assertions !== 'hold').toBe(true);
      expect(waitsOf(c11, forbidden.length, effect.thread)).toBeGreaterThan(
        waitsOf(sc, forbidden.length, effect.thread),
      );
      return 'waits';
    case 'assertion-fails':
      expect(failing(sc).size).toBe(0);
      expect(failing(c11).has(effect.thread)).toBe(true);
      return isLate ? 'fails by load buffering' : 'assertion-fails';
    default:
      if (verdict.kind === 'not-robust' && verdict.violation.kind === 'load-buffering')
        return 'load-buffering';
      return areSameFinals && isSameFailing ? 'cautious' : 'unknown';
  }
}

/**
 * Whether a program may reach new states as stores overtake loads; only for programs in which loads
 * of old values reach no new state.
 */
async function hasLateLoads(text: string): Promise<boolean> {
  const code = compileC11(programOf(text), 'asked');
  const { areLastingStatesOfSC, areAssertionsOfSC } = await observe(code, 'c11', new Budget());
  return areLastingStatesOfSC && areAssertionsOfSC && mayStoresOvertakeLoads(code, findCells(code));
}

/** Compares the answers to random programs with all their outcomes; returns counts by answer. */
async function campaign(
  programOfSeed: (seed: number) => ProgramSketch,
  outcomesOf: (sketch: ProgramSketch) => AllOutcomes | undefined,
  {
    count = programs,
    hasLate = true,
  }: { readonly count?: number; readonly hasLate?: boolean } = {},
): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (let seed = first; seed < first + count; seed++) {
    const sketch = programOfSeed(seed);
    const outcomes = outcomesOf(sketch);
    if (!outcomes) continue;
    const forbidden = randomClaims(seed, sketch, outcomes);
    const text = textWithClaims(sketch, forbidden);
    const result = await checkC11(programOf(text), 'c11', new Budget());
    try {
      const word = compare(result, outcomes, forbidden, hasLate);
      const isLate = (word === 'none' || word === 'cautious') && (await hasLateLoads(text));
      for (const one of isLate ? [word, `${word}, with late loads`] : [word])
        counts[one] = (counts[one] ?? 0) + 1;
    } catch (error) {
      const { verdict, effect, assertions } = result;
      const answer = JSON.stringify([verdict.kind, effect?.kind, assertions]);
      throw new Error(`seed ${seed}: ${answer}\n${text}`, { cause: error });
    }
  }
  if (isCampaign) console.log(counts);
  return counts;
}

describe('what violations lead to, against all execution graphs by the definitions', () => {
  test('program order and reads-from acyclic', async () => {
    const counts = await campaign(
      (seed) => randomProgram(seed, true),
      (sketch) => allOutcomes(sketch, 3000),
      { hasLate: false },
    );
    for (const [word, least] of [
      ['robust', 20],
      ['none', 10],
      ['assertion-fails', 3],
      ['states-differ', 5],
      ['waits', 1],
    ] as const)
      expect([word, (counts[word] ?? 0) >= least]).toEqual([word, true]);
  });

  test('loads behind later stores', async () => {
    const counts = await campaign(
      (seed) => randomProgram(seed, false),
      (sketch) => bufferedOutcomes(sketch, 3000),
    );
    expect(counts.robust).toBeGreaterThan(20);
    expect(counts.none).toBeGreaterThan(10);
    expect(counts['load-buffering'] ?? 0).toBeGreaterThan(0);
    expect(counts['fails by load buffering'] ?? 0).toBeGreaterThan(0);
  });

  test('loads behind later stores, beside loads of old values', async () => {
    const counts = await campaign(
      (seed) => bufferingBesideOldLoads(seed + 100),
      (sketch) => bufferedOutcomes(sketch, 1500),
      { count: programsWithLateLoads },
    );
    expect(counts['none, with late loads']).toBeGreaterThan(0);
    expect(counts.unknown).toBeGreaterThan(0);
  });
});
