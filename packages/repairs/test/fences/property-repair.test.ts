import { finiteProgram } from '@fencewright/model/program/model.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import { decideFence } from '../../../core/src/api/decide-fence.js';
import { fence } from '../../../core/src/api/fence.js';
import type { FenceQuestion } from '../../../core/src/api/question.js';
import { sizeCosts } from '../../src/fences/cost-models.js';
import { seenLabels } from '../../src/fences/seen-labels.js';
import { findPropertyRepair, type PropertyRepairRun } from '../../src/fences/property-repair.js';
import {
  insertionProblem,
  type RepairKind,
  type RepairProblem,
} from '../../src/fences/repair-problem.js';
import { repairedProgram } from '../../src/fences/apply-repair.js';
import { nativeInsertionPoints } from '@fencewright/languages/native/insertion-points.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { repairNativeText } from '@fencewright/languages/native/repair-native.js';
import type { Program } from '@fencewright/model/program/program.js';
import { defaultHittingSetSolver } from '@fencewright/ground/solvers/hitting-set.js';
import { type Goal, meetsGoal } from './goals-by-definition.js';
import { randomGoalText } from './random-goal-text.js';

const runs = randomRuns(90, 2000, 45);
const seed = randomSeed(20130705);

/**
 * The maximum number of items. Some items are taken from longer lists, since all subsets are tried.
 */
const maxItems = 8;

function someItems(problem: RepairProblem, salt: number): RepairProblem {
  const rank = (index: number): number => (11 * index + 7 * salt) % 31;
  const kept = problem.items
    .map((_, index) => index)
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, maxItems);
  return {
    ...problem,
    items: problem.items.filter((_, index) => kept.includes(index)),
    ...(problem.ranks && { ranks: problem.ranks.filter((_, index) => kept.includes(index)) }),
  };
}

function programOf(text: string): Program {
  const { model, diagnostics } = parseNative(text);
  const program = finiteProgram(model);
  if (!program) throw new Error(`${text}\n${JSON.stringify(diagnostics)}`);
  return program;
}

/**
 * Returns the problem with all repairs that a goal allows; fences stand before the labels that the
 * goal mentions.
 */
function posed(program: Program, kind: RepairKind, { properties }: Goal): RepairProblem {
  const isBefore = seenLabels(program, properties);
  return insertionProblem(program, kind, sizeCosts(program), { withEnds: true, isBefore });
}

function solve(
  problem: RepairProblem,
  program: Program,
  goal: Goal,
  budget = new Budget(),
): Promise<PropertyRepairRun> {
  return findPropertyRepair({
    problem,
    goal,
    repaired: (chosen) => repairedProgram(program, { mode: 'any', items: problem.items, chosen }),
    solver: defaultHittingSetSolver,
    budget,
  });
}

/**
 * Returns all sets of items with which the program meets the goal, as lists of indices, with their
 * costs; `undefined` if a set takes too many states to judge.
 */
function goodSets(
  { program, items }: RepairProblem,
  goal: Goal,
): readonly { readonly chosen: readonly number[]; readonly cost: number }[] | undefined {
  const good = [];
  for (let bits = 0; bits < 2 ** items.length; bits++) {
    const chosen = items.flatMap((_, index) => (bits & (1 << index) ? [index] : []));
    const meets = meetsGoal(
      program,
      chosen.map((index) => items[index]!),
      goal,
    );
    if (meets === undefined) return undefined;
    const cost = chosen.reduce((sum, index) => sum + items[index]!.cost, 0);
    if (meets) good.push({ chosen, cost });
  }
  return good;
}

