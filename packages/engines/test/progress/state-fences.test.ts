import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { fence } from '../../../core/src/api/fence.js';
import { repairedProgram } from '@fencewright/repairs/fences/apply-repair.js';
import { insertionProblem } from '@fencewright/repairs/fences/repair-problem.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { RestGoal } from '@fencewright/model/verdict/fence-result.js';
import { hangsByDefinition, hasNewRest, hasNewVector } from './hangs-by-definition.js';
import { randomHangsText } from './random-hangs.js';
import { subsets } from './subsets.js';

const runs = randomRuns(24, 1000, 15);
const seed = randomSeed(20261127);
const costs = { name: 'uniform', fence: () => 1, xchg: () => 1 };

/**
 * Whether the program has, under TSO, a behaviour that fences for the goal have to exclude;
 * `undefined` if there are too many states.
 */
function misses(program: Program, goal: RestGoal, mostStates = 40_000): boolean | undefined {
  const judged = hangsByDefinition(program, 4, mostStates);
  if (!judged) return undefined;
  if (goal === 'final-states') return hasNewRest(judged, true);
  const hangs = judged.tso.some((is, t) => is && !judged.sc[t]) || hasNewVector(judged);
  return hangs || (goal === 'states' && hasNewRest(judged, false));
}

function programOf(text: string): Program {
  const { model, diagnostics } = parseNative(text);
  const program = finiteProgram(model);
  if (!program) throw new Error(`${text}\n${JSON.stringify(diagnostics)}`.slice(0, 2_000));
  return program;
}

/** Returns the cost of the cheapest sufficient set of fences, by trying all sets. */
async function costByAllSets(text: string, goal: RestGoal): Promise<number> {
  const program = programOf(text);
  const { items } = insertionProblem(program, 'fence', costs);
  const { verdict } = await fence(program, { rest: [goal], costs });
  if (verdict.kind !== 'found') throw new Error(`${verdict.kind}\n${text}`);
  expect(misses(verdict.repaired, goal), text).toBe(false);
  for (let size = 0; size < verdict.cost; size++)
    for (const chosen of subsets(items.length, size)) {
      const fewer = repairedProgram(program, { mode: 'fence', items, chosen });
      expect(misses(fewer, goal), `${chosen.join()}\n${text}`).toBe(true);
    }
  return verdict.cost;
}

test('the fewest fences for states at rest, by trying all sets', async () => {
  const counts = { tried: 0, states: 0, ended: 0, several: 0, 'not ended': 0 };
  for (let i = 0; counts.tried < runs && i < 60 * runs; i++) {
    const text = randomHangsText(seed + i, i % 3 === 0 ? 'together' : 'wake-ups');
    const program = programOf(text);
    const goal = i % 4 === 0 ? 'final-states' : 'states';
    if (misses(program, goal, 2_500) !== true) continue;
    const cost = await costByAllSets(text, goal);
    counts.tried++;
    counts[goal === 'states' ? 'states' : 'ended']++;
    if (cost > 1) counts.several++;
    if (goal === 'states' && misses(program, 'final-states') === false) counts['not ended']++;
  }
  if (process.env.FENCEWRIGHT_SHOW) console.log(counts);
  expect(counts.tried).toBe(runs);
  for (const [what, count] of Object.entries(counts))
    expect(count, what).toBeGreaterThanOrEqual(runs / 60);
}, 3_600_000);

describe('the table of goals', () => {
  const buffering = `program Sbg
var x, y, a, b
thread t { local r; x = 1; r = y; a = r; }
thread u { local r; y = 1; r = x; b = r; }
`;
  const wakeUp = `program WakeUp
var asleep, work, kick
thread sleeper { local r; asleep = 1; r = work; if (r == 0) { do { r = kick; } while (r == 0); } }
thread waker { local r; work = 1; r = asleep; if (r == 1) { kick = 1; } }
`;
  const wait = (own: string, other: string, id: number): string =>
    `thread t${String(id)} { local f, g; ${own} = 1; turn = ${String(id)};
      do { f = ${other}; g = turn; } while (f == 1 && g == ${String(id)}); ${own} = 0; }\n`;
  // Each thread announces itself once, and leaves: too early, at worst.
  const peterson = `program PetersonOnce\nvar f0, f1, turn\n${wait('f0', 'f1', 0)}${wait('f1', 'f0', 1)}`;
  // The expected costs, found by hand; each name has the reason.
  const table: readonly (readonly [string, string, Readonly<Record<RestGoal, number>>])[] = [
    ['store buffering: both read 0', buffering, { progress: 0, states: 2, 'final-states': 2 }],
    ['a lost wake-up: nothing ends', wakeUp, { progress: 2, states: 2, 'final-states': 0 }],
    [
      'too early, and nothing is left of it',
      peterson,
      { progress: 0, states: 0, 'final-states': 0 },
    ],
  ];
  for (const [name, text, expected] of table)
    for (const goal of ['progress', 'states', 'final-states'] as const)
      test(`${name}: ${goal}`, async () => {
        expect(await costByAllSets(text, goal)).toBe(expected[goal]);
      });
});
