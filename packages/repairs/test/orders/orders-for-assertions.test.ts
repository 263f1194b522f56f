import { Budget } from '@fencewright/ground/base/budget.js';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import { defaultHittingSetSolver } from '@fencewright/ground/solvers/hitting-set.js';
import { orderTargets, type OrderTarget } from '@fencewright/model/program/order-target.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { OrdersResult } from '@fencewright/model/verdict/orders-result.js';
import { describe, expect, test } from 'vitest';
import { isCampaign, randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import {
  bufferingSketch,
  publicationSketch,
} from '../../../engines/test/c11/publication-sketch.js';
import {
  type ProgramSketch,
  randomSketch,
  type Sketch,
  textOf,
} from '../../../engines/test/c11/sketch.js';
import { programOf } from '../../../engines/test/robustness/native-program.js';
import { sizeCosts } from '../../src/fences/cost-models.js';
import { findWeakestOrders } from '../../src/orders/weakest-orders.js';
import { cheapestByOutcomes, outcomesOf } from './orders-by-outcomes.js';

type Change = 'raise' | 'lower';
type Forbidden = readonly (number | undefined)[];

/** Returns the text with an assertion at the end of each thread that has a forbidden value. */
function textWithClaims(sketch: ProgramSketch, forbidden: Forbidden): string {
  let thread = 0;
  return textOf(sketch)
    .replace('program Sketch\n', '')
    .replaceAll(/^\}$/gmu, () => {
      const value = forbidden[thread++];
      return value === undefined ? '}' : `  assert(r != ${value});\n}`;
    });
}

function find(
  program: Program,
  change: Change,
  target: OrderTarget,
  placeOf?: (thread: number, location: number) => string | undefined,
): Promise<OrdersResult> {
  return findWeakestOrders(program, {
    ...{ model: 'c11', goal: 'assertions', change, target, costs: sizeCosts(program) },
    ...{ solver: defaultHittingSetSolver, budget: new Budget() },
    ...(placeOf && { placeOf }),
  });
}

const fence: Sketch = { kind: 'fence', order: 'relaxed' };

/** Returns a random program of few threads, with publication of data or load buffering. */
function sketchOf(seed: number): ProgramSketch {
  if (seed % 8 === 0) return bufferingSketch(seed);
  const branches = seed % 3 !== 0;
  if (seed % 4 === 1) return randomSketch(seed, { branches, plain: false });
  const { cells, threads } = publicationSketch(seed, branches);
  return { cells, threads: threads.slice(0, 2) };
}

/** Returns the statements with all loads and stores relaxed, or with acquire and release. */
function reordered(statements: readonly Sketch[], isWeak: boolean): readonly Sketch[] {
  return statements.map((one): Sketch => {
    if (one.kind === 'if') return { ...one, then: reordered(one.then, isWeak) };
    if (one.kind === 'load' || one.kind === 'await')
      return { ...one, order: isWeak ? 'relaxed' : 'acquire' };
    return one.kind === 'store' ? { ...one, order: isWeak ? 'relaxed' : 'release' } : one;
  });
}

/** Returns the statements with all memory orders relaxed. */
function unordered(statements: readonly Sketch[]): readonly Sketch[] {
  return statements.flatMap((one): readonly Sketch[] => {
    if (one.kind === 'if') return [{ ...one, then: unordered(one.then) }];
    if (one.kind === 'cas') return [{ ...one, order: 'relaxed', failure: 'relaxed' }];
    return one.kind === 'fence' ? [] : [{ ...one, order: 'relaxed' }];
  });
}

/** Chooses forbidden values: mostly values that only weak executions produce, if any. */
function claimsFor(sketch: ProgramSketch, seed: number): Forbidden | undefined {
  const outcomes = outcomesOf({ ...sketch, threads: sketch.threads.map(unordered) });
  if (!outcomes) return undefined;
  const random = new SeededRandom(seed + 7);
  const { c11, sc } = outcomes;
  return sketch.threads.map((_, thread) => {
    const own = [...c11.registers].filter((one) => one.startsWith(`${thread} `));
    const weak = own.filter((one) => !sc.registers.has(one));
    const share = random.below(100);
    if (weak.length > 0 && share < 85) return Number(weak[0]!.split(' ')[1]);
    return share < 4 ? random.below(2) : undefined;
  });
}

/**
 * Whether the statement is outside what the judge supports: a nested branch, or a `cas` that waits.
 */
function isForeign(one: Sketch): boolean {
  if (one.kind === 'if') return one.then.some((inner) => inner.kind === 'if' || isForeign(inner));
  return one.kind === 'cas' && one.waits;
}

