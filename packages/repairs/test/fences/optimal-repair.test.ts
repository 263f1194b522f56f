import fc from 'fast-check';
import { peterson } from '../../../../bench/generators/peterson.js';
import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { check } from '../../../core/src/api/check.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import { applyRepair } from '../../src/fences/apply-repair.js';
import type { RepairAnswer } from '../../src/fences/hit-attacks.js';
import { findOptimalRepair, type RepairRun } from '../../src/fences/optimal-repair.js';
import { optimalFencesByPaper } from '@fencewright/reference/definitions/reference-construction.js';
import {
  insertionProblem,
  minimisationProblem,
  type RepairKind,
  type RepairProblem,
} from '../../src/fences/repair-problem.js';
import { withoutRemovable } from './without-removable.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import type { Program } from '@fencewright/model/program/program.js';
import { singleRepairs, type PricedRepair } from '@fencewright/model/program/repair.js';
import type { HappensBefore } from '@fencewright/model/trace/trace.js';
import { defaultHittingSetSolver } from '@fencewright/ground/solvers/hitting-set.js';
import { randomAutomata } from '@fencewright/reference/testing/random-automata.js';
import { randomProgram } from '@fencewright/reference/testing/random-program.js';

const runs = randomRuns(1200, 20_000, 240);
const seed = randomSeed(20130705);

/** The maximum number of candidate repairs, since brute force tries all subsets. */
const maxItems = 12;

async function solve(
  problem: RepairProblem,
  happensBefore: HappensBefore = 'standard',
): Promise<RepairAnswer> {
  const options = { budget: new Budget(), solver: defaultHittingSetSolver, happensBefore };
  return (await findOptimalRepair(problem, options)).answer;
}

async function isRobust(program: Program, happensBefore: HappensBefore): Promise<boolean> {
  return (await check(program, { engine: 'search', happensBefore })).verdict.kind === 'robust';
}

/** Returns the repaired program, by the library's transformations alone. */
function repaired(problem: RepairProblem, original: Program, chosen: readonly number[]): Program {
  const items = chosen.map((index) => problem.items[index]!);
  const kept = items.filter(({ kind }) => kind === 'keep');
  const base = problem.program === original ? original : withoutRemovable(original, true, kept);
  return applyRepair(base, items);
}

function* subsetsCheaperThan(problem: RepairProblem, bound: number): Generator<number[]> {
  const costs = problem.items.map(({ cost }) => cost);
  function* extend(from: number, set: number[], cost: number): Generator<number[]> {
    if (cost >= bound) return;
    yield set;
    for (let item = from; item < costs.length; item++)
      yield* extend(item + 1, [...set, item], cost + (costs[item] ?? 0));
  }
  yield* extend(0, [], 0);
}

async function expectOptimal(
  problem: RepairProblem,
  original: Program,
  happensBefore: HappensBefore = 'standard',
): Promise<string> {
  const answer = await solve(problem, happensBefore);
  if (answer.kind === 'impossible') {
    const everything = problem.items.map((_, index) => index);
    expect(await isRobust(repaired(problem, original, everything), happensBefore)).toBe(false);
    return 'impossible';
  }
  if (answer.kind !== 'optimal') return expect.fail(`answer: ${answer.kind}`);
  expect(await isRobust(repaired(problem, original, answer.chosen), happensBefore)).toBe(true);
  for (const cheaper of subsetsCheaperThan(problem, answer.cost))
    expect(
      await isRobust(repaired(problem, original, cheaper), happensBefore),
      cheaper.join(),
    ).toBe(false);
  return answer.chosen.length > 0 ? 'repaired' : 'robust';
}

const costs = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 40, maxLength: 40 });

/** Returns a problem with random costs and some forbidden places. */
function randomProblem(
  program: Program,
  kind: RepairKind,
  table: readonly number[],
  forbidden: number,
): RepairProblem {
  const model = {
    name: 'random',
    fence: (t: number, l: number) => table[(7 * t + l) % table.length] ?? 1,
    xchg: (t: number, s: number) => table[(11 * t + s + 3) % table.length] ?? 1,
  };
  const problem = insertionProblem(program, kind, model);
  return { ...problem, items: problem.items.filter((_, index) => index !== forbidden) };
}

