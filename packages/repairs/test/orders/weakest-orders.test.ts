import { Budget } from '@fencewright/ground/base/budget.js';
import {
  defaultHittingSetSolver,
  type HittingSetSolver,
} from '@fencewright/ground/solvers/hitting-set.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { compileC11 } from '@fencewright/engines/c11/c11-steps.js';
import { checkC11 } from '@fencewright/engines/c11/check-c11.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import type { Span } from '@fencewright/ground/source/span.js';
import type { OrderLevel } from '@fencewright/model/program/order-level.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { OrdersGoal, OrdersResult } from '@fencewright/model/verdict/orders-result.js';
import { describe, expect, test } from 'vitest';
import { isCampaign, randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { randomSketch, textOf } from '../../../engines/test/c11/sketch.js';
import { sizeCosts } from '../../src/fences/cost-models.js';
import { applyOrders } from '../../src/orders/apply-orders.js';
import { findOrderSites, type OrderSite } from '../../src/orders/order-sites.js';
import { levelCost } from '../../src/orders/target-costs.js';
import { orderTargets, type OrderTarget } from '@fencewright/model/program/order-target.js';
import { findWeakestOrders, type WeakestOrdersOptions } from '../../src/orders/weakest-orders.js';

type Asked = Pick<WeakestOrdersOptions, 'change' | 'placeOf'> & {
  readonly target: OrderTarget;
  readonly goal?: OrdersGoal;
};

function read(text: string): Program {
  const { model, diagnostics } = parseNative(text);
  const program = finiteProgram(model);
  if (!program) throw new Error(JSON.stringify(diagnostics));
  return program;
}

function find(program: Program, asked: Asked): Promise<OrdersResult> {
  return findWeakestOrders(program, {
    ...{ model: 'c11', goal: 'robustness', ...asked, costs: sizeCosts(program) },
    ...{ solver: defaultHittingSetSolver, budget: new Budget() },
  });
}

/**
 * Returns the changes in an answer as text: kind and line of each statement, and its memory orders.
 */
function changesOf(program: Program, { verdict }: OrdersResult): readonly string[] {
  if (verdict.kind !== 'found') return [verdict.kind];
  return verdict.changes.map(({ kind, steps, fences, from, to }) => {
    const [step] = steps;
    const span = step && program.threads[step.thread]!.transitions[step.transition]!.origin.span;
    const place = span ? span.start.line + 1 : `in front of ${fences[0]!.location}`;
    const failure = to.failure === undefined ? '' : `/${to.failure}`;
    return `${kind} ${place}: ${from.order} -> ${to.order}${failure}`;
  });
}

/**
 * Whether the program is robust without data races; `undefined` if the check is in doubt about what
 * hardware does.
 */
async function isKnownRight(program: Program): Promise<boolean | undefined> {
  const { verdict, race } = await checkC11(program, 'c11', new Budget());
  if (verdict.kind === 'unknown') {
    expect(['forwarded-to-seq-cst', 'rmws-behind-loads']).toContain(verdict.limit);
    return undefined;
  }
  return verdict.kind === 'robust' && race === 'none';
}

async function isRight(program: Program): Promise<boolean> {
  return (await isKnownRight(program)) === true;
}

function costOf({ kind, given }: OrderSite, target: OrderTarget, level: OrderLevel): number {
  return levelCost(target, kind, level) - levelCost(target, kind, given);
}

/**
 * Returns the least cost of all assignments of memory orders that are known to be correct, and of
 * all that may be correct, by trying every assignment.
 */
async function leastCosts(
  program: Program,
  { target, ...asked }: Asked,
): Promise<{ readonly known: number; readonly possible: number }> {
  const code = compileC11(program);
  const { sites } = findOrderSites(code, { ...asked, costs: sizeCosts(program) });
  let all: { readonly levels: readonly OrderLevel[]; readonly cost: number }[] = [
    { levels: [], cost: 0 },
  ];
  for (const site of sites)
    all = all.flatMap(({ levels, cost }) =>
      site.levels.map((level) => ({
        levels: [...levels, level],
        cost: cost + costOf(site, target, level),
      })),
    );
  let possible = Number.POSITIVE_INFINITY;
  for (const { levels, cost } of all.toSorted((a, b) => a.cost - b.cost)) {
    const isEnough = await isKnownRight(applyOrders(code, sites, levels));
    if (isEnough !== false) possible = Math.min(possible, cost);
    if (isEnough) return { known: cost, possible };
  }
  return { known: Number.POSITIVE_INFINITY, possible };
}

function sitesIn(program: Program, asked: Asked): readonly OrderSite[] {
  return findOrderSites(compileC11(program), { ...asked, costs: sizeCosts(program) }).sites;
}

/**
 * A program about which the answer is in doubt: hardware may execute the load of x behind the `cas`
 * that compares with the loaded value.
 */
const doubtful = `program Doubt
  var x, y, z
  thread a {
    local r, s;
    r = load(x, relaxed);
    s = cas(z, r, 1, relaxed, relaxed);
    store(y, 1, relaxed);
  }
  thread b {
    local q;
    q = load(y, relaxed);
    store(x, q, relaxed);
  }`;

describe('an answer in parts', () => {
  test('stronger orders end a doubt about hardware, and are not called the cheapest', async () => {
    const program = read(doubtful);
    const result = await find(program, { change: 'raise', target: 'armv8' });
    // An acquire is the cheapest change that ends the doubt; without it, nothing is proved.
    expect(changesOf(program, result)).toEqual(['load 5: relaxed -> acquire']);
    expect(result.verdict).toMatchObject({
      reasons: [],
      open: { bound: 0, doubts: [{ kind: 'doubt', doubt: { limit: 'rmws-behind-loads' } }] },
    });
  });

  test('a doubt that all orders leave is named with its place', async () => {
    const result = await find(read(doubtful), { change: 'lower', target: 'armv8' });
    const { limit, at: place } = result.verdict as { limit?: string; at?: Span };
    expect([limit, place?.start.line]).toEqual(['rmws-behind-loads', 4]);
  });

  test('a limit leaves what is proved so far', async () => {
    const program = read(storeBuffering('relaxed'));
    const all = await find(program, { change: 'raise', target: 'armv8' });
    if (all.verdict.kind !== 'found') throw new Error(all.verdict.kind);
    let parts = 0;
    for (let maxStates = 1; maxStates < all.statistics.states; maxStates += 2) {
      const budget = new Budget({ maxStates });
      const { verdict } = await findWeakestOrders(program, {
        ...{ model: 'c11', goal: 'robustness', change: 'raise', target: 'armv8' },
        ...{ costs: sizeCosts(program), solver: defaultHittingSetSolver, budget },
      });
      if (verdict.kind !== 'unknown' || !verdict.soFar) continue;
      const { bound = 0, reasons } = verdict.soFar;
      parts += 1;
      expect(bound).toBeGreaterThan(0);
      expect(bound).toBeLessThanOrEqual(all.verdict.cost);
      expect(reasons.length).toBeLessThanOrEqual(all.verdict.reasons.length);
    }
    expect(parts).toBeGreaterThan(0);
  });

  test('a limit leaves no bound that rests on a doubt', async () => {
    const program = read(`program DoubtBeside
      var x, y, z, v, w
      thread a {
        local r, s;
        store(v, 1, relaxed);
        s = load(w, relaxed);
        r = load(x, relaxed);
        s = cas(z, r, 1, relaxed, relaxed);
        store(y, 1, relaxed);
      }
      thread b {
        local q, s;
        store(w, 1, relaxed);
        s = load(v, relaxed);
        q = load(y, relaxed);
        store(x, q, relaxed);
      }`);
    const all = await find(program, { change: 'raise', target: 'armv8' });
    if (all.verdict.kind !== 'found') throw new Error(all.verdict.kind);
    const { cost, open } = all.verdict;
    expect(open!.bound).toBeLessThan(cost);
    const bounds = new Set<number>();
    const { states } = all.statistics;
    for (const maxStates of [Math.floor(states / 5), Math.floor(states / 2), states - 1]) {
      const budget = new Budget({ maxStates });
      const { verdict } = await findWeakestOrders(program, {
        ...{ model: 'c11', goal: 'robustness', change: 'raise', target: 'armv8' },
        ...{ costs: sizeCosts(program), solver: defaultHittingSetSolver, budget },
      });
      if (verdict.kind !== 'unknown' || !verdict.soFar) continue;
      bounds.add(verdict.soFar.bound!);
    }
    // The bound grows up to the one that the clauses without doubt prove.
    expect(bounds.size).toBeGreaterThan(0);
    expect(Math.max(...bounds)).toBeGreaterThan(0);
    expect(Math.max(...bounds)).toBeLessThanOrEqual(open!.bound!);
  });
});

/** Returns the sites that can be weaker while all others stay, by trying every weaker order. */
async function sitesWeakerAlone(program: Program, asked: Asked): Promise<readonly string[]> {
  const code = compileC11(program);
  const { sites } = findOrderSites(code, { ...asked, costs: sizeCosts(program) });
  const given = sites.map((site) => site.given);
  const found: string[] = [];
  for (const [index, site] of sites.entries())
    for (const level of site.levels) {
      if (JSON.stringify(level) === JSON.stringify(site.given)) continue;
      if (!(await isRight(applyOrders(code, sites, given.with(index, level))))) continue;
      found.push(JSON.stringify([site.steps, site.fences]));
      break;
    }
  return found;
}

describe('random programs: no cheaper orders are enough, of all that there are', () => {
  test.each(['raise', 'lower'] as const)('%s', async (change) => {
    const counts = {
      programs: 0,
      changed: 0,
      impossible: 0,
      undecided: 0,
      open: 0,
      fences: 0,
      moreAlone: 0,
    };
    const wanted = randomRuns(60, 3000, 30);
    for (let seed = randomSeed(0); counts.programs < wanted; seed++) {
      // On POWER, a fence is the cheapest change for store buffering.
      const isBuffering = seed % 20 === 0;
      const kinds = { branches: seed % 3 === 0, plain: seed % 5 === 0 };
      const program = read(
        isBuffering ? storeBuffering('relaxed') : textOf(randomSketch(seed, kinds)),
      );
      const target = isBuffering ? 'power' : orderTargets[(seed >> 1) % orderTargets.length]!;
      // A fence may be inserted in front of the second access of the first thread, in half of the
      // programs.
      const placeOf = (thread: number, location: number): string | undefined =>
        seed % 2 === 0 && thread === 0 && location === 1 ? 'fence' : undefined;
      const asked = { change, target, placeOf };
      const sites = sitesIn(program, asked);
      const size = sites.reduce((product, { levels }) => product * levels.length, 1);
      if (sites.length > 6 || size > 405) continue;
      const found = await find(program, asked);
      counts.programs += 1;
      if (found.verdict.kind === 'unknown') {
        // Some memory orders that cost no more than any correct ones are themselves in doubt.
        expect(found.verdict.limit).toBeDefined();
        if (change === 'lower')
          expect([seed, await isKnownRight(program)]).toEqual([seed, undefined]);
        else {
          const { known, possible } = await leastCosts(program, asked);
          expect([seed, possible <= known && possible < Infinity]).toEqual([seed, true]);
        }
        counts.undecided += 1;
        continue;
      }
      if (found.verdict.kind !== 'found') {
        expect([seed, found.verdict.kind]).toEqual([seed, 'impossible']);
        counts.impossible += 1;
        if (change === 'raise')
          expect([seed, await leastCosts(program, asked)]).toEqual([
            seed,
            { known: Number.POSITIVE_INFINITY, possible: Number.POSITIVE_INFINITY },
          ]);
        else expect([seed, await isKnownRight(program)]).toEqual([seed, false]);
        continue;
      }
      const { cost, open } = found.verdict;
      const least = await leastCosts(program, asked);
      if (open) {
        const { bound = cost } = open;
        const costs = [bound, least.possible, least.known, cost];
        expect([seed, costs]).toEqual([seed, costs.toSorted((a, b) => a - b)]);
        counts.open += 1;
      } else expect([seed, least]).toEqual([seed, { known: cost, possible: cost }]);
      expect(await isRight(found.verdict.changed)).toBe(true);
      if (change === 'lower' && !open) {
        const alone = found.verdict.alone.map(({ steps, fences }) =>
          JSON.stringify([steps, fences]),
        );
        // The list `alone` may name a `cas` twice, with two memory orders that are not comparable.
        expect([seed, [...new Set(alone)]]).toEqual([seed, await sitesWeakerAlone(program, asked)]);
        if (alone.length > found.verdict.changes.length) counts.moreAlone += 1;
      }
      if (found.verdict.changes.length > 0) counts.changed += 1;
      if (found.verdict.changes.some(({ fences }) => fences.length > 0)) counts.fences += 1;
    }
    expect(counts.changed).toBeGreaterThan(wanted / 12);
    if (isCampaign) console.log(counts);
    expect(counts.undecided).toBeLessThan(1 + wanted / 20);
    if (change === 'raise') expect(counts.fences).toBeGreaterThan(0);
  });
});

const messagePassing = `program MessagePassing
var data, ready
thread sender {
  store(data, 1, relaxed);
  store(ready, 1, relaxed);
}
thread receiver {
  local r;
  await(load(ready, relaxed) == 1);
  r = load(data, relaxed);
}`;

const storeBuffering = (order: string): string => `program StoreBuffering
var x, y
thread a {
  local r;
  store(x, 1, ${order});
  r = load(y, ${order});
}
thread b {
  local r;
  store(y, 1, ${order});
  r = load(x, ${order});
}`;

// The cheapest orders follow from the table of costs and from the rules of C++20.
describe('programs whose cheapest orders are known', () => {
  test('message passing takes a release and an acquire', async () => {
    const program = read(messagePassing);
    const found = await find(program, { change: 'raise', target: 'armv8' });
    expect(changesOf(program, found)).toEqual([
      'store 5: relaxed -> release',
      'load 9: relaxed -> acquire',
    ]);
    expect(found.verdict).toMatchObject({ kind: 'found', cost: 2 });
  });

  test('store buffering takes seq_cst stores on ARM, and as many as fences cost on x86', async () => {
    const program = read(storeBuffering('relaxed'));
    const arm = await find(program, { change: 'raise', target: 'armv8' });
    expect(arm.verdict).toMatchObject({ kind: 'found', cost: 4 });
    const x86 = await find(program, { change: 'raise', target: 'x86' });
    // A load that is seq_cst is free on x86, a seq_cst store is an exchange.
    expect(x86.verdict).toMatchObject({ kind: 'found', cost: 20 });
  });

  test('nothing of store buffering with seq_cst accesses can be weaker', async () => {
    const program = read(storeBuffering('seq_cst'));
    const found = await find(program, { change: 'lower', target: 'armv8' });
    expect(found.verdict).toMatchObject({ kind: 'found', changes: [], alone: [] });
  });

  test('a fence that is weaker than needed becomes stronger', async () => {
    const program = read(storeBuffering('relaxed').replaceAll(/(r = .*)/g, 'fence(acq_rel); $1'));
    const found = await find(program, {
      ...{ change: 'raise', target: 'power', placeOf: () => undefined },
    });
    expect(changesOf(program, found)).toEqual([
      'fence 6: acq_rel -> seq_cst',
      'fence 11: acq_rel -> seq_cst',
    ]);
  });

  test('copies share their text: one change is a change of all', async () => {
    const program = read(`program Copies
var lock, count
thread worker[2] {
  local r;
  while (!cas(lock, 0, 1, relaxed)) { }
  r = load(count, relaxed);
  store(count, r + 1, relaxed);
  store(lock, 0, relaxed);
}`);
    const found = await find(program, { change: 'raise', target: 'armv8' });
    expect(changesOf(program, found)).toEqual([
      'cas 5: relaxed -> acquire/relaxed',
      'store 8: relaxed -> release',
    ]);
  });

  test('a data race that no order prevents', async () => {
    const program = read(`program Race
var plain p
thread a { p = 1; }
thread b { p = 2; }`);
    const { verdict } = await find(program, { change: 'raise', target: 'armv8' });
    expect(verdict).toMatchObject({ kind: 'impossible', reason: { kind: 'race' } });
  });

  test('a data race of a robust program is prevented, too', async () => {
    // The store of y depends on the load of p, so hardware does not execute the load behind the
    // store.
    const program = read(`program RaceOfDependent
var plain p
var y
thread a {
  local r;
  r = p;
  if (r == 0) { store(y, 1, relaxed); }
}
thread b {
  await(load(y, relaxed) == 1);
  p = 1;
}`);
    const given = await checkC11(program, 'c11', new Budget());
    expect([given.verdict.kind, typeof given.race]).toEqual(['robust', 'object']);
    const found = await find(program, { change: 'raise', target: 'armv8' });
    expect(changesOf(program, found)).toEqual([
      'store 7: relaxed -> release',
      'load 10: relaxed -> acquire',
    ]);
  });

  test('orders that are too weak already cannot be weaker', async () => {
    const { verdict } = await find(read(messagePassing), { change: 'lower', target: 'armv8' });
    expect(verdict.kind).toBe('impossible');
  });

  test('single places that can be weaker, but not together', async () => {
    // Of the acquiring load and the acquire fence, one suffices to order the later load.
    const program = read(
      messagePassing
        .replace('ready, 1, relaxed', 'ready, 1, release')
        .replace('load(ready, relaxed) == 1);', 'load(ready, acquire) == 1); fence(acquire);'),
    );
    const { verdict } = await find(program, { change: 'lower', target: 'armv8' });
    if (verdict.kind !== 'found') throw new Error(verdict.kind);
    expect(verdict.changes.map(({ kind }) => kind)).toEqual(['fence']);
    expect(verdict.alone.map(({ kind }) => kind).toSorted()).toEqual(['fence', 'load']);
  });

  test('a cas that fails acquires, and only then', async () => {
    const program = read(`program FailedCas
var x = 5, data
thread sender {
  store(data, 1, relaxed);
  store(x, 1, release);
}
thread receiver {
  local isDone, r;
  isDone = cas(x, 5, 6, relaxed, relaxed);
  if (isDone == 0) { r = load(data, relaxed); }
}`);
    const found = await find(program, { change: 'raise', target: 'armv8' });
    expect(changesOf(program, found)).toEqual(['cas 9: relaxed -> relaxed/acquire']);
  });

  test('levels of one place that are chosen together are joined', async () => {
    const program = read(`program ReferenceCount
var references = 2
var plain object
thread owner[2] {
  local before, seen;
  seen = object;
  before = fetch_add(references, -1, relaxed);
  if (before == 1) { object = 1; }
}`);
    // This solver makes acq_rel cost more than acquire and release together.
    const solver: HittingSetSolver = {
      name: 'single effects',
      solve: (problem, milliseconds) => {
        const least = Math.min(...problem.costs);
        const costs = problem.costs.map((cost) => (cost > 1.5 * least ? 10 * cost : cost));
        return defaultHittingSetSolver.solve({ ...problem, costs }, milliseconds);
      },
    };
    const found = await findWeakestOrders(program, {
      ...{
        model: 'c11',
        goal: 'robustness',
        change: 'raise',
        target: 'armv8',
        costs: sizeCosts(program),
      },
      ...{ solver, budget: new Budget(), placeOf: () => undefined },
    });
    expect(changesOf(program, found)).toEqual(['rmw 7: relaxed -> acq_rel']);
  });

  test('a limit leaves the orders unknown', async () => {
    const program = read(messagePassing);
    const { verdict } = await findWeakestOrders(program, {
      ...{
        model: 'c11',
        goal: 'robustness',
        change: 'raise',
        target: 'armv8',
        costs: sizeCosts(program),
      },
      ...{ solver: defaultHittingSetSolver, budget: new Budget({ maxStates: 1 }) },
    });
    expect(verdict).toEqual({ kind: 'unknown', reason: 'states' });
  });
});