/** Compares the repair with all subsets of items; returns a word for the result, to be counted. */
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
  if (answer.kind === 'violated-under-sc') {
    if (good) expect(good).toEqual([]);
    return [good ? 'impossible under SC' : 'too large'];
  }
  if (!good) return ['too large'];
  if (answer.kind === 'impossible') {
    expect(good).toEqual([]);
    return ['impossible under TSO'];
  }
  if (answer.kind !== 'optimal') return expect.fail(`answer: ${answer.kind}`);
  const isGood = good.some(({ chosen }) => chosen.join() === answer.chosen.join());
  expect(isGood, 'the chosen items are sufficient').toBe(true);
  expect(answer.cost).toBe(Math.min(...good.map(({ cost }) => cost)));
  const rankOf = (chosen: readonly number[]): number =>
    chosen.reduce((sum, index) => sum + (problem.ranks?.[index] ?? 0), 0);
  const best = good.filter(({ cost }) => cost === answer.cost).map(({ chosen }) => rankOf(chosen));
  expect(rankOf(answer.chosen), 'of sets as cheap the best').toBe(Math.min(...best));
  for (const clause of answer.clauses) {
    const { unless = [] } = clause;
    for (const { chosen } of good)
      expect(
        clause.items.some((index) => chosen.includes(index)) ||
          unless.some((index) => !chosen.includes(index)),
        `every sufficient set meets ${JSON.stringify(clause)}`,
      ).toBe(true);
  }
  const isEnd = (index: number): boolean => {
    const item = problem.items[index];
    return (
      item?.kind === 'fence' &&
      program.threads[item.thread]!.transitions.every(({ from }) => from !== item.location)
    );
  };
  const isBefore = (index: number): boolean => {
    const item = problem.items[index];
    return item?.kind === 'fence' && item.before === true;
  };
  return [
    answer.chosen.length === 0 ? 'holds' : 'repaired',
    ...(answer.chosen.some(isEnd) ? ['fence at an end'] : []),
    ...(answer.chosen.some(isBefore) ? ['fence before a label'] : []),
    ...(problem.items.some((_, index) => isBefore(index)) ? ['room before a label'] : []),
    ...(answer.clauses.some(({ nowhere }) => nowhere.length > 0) ? ['nowhere'] : []),
    ...(answer.chosen.length > 1 ? ['several items'] : []),
  ];
}

/**
 * Repairs a text by fences only, inserts the fences, and expects that the new text meets the goal
 * with its own labels.
 */
async function expectTextMeetsGoal(text: string, goal: Pick<Goal, 'assertions'>): Promise<string> {
  const program = programOf(text);
  const points = nativeInsertionPoints(text, { withEnds: true })!;
  const before = nativeInsertionPoints(text, { withEnds: true, before: true })!;
  const { verdict } = await fence(program, {
    ...(goal.assertions ? { assertions: true } : { properties: ['p'] }),
    canFence: (thread, location) => (points[thread]?.get(location) ?? []).length > 0,
    canFenceBefore: (thread, location) => (before[thread]?.get(location) ?? []).length > 0,
  });
  if (verdict.kind !== 'found') return 'no fences in the text';
  const fences = verdict.repairs.flatMap((repair) => (repair.kind === 'fence' ? [repair] : []));
  const edited = repairNativeText(text, fences);
  expect(edited.diagnostics).toEqual([]);
  const repaired = programOf(edited.text!);
  // The properties of the edited text, with the labels of the edited text.
  const properties = goal.assertions ? [] : repaired.properties;
  const meets = meetsGoal(repaired, [], { ...goal, properties });
  expect(meets, edited.text).not.toBe(false);
  if (fences.some((repair) => repair.before)) return 'fences before labels of the text';
  return fences.length > 0 ? 'fences in the text' : 'text as it is';
}

/** Results that must occur often enough for a meaningful comparison. */
const expected = [
  'repaired',
  'holds',
  'several items',
  'impossible under SC',
  'fence at an end',
  'fence before a label',
  'room before a label',
  'fences before labels of the text',
  'fences in the text',
  'ends with a store',
  'label at an end',
  'ended',
  'not ended',
  '@ label',
  'finally',
  'copies',
  'branch',
  'assertion',
  'rmw',
  'array',
  '@cost',
  '@nofence',
];

async function solveText(
  text: string,
  kind: RepairKind,
  assertions = false,
): Promise<PropertyRepairRun['answer'] & { readonly places?: readonly string[] }> {
  const program = programOf(`program P\n${text}`);
  const goal = { properties: assertions ? [] : program.properties, assertions };
  const problem = posed(program, kind, goal);
  const { answer } = await solve(problem, program, goal);
  if (answer.kind !== 'optimal') return answer;
  const places = answer.chosen.map((index) => {
    const item = problem.items[index]!;
    const thread = program.threads[item.thread]!;
    if (item.kind !== 'fence') return item.kind;
    return thread.transitions.some(({ from }) => from === item.location) ? 'fence' : 'fence at end';
  });
  return { ...answer, places };
}