/** Expects that the answer about a random program is right; returns a word for the answer. */
async function compare(seed: number, change: Change): Promise<string | undefined> {
  const drawn = sketchOf(seed);
  if (drawn.threads.flat().some(isForeign)) return undefined;
  const isWeak = change === 'raise';
  const base =
    seed % 5 === 0
      ? drawn
      : { ...drawn, threads: drawn.threads.map((own) => reordered(own, isWeak)) };
  const isSimple = ([first]: readonly Sketch[]): boolean =>
    first?.kind === 'load' || first?.kind === 'store';
  const withFences = isWeak && seed % 2 === 0 && base.threads.every(isSimple);
  // The judge's program has a relaxed fence before the second access of each thread, which has no
  // effect.
  const judged = withFences
    ? { ...base, threads: base.threads.map(([first, ...rest]) => [first!, fence, ...rest]) }
    : base;
  const forbidden = claimsFor(base, seed);
  if (!forbidden || forbidden.every((value) => value === undefined)) return undefined;
  const target = orderTargets[(seed >> 2) % orderTargets.length]!;
  const truth = cheapestByOutcomes(judged, forbidden, { change, target }, 1000);
  // Most programs that need no change are skipped.
  if (!truth || (change === 'raise' && truth.least === 0 && seed % 10 !== 0)) return undefined;
  const program = programOf(textWithClaims(base, forbidden));
  const { verdict } = await find(program, change, target, (thread, location) =>
    withFences && location === 1 ? String(thread) : undefined,
  );
  switch (verdict.kind) {
    case 'unknown':
      return 'unknown';
    case 'impossible':
      if (verdict.reason.kind === 'assertion-under-sc') {
        expect(truth.failsUnderSC).toBe(true);
        return 'under SC';
      }
      if (change === 'lower') expect(truth.holds).toBe(false);
      else expect(truth.least).toBe(Number.POSITIVE_INFINITY);
      return 'impossible';
    case 'found': {
      const { cost, open, changes } = verdict;
      if (open?.bound === undefined) expect(cost).toBe(truth.least);
      else {
        expect(open.bound).toBeLessThanOrEqual(truth.least);
        expect(cost).toBeGreaterThanOrEqual(truth.least);
        return 'open';
      }
      return changes.length === 0 ? 'as given' : 'cheapest';
    }
  }
}

describe('orders for assertions, against all orders and all execution graphs', () => {
  test.each(['raise', 'lower'] as const)('%s', async (change) => {
    const counts: Record<string, number> = {};
    const wanted = randomRuns(25, 150, 12);
    let programs = 0;
    for (let seed = randomSeed(90_000); programs < wanted; seed++) {
      const word = await compare(seed, change).catch((error: unknown) => {
        throw new Error(`seed ${seed}`, { cause: error });
      });
      if (word === undefined) continue;
      programs += 1;
      counts[word] = (counts[word] ?? 0) + 1;
    }
    if (isCampaign) console.log(change, counts);
    expect(counts.cheapest ?? 0).toBeGreaterThan(wanted / 4);
    expect((counts.open ?? 0) + (counts.unknown ?? 0)).toBeLessThan(wanted / 2);
  });
});

/** Returns the changes in an answer: the kind of each statement, with its new memory order. */
async function changesOf(text: string, change: Change): Promise<readonly string[]> {
  const { verdict } = await find(programOf(text), change, 'armv8', () => undefined);
  if (verdict.kind === 'impossible') return [`impossible: ${verdict.reason.kind}`];
  if (verdict.kind === 'unknown') return [verdict.reason];
  const { bound } = verdict.open ?? {};
  const changes = verdict.changes.map(({ kind, to }) => `${kind} ${to.order}`);
  return bound === undefined ? changes : [...changes, `at least ${bound}`];
}

const storeBuffering = (order: string, claim: string): string => `var x, y
thread a { local r; store(x, 1, ${order}); r = load(y, ${order}); }
thread b { local r; store(y, 1, ${order}); r = load(x, ${order}); ${claim} }`;

// The sufficient orders follow from the rules of C++20.
describe('assertions that need less than robustness, or more', () => {
  test('a poll that may come late needs no order', async () => {
    const text = `var flag
thread a { store(flag, 1, relaxed); store(flag, 2, relaxed); }
thread b { local r; r = load(flag, relaxed); assert(r <= 2); }`;
    expect(await changesOf(text, 'raise')).toEqual([]);
  });

  test('store buffering without effect on the assertion may lose its orders', async () => {
    const text = storeBuffering('seq_cst', 'assert(r < 2);');
    expect(await changesOf(text, 'raise')).toEqual([]);
    expect(await changesOf(text, 'lower')).toEqual([
      ...['store relaxed', 'load relaxed', 'store relaxed', 'load relaxed'],
    ]);
  });

  test('an assertion that fails under SC is prevented by no order', async () => {
    const text = storeBuffering('relaxed', 'assert(r == 1);');
    expect(await changesOf(text, 'raise')).toEqual(['impossible: assertion-under-sc']);
    expect(await changesOf(text, 'lower')).toEqual(['impossible: assertion-under-sc']);
  });

  test('a data race counts, whatever the assertions say', async () => {
    const text = `var plain data
var ready
thread a { data = 1; store(ready, 1, relaxed); }
thread b { local r; await(load(ready, relaxed) == 1); r = data; assert(r < 2); }`;
    expect(await changesOf(text, 'raise')).toEqual(['store release', 'load acquire']);
    expect(await changesOf(text, 'lower')).toEqual(['impossible: race']);
  });

  test('orders that are too weak already cannot be weaker', async () => {
    const text = `var data, ready
thread a { store(data, 1, relaxed); store(ready, 1, relaxed); }
thread b { local r; await(load(ready, relaxed) == 1); r = load(data, relaxed); assert(r == 1); }`;
    expect(await changesOf(text, 'lower')).toEqual(['impossible: assertion']);
  });

  test('whether load buffering matters is not decided, and the answer says so', async () => {
    // No store writes 2, so no change is needed. Each of the two loads alone may be executed late.
    const text = `var x, y
thread a { local r; r = load(x, relaxed); store(y, 1, relaxed); assert(r != 2); }
thread b { local r; r = load(y, relaxed); store(x, 1, relaxed); }`;
    expect(await changesOf(text, 'raise')).toEqual([
      ...['load acquire', 'load acquire'],
      'at least 0',
    ]);
    expect(await changesOf(text, 'lower')).toEqual(['undecided']);
    const acquiring = programOf(text.replaceAll(/load\((.), relaxed/gu, 'load($1, acquire'));
    const { verdict } = await find(acquiring, 'lower', 'armv8');
    expect(verdict).toMatchObject({ kind: 'found', changes: [], alone: [] });
    expect(verdict).toMatchObject({ open: { bound: -2, isAloneOpen: true } });
  });
});