/** Returns the problem with fences joined to repairs of several places, by a table of groups. */
function grouped({ program, items }: RepairProblem, groups: readonly number[]): RepairProblem {
  const joined = new Map<string, PricedRepair>();
  items.forEach((item, index) => {
    if (item.kind !== 'fence') return;
    const group = groups[index % groups.length]!;
    // The fences of group 0 stay single repairs.
    const key = group === 0 ? `alone ${index}` : `${group} ${Math.floor(index / 6)}`;
    const { thread, location } = item;
    const known = joined.get(key);
    joined.set(
      key,
      known?.kind === 'fence'
        ? { ...known, also: [...(known.also ?? []), { thread, location }] }
        : item,
    );
  });
  const all = [...joined.values()];
  return { program, items: all, ranks: all.map((_, index) => groups[index % groups.length]!) };
}

describe('against brute force over all cheaper subsets', () => {
  test(`${runs} random programs with random costs and forbidden places`, async () => {
    const outcomes = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          { weight: 3, arbitrary: randomProgram({ maxItems: 3 }) },
          { weight: 1, arbitrary: randomAutomata({ maxSpine: 4, maxExtra: 1, loops: true }) },
          {
            weight: 1,
            arbitrary: randomAutomata({ minThreads: 3, maxThreads: 4, maxSpine: 3, maxExtra: 1 }),
          },
        ),
        fc.constantFrom<RepairKind>('fence', 'fence', 'xchg', 'any'),
        costs,
        fc.integer({ min: 0, max: 30 }),
        async (program, kind, table, forbidden) => {
          const problem = randomProblem(program, kind, table, forbidden);
          const outcome =
            problem.items.length > maxItems ? 'too large' : await expectOptimal(problem, program);
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        },
      ),
      { numRuns: runs, seed },
    );
    console.info(Object.fromEntries(outcomes));
    for (const outcome of ['robust', 'repaired', 'impossible'])
      expect(outcomes.get(outcome) ?? 0, outcome).toBeGreaterThan(runs / 200);
  });

  test(`${runs / 4} random programs with repairs that are several places at once`, async () => {
    const outcomes = new Map<string, number>();
    let across = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          randomProgram({ maxItems: 3 }),
          randomAutomata({ minThreads: 2, maxThreads: 3, maxSpine: 4, maxExtra: 1 }),
        ),
        costs,
        fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 40, maxLength: 40 }),
        async (program, table, groups) => {
          const single = randomProblem(program, 'fence', table, -1);
          const problem = grouped(single, groups);
          const outcome =
            problem.items.length > maxItems ? 'too large' : await expectOptimal(problem, program);
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
          const isAcross = problem.items.some((item) =>
            singleRepairs(item).some(({ thread }) => thread !== item.thread),
          );
          if (isAcross && outcome === 'repaired') across += 1;
        },
      ),
      { numRuns: runs / 4, seed },
    );
    console.info(Object.fromEntries(outcomes), `across threads ${across}`);
    expect(outcomes.get('repaired') ?? 0).toBeGreaterThan(runs / 200);
    expect(across).toBeGreaterThan(runs / 400);
  });

  test(`${runs / 4} random programs of three or four threads, with searches of few of them`, async () => {
    let partsSearched = 0;
    const searches = (share: number) => ({
      firstStage: 2,
      fewThreadsShare: { share, fromStage: 0 },
    });
    await fc.assert(
      fc.asyncProperty(
        randomAutomata({ minThreads: 3, maxThreads: 4, maxSpine: 3, maxExtra: 1 }),
        costs,
        fc.integer({ min: 0, max: 30 }),
        async (program, table, forbidden) => {
          const problem = randomProblem(program, 'fence', table, forbidden);
          const [alone, withParts] = await Promise.all(
            [0, 1].map((share) => {
              const options = { budget: new Budget(), solver: defaultHittingSetSolver };
              return findOptimalRepair(problem, { ...options, ...searches(share) });
            }),
          );
          const outcome = ({ answer }: RepairRun) =>
            answer.kind === 'optimal' ? answer.cost : answer.kind;
          expect(outcome(withParts!)).toBe(outcome(alone!));
          if (withParts!.states !== alone!.states) partsSearched++;
        },
      ),
      { numRuns: Math.ceil(runs / 4), seed },
    );
    expect(partsSearched).toBeGreaterThan(runs / 100);
  });

  test(`${runs / 4} random programs of three or four threads, with directed searches from the start`, async () => {
    let directed = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          randomProgram({ maxThreads: 4, maxItems: 4 }),
          randomAutomata({ minThreads: 3, maxThreads: 4, maxSpine: 3, maxExtra: 1 }),
        ),
        costs,
        fc.integer({ min: 0, max: 30 }),
        async (program, table, forbidden) => {
          const problem = randomProblem(program, 'fence', table, forbidden);
          const [without, withIt] = await Promise.all(
            [{ directed: false }, { stagesAfter: 0, localClosure: false, firstStage: 2 }].map(
              (stages) => {
                const options = { budget: new Budget(), solver: defaultHittingSetSolver };
                return findOptimalRepair(problem, { ...options, ...stages });
              },
            ),
          );
          const outcome = ({ answer }: RepairRun) =>
            answer.kind === 'optimal' ? answer.cost : answer.kind;
          expect(outcome(withIt!)).toBe(outcome(without!));
          if (withIt!.states !== without!.states) directed++;
        },
      ),
      { numRuns: Math.ceil(runs / 4), seed },
    );
    expect(directed).toBeGreaterThan(runs / 100);
  });

  test('directed searches count in the limit on states', async () => {
    const program = finiteProgram(parseNative(peterson(5)).model)!;
    const costOne = { name: 'one', fence: () => 1, xchg: () => 1 };
    const maxStates = 12_000;
    const { answer, states } = await findOptimalRepair(
      insertionProblem(program, 'fence', costOne),
      { budget: new Budget({ maxStates }), solver: defaultHittingSetSolver },
    );
    expect(answer).toMatchObject({ kind: 'unknown', reason: 'states' });
    // Limits are looked at between small parts of the work.
    expect(states).toBeLessThan(1.01 * maxStates);
  });

  // Each of the five levels of each of the six threads needs a fence between stores and loads.
  test("Peterson's algorithm with six threads needs 30 fences", async () => {
    const program = finiteProgram(parseNative(peterson(6)).model)!;
    const costOne = { name: 'one', fence: () => 1, xchg: () => 1 };
    const problem = insertionProblem(program, 'fence', costOne);
    const budget = new Budget({ maxStates: 200_000 });
    const { answer } = await findOptimalRepair(problem, {
      budget,
      solver: defaultHittingSetSolver,
    });
    expect(answer.kind === 'optimal' && answer.chosen.length).toBe(30);
  });

  test(`${runs / 2} random programs with few values, under value happens-before`, async () => {
    const outcomes = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(
        randomProgram({ maxItems: 3, fewValues: true }),
        costs,
        fc.integer({ min: 0, max: 30 }),
        async (program, table, forbidden) => {
          const problem = randomProblem(program, 'fence', table, forbidden);
          if (problem.items.length > maxItems) return;
          const outcome = await expectOptimal(problem, program, 'value');
          const standard = await solve(problem);
          const bounds = [await solve(problem, 'value'), standard].map((answer) =>
            answer.kind === 'optimal' ? answer.cost : Infinity,
          );
          expect(bounds[0]).toBeLessThanOrEqual(bounds[1] ?? 0);
          const compared = bounds[0] === bounds[1] ? 'as dear' : 'cheaper';
          for (const what of [outcome, compared]) outcomes.set(what, (outcomes.get(what) ?? 0) + 1);
        },
      ),
      { numRuns: Math.ceil(runs / 2), seed },
    );
    console.info(Object.fromEntries(outcomes));
    for (const outcome of ['robust', 'repaired', 'cheaper'])
      expect(outcomes.get(outcome) ?? 0, outcome).toBeGreaterThan(runs / 200);
  });

  test('minimising what random programs have', async () => {
    await fc.assert(
      fc.asyncProperty(randomProgram({ maxItems: 4 }), costs, async (program, table) => {
        const problem = minimisationProblem(program, true, {
          name: 'random',
          fence: (t, l) => table[(7 * t + l) % table.length] ?? 1,
          xchg: (t, s) => table[(11 * t + s) % table.length] ?? 1,
        });
        const answer = await solve(problem);
        // All fences of the program together suffice exactly if the program is robust.
        expect(answer.kind === 'optimal').toBe(await isRobust(program, 'standard'));
        if (answer.kind === 'optimal') await expectOptimal(problem, program);
      }),
      { numRuns: Math.ceil(runs / 4), seed },
    );
  });
});

test("the paper's construction finds the same cost", async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(randomProgram({ maxItems: 3 }), costs, async (program, table) => {
      const problem = randomProblem(program, 'fence', table, -1);
      if (problem.items.length > maxItems) return;
      const answer = await solve(problem);
      const paper = await optimalFencesByPaper(problem);
      expect(answer.kind).toBe(paper ? 'optimal' : 'impossible');
      if (answer.kind === 'optimal') expect(answer.cost).toBe(paper?.cost);
      if (answer.kind === 'optimal' && answer.cost > 0) compared++;
    }),
    { numRuns: Math.ceil(runs / 4), seed },
  );
  expect(compared).toBeGreaterThan(runs / 100);
});