describe('a store that is still buffered', () => {
  const late = 'property p: never (ended(a) && x == 0)';

  test('at the end of its thread: a fence there stops it, and an exchange', async () => {
    const text = `var x thread a { x = 1; } ${late}`;
    expect(await solveText(text, 'fence')).toMatchObject({ cost: 1, places: ['fence at end'] });
    expect(await solveText(text, 'xchg')).toMatchObject({ cost: 1, places: ['xchg'] });
  });

  test('may cost less to stop at the end than before', async () => {
    const text = `var x, y thread a { local r; x = 1; @cost(5) r = y; } ${late}`;
    expect(await solveText(text, 'fence')).toMatchObject({ cost: 1, places: ['fence at end'] });
  });

  test('is stopped before an assertion', async () => {
    const text = `var x, y thread a { local r; x = 1; r = y; y = 1; assert(r == 0 || x == 1); }
      thread b { local r, s; r = y; s = x; assert(r == 0 || s == 1); y = 1; x = 2; r = x; assert(r != 0); }`;
    const program = programOf(`program P\n${text}`);
    const full = insertionProblem(program, 'fence', sizeCosts(program));
    await expectExact(someItems(full, 0), program, { properties: [], assertions: true });
  });

  test('is of no harm where memory is not spoken of', async () => {
    const text = 'var x thread a { x = 1; } property p: never (ended(a) && a @ start) ';
    const labelled = text.replace('x = 1', 'start: x = 1');
    expect(await solveText(labelled, 'any')).toMatchObject({ cost: 0, clauses: [] });
  });
});

describe('a fence', () => {
  // With a fence at the end of thread a, the thread has not ended while it stands before the fence,
  // but its store may be in memory.
  const strict = 'property p: never (ended(a) && x == 0 || !ended(a) && x == 1)';

  test('can make a property fail: its thread stands before it', async () => {
    const text = `var x thread a { x = 1; } ${strict}`;
    expect(await solveText(text, 'fence')).toMatchObject({ kind: 'impossible' });
    const answer = await solveText(text.replace('x = 1', '@cost(4) x = 1'), 'any');
    expect(answer).toMatchObject({ kind: 'optimal', cost: 4, places: ['xchg'] });
    if (answer.kind !== 'optimal') return;
    expect(answer.clauses.some(({ nowhere }) => nowhere.length > 0)).toBe(true);
  });

  test('of one thread may be what another one at its end makes no difference to', async () => {
    // The stores of both threads are buffered at the ends of the threads. With fences at both ends,
    // or at the end of a, the condition of the property stays false. A fence at the end of b alone
    // does not help: then a has ended, and b has not.
    const text = `var x, y
      thread a { local r; x = 1; @cost(5) r = 1; }
      thread b { local r; y = 1; @cost(5) r = 1; }
      property p: never (a.r == 1 && b.r == 1 && x == 0 && y == 0 && (!ended(a) || ended(b)))`;
    const program = programOf(`program P\n${text}`);
    const problem = insertionProblem(program, 'fence', sizeCosts(program), { withEnds: true });
    await expectExact(problem, program, { properties: program.properties, assertions: false });
    expect(await solveText(text, 'fence')).toMatchObject({ cost: 1, places: ['fence at end'] });
  });

  test('does not help against what is wrong under SC', async () => {
    const text = 'var x thread a { done: ; } property p: never (x == 0)';
    const answer = await solveText(text, 'any');
    expect(answer).toMatchObject({
      kind: 'violated-under-sc',
      violation: { property: { name: 'p' } },
    });
    const assertion = await solveText('var x thread a { local r; assert(r == 1); }', 'any', true);
    expect(assertion).toMatchObject({ kind: 'violated-under-sc' });
  });
});

test('what was not looked at to the end is unknown, under SC and under TSO', async () => {
  const text = 'program P\nvar x thread a { x = 1; x = 2; } property p: never (x == 5)';
  const program = programOf(text);
  const problem = insertionProblem(program, 'fence', sizeCosts(program), { withEnds: true });
  const goal = { properties: program.properties, assertions: false };
  // Under SC the program has three states, under TSO more.
  for (const maxStates of [1, 4]) {
    const { answer } = await solve(problem, program, goal, new Budget({ maxStates }));
    expect(answer).toMatchObject({ kind: 'unknown', reason: 'states' });
  }
  expect((await solve(problem, program, goal)).answer.kind).toBe('optimal');
});

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
          const full = posed(program, kind, goal);
          const problem = someItems(full, salt);
          const outcomes = await expectExact(problem, program, goal);
          outcomes.push(await expectTextMeetsGoal(text, goal));
          for (const what of [...outcomes, ...features]) note(what);
        },
      ),
      { numRuns: runs, seed },
    );
    console.info(Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1))));
    for (const what of expected) expect(counts.get(what) ?? 0, what).toBeGreaterThan(runs / 100);
  });
});

