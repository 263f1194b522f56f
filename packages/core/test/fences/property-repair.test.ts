import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Budget } from '../../src/base/budget.js';
import { fence } from '../../src/api/fence.js';
import { sizeCosts } from '../../src/fences/cost-models.js';
import { fencesNeeded } from '../../src/fences/property-clause.js';
import { findPropertyRepair, type PropertyRepairRun } from '../../src/fences/property-repair.js';
import {
  insertionProblem,
  type RepairKind,
  type RepairProblem,
} from '../../src/fences/repair-problem.js';
import { repairedProgram } from '../../src/fences/apply-repair.js';
import { nativeInsertionPoints } from '../../src/frontends/native/insertion-points.js';
import { parseNative } from '../../src/frontends/native/parse-native.js';
import { repairNativeText } from '../../src/frontends/native/repair-native.js';
import type { Program } from '../../src/program/program.js';
import { defaultHittingSetSolver } from '../../src/solvers/hitting-set.js';
import { type Goal, meetsGoal } from './goals-by-definition.js';
import { randomGoalText } from './random-goal-text.js';

const runs = Number(process.env.FENCEWRIGHT_GOAL_RUNS ?? 90);
const seed = Number(process.env.FENCEWRIGHT_SEED ?? 20130705);

/** All subsets are tried: of longer lists some items are taken. */
const maxItems = 8;

function someItems(problem: RepairProblem, salt: number): RepairProblem {
  const rank = (index: number): number => (11 * index + 7 * salt) % 31;
  const kept = problem.items
    .map((_, index) => index)
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, maxItems);
  return { ...problem, items: problem.items.filter((_, index) => kept.includes(index)) };
}

function programOf(text: string): Program {
  const { program, diagnostics } = parseNative(text);
  if (!program) throw new Error(`${text}\n${JSON.stringify(diagnostics)}`);
  return program;
}

function solve(problem: RepairProblem, program: Program, goal: Goal): Promise<PropertyRepairRun> {
  return findPropertyRepair({
    problem,
    goal,
    repaired: (chosen) => repairedProgram(program, { mode: 'any', items: problem.items, chosen }),
    solver: defaultHittingSetSolver,
    budget: new Budget(),
  });
}

/** All sets of items with which the goal is met, as lists of indices, with what they cost. */
function goodSets(
  { program, items }: RepairProblem,
  goal: Goal,
): readonly { readonly chosen: readonly number[]; readonly cost: number }[] | undefined {
  const good = [];
  for (let bits = 0; bits < 2 ** items.length; bits++) {
    const chosen = items.flatMap((_, index) => (bits & (1 << index) ? [index] : []));
    const meets = meetsGoal(
      program,
      chosen.map((index) => items[index]!.item),
      goal,
    );
    if (meets === undefined) return undefined;
    const cost = chosen.reduce((sum, index) => sum + items[index]!.cost, 0);
    if (meets) good.push({ chosen, cost });
  }
  return good;
}

/** Compares the answer with all subsets; says what the answer was. */
async function expectExact(
  problem: RepairProblem,
  program: Program,
  goal: Goal,
): Promise<string[]> {
  const { answer } = await solve(problem, program, goal);
  if (answer.kind === 'optimal' && answer.clauses.length === 0) {
    expect(answer.chosen).toEqual([]);
    return meetsGoal(program, [], goal) === true ? ['holds'] : expect.fail('it does not hold');
  }
  const good = goodSets(problem, goal);
  if (!good) return ['too large'];
  if (answer.kind === 'impossible') {
    expect(good).toEqual([]);
    return [`impossible under ${answer.under}`];
  }
  if (answer.kind !== 'optimal') return expect.fail(`answer: ${answer.kind}`);
  const isGood = good.some(({ chosen }) => chosen.join() === answer.chosen.join());
  expect(isGood, 'the chosen items are sufficient').toBe(true);
  expect(answer.cost).toBe(Math.min(...good.map(({ cost }) => cost)));
  for (const clause of answer.clauses) {
    const needed = fencesNeeded(problem, clause);
    for (const { chosen } of good)
      expect(
        clause.items.some((index) => chosen.includes(index)) ||
          needed.some((index) => !chosen.includes(index)),
        `every sufficient set meets ${JSON.stringify(clause)}`,
      ).toBe(true);
  }
  const isEnd = (index: number): boolean => {
    const item = problem.items[index]?.item;
    return (
      item?.kind === 'fence' &&
      program.threads[item.thread]!.transitions.every(({ from }) => from !== item.location)
    );
  };
  return [
    answer.chosen.length === 0 ? 'holds' : 'repaired',
    ...(answer.chosen.some(isEnd) ? ['fence at an end'] : []),
    ...(answer.clauses.some(({ nowhere }) => nowhere.length > 0) ? ['nowhere'] : []),
    ...(answer.chosen.length > 1 ? ['several items'] : []),
  ];
}

/** What fences alone do, made in the text: it has to meet the goal, by its own labels. */
async function expectTextMeetsGoal(text: string, goal: Pick<Goal, 'assertions'>): Promise<string> {
  const program = programOf(text);
  const points = nativeInsertionPoints(text, { withEnds: true })!;
  const { verdict } = await fence(program, {
    ...(goal.assertions ? { assertions: true } : { properties: ['p'] }),
    canFence: (thread, location) => (points[thread]?.get(location) ?? []).length > 0,
  });
  if (verdict.kind !== 'found') return 'no fences in the text';
  const fences = verdict.repairs.map(({ thread, location }) => ({
    kind: 'fence' as const,
    thread,
    location,
  }));
  const edited = repairNativeText(text, fences);
  expect(edited.diagnostics).toEqual([]);
  const repaired = programOf(edited.text!);
  const { properties } = repaired;
  const meets = meetsGoal(
    repaired,
    [],
    goal.assertions ? { properties: [], ...goal } : { properties, ...goal },
  );
  expect(meets, edited.text).not.toBe(false);
  return fences.length > 0 ? 'fences in the text' : 'text as it is';
}

describe('against all subsets of items, by definition', () => {
  test(`${runs} random programs`, async () => {
    const counts = new Map<string, number>();
    const note = (what: string): unknown => counts.set(what, (counts.get(what) ?? 0) + 1);
    await fc.assert(
      fc.asyncProperty(
        randomGoalText,
        fc.constantFrom<RepairKind>('fence', 'fence', 'any', 'any', 'xchg'),
        fc.nat(3).map((n) => n === 0),
        fc.nat(30),
        async ({ text, features }, kind, assertions, salt) => {
          const program = programOf(text);
          const goal = { properties: assertions ? [] : program.properties, assertions };
          const full = insertionProblem(program, kind, sizeCosts(program), { withEnds: true });
          const problem = someItems(full, salt);
          const outcomes = await expectExact(problem, program, goal);
          outcomes.push(await expectTextMeetsGoal(text, goal));
          for (const what of [...outcomes, ...features]) note(what);
        },
      ),
      { numRuns: runs, seed },
    );
    console.info(Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1))));
  }, 7_200_000);
});