/** Returns the text with the fewest fences for its property `p`. */
async function fencedText(text: string): Promise<string | undefined> {
  const question = { kind: 'fence', properties: ['p'], text: { format: 'native', source: text } };
  const result = await decideFence(
    { kind: 'finite', program: programOf(text) },
    question as FenceQuestion,
    {},
  );
  return result.kind === 'fence' ? result.fences.text : undefined;
}

describe('a fence for a property that looks at a label', () => {
  const waiting = 'property p: never (a @ l && x == 0)';

  test('stands before it: who is there has nothing in its buffer', async () => {
    const text = `program P\nvar x thread a { x = 1; l: skip; x = 2; }\n${waiting}\n`;
    expect(await fencedText(text)).toBe(text.replace('l:', 'fence; l:'));
  });

  test('stands on every way that has something in its buffer: jumps, branches, rounds', async () => {
    const ways = {
      'x = 1; if (r == 0) goto l; y = 1; l: x = 2;':
        'x = 1; if (r == 0) { fence; goto l; } y = 1; fence; l: x = 2;',
      'if (r == 0) { x = 1; } else { x = 2; } l: y = 2;':
        'if (r == 0) { x = 1; } else { x = 2; } fence; l: y = 2;',
      'x = 1; l: while (y == 0) { x = 2; }': 'x = 1; fence; l: while (y == 0) { x = 2; fence; }',
    };
    for (const [body, fenced] of Object.entries(ways)) {
      const text = (own: string): string =>
        `program P\nvar x, y thread a { local r; havoc r in 0..1; ${own} }\nproperty p: never (a @ l && !drained(a))\n`;
      const edited = await fencedText(text(body));
      expect(edited, body).toBe(text(fenced));
    }
  });

  test('in automata all that leads to the label leads to the fence', async () => {
    const text = `program P
var x
thread a init s begin
  s: mem[x] <- 1; goto l;
  l: skip; goto t;
  t: mem[x] <- 2; goto e;
end
${waiting}
`;
    expect(await fencedText(text)).toBe(
      text
        .replace('goto l;', 'goto l_fenced;')
        .replace('goto e;\n', 'goto e;\n  l_fenced: mfence; goto l;\n'),
    );
  });

  test('makes it fail where nobody may be between the store and the label', async () => {
    const text = `var x thread a { @nofence x = 1; @cost(2) l: x = 2; }
      property p: never (a @ l && x == 0 || !(a @ l) && x == 1)`;
    expect(await solveText(text, 'fence')).toMatchObject({ kind: 'impossible' });
  });

  test('stands before who starts at the label, too: there no label is', async () => {
    const text = (early: string) => `var x thread a { l: x = 1; goto l; }
      property p: never (a @ l && !drained(a) || ${early} && !(a @ l) && drained(a) && x == 0)`;
    expect(await solveText(text('0'), 'fence')).toMatchObject({ kind: 'optimal', cost: 1 });
    expect(await solveText(text('1'), 'fence')).toMatchObject({ kind: 'impossible' });
  });

  test('is one where the label is in a round of its own', async () => {
    const text = `var up thread a { loop { up = 1; l: skip; up = 0; } }
      property p: never (a @ l && up == 0)`;
    const program = programOf(`program P\n${text}`);
    const { verdict } = await fence(program, { properties: ['p'] });
    expect(verdict).toMatchObject({ kind: 'found', cost: 1, repairs: [{ before: true }] });
  });
});

/**
 * Returns store buffering with an assertion and, in each thread, `count` local steps, whose
 * interleavings change no answer.
 */
const longLocalParts = (count: number): string => {
  const own = Array.from({ length: count }, (_, i) => `  r0 = r0 + ${String(i)};\n`).join('');
  return `program p
var x = 0, y = 0, a = 0, b = 0
thread t {
  local r0, r1;
${own}  x = 1;
  r1 = y;
  a = r1 + 1;
}
thread u {
  local r0, r1;
${own}  y = 1;
  r1 = x;
  b = r1 + 1;
}
thread v {
  local r0, r1;
${own}  r0 = a;
  r1 = b;
  assert(r0 != 1 || r1 != 1);
}
`;
};

test('the states are those of the question, and not those of steps that nobody sees', async () => {
  // The machine has more than 40 * 40 * 40 states before the first store.
  const result = await fence(programOf(longLocalParts(40)), {
    assertions: true,
    limits: { maxStates: 12_000 },
  });
  expect(result.verdict).toMatchObject({ kind: 'found', cost: 2 });
});
