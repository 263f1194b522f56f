import { expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { fence } from '../../../core/src/api/fence.js';
import { repairedProgram } from '@fencewright/repairs/fences/apply-repair.js';
import { insertionProblem } from '@fencewright/repairs/fences/repair-problem.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import type { Program } from '@fencewright/model/program/program.js';
import { hangsByDefinition, hasNewVector } from './hangs-by-definition.js';
import { randomHangsText } from './random-hangs.js';
import { subsets } from './subsets.js';

const runs = randomRuns(30, 300, 5);
const seed = randomSeed(20261126);
const costs = { name: 'uniform', fence: () => 1, xchg: () => 1 };

/**
 * Returns whether threads wait for ever under TSO and not under SC: `alone` if one thread does,
 * `together` if only a combination of threads does; `undefined` if there are too many states.
 */
function hangs(program: Program, mostStates = 40_000): 'alone' | 'together' | 'no' | undefined {
  const judged = hangsByDefinition(program, 4, mostStates);
  if (!judged) return undefined;
  if (judged.tso.some((is, t) => is && !judged.sc[t])) return 'alone';
  return hasNewVector(judged) ? 'together' : 'no';
}

test('the fewest fences with which nobody waits for ever, by trying all sets', async () => {
  const counts = { tried: 0, one: 0, several: 0, alone: 0, together: 0 };
  for (let i = 0; counts.tried < runs && i < 40 * runs; i++) {
    const text = randomHangsText(seed + i, i % 4 === 0 ? 'together' : 'wake-ups');
    const program = finiteProgram(parseNative(text).model)!;
    const before = hangs(program, 2_500);
    if (before === undefined || before === 'no') continue;
    const { items } = insertionProblem(program, 'fence', costs);
    const repairs = (chosen: readonly number[]): Program =>
      repairedProgram(program, { mode: 'fence', items, chosen });
    const { verdict } = await fence(program, { rest: ['progress'], costs });
    if (verdict.kind !== 'found') throw new Error(`${verdict.kind}\n${text}`);
    expect(hangs(verdict.repaired), text).toBe('no');
    for (let size = 0; size < verdict.cost; size++)
      for (const chosen of subsets(items.length, size))
        expect(hangs(repairs(chosen)), `${chosen.join()}\n${text}`).not.toBe('no');
    counts.tried++;
    counts[before]++;
    counts[verdict.cost === 1 ? 'one' : 'several']++;
  }
  expect(counts.tried).toBe(runs);
  expect(counts.one).toBeGreaterThanOrEqual(runs / 10);
  expect(counts.several).toBeGreaterThanOrEqual(runs / 10);
  expect(counts.alone).toBeGreaterThanOrEqual(runs / 10);
  expect(counts.together).toBeGreaterThanOrEqual(runs / 10);
});

test('threads that wait together under TSO alone need a fence each', async () => {
  const thread = (name: string, own: string, other: string): string =>
    `thread ${name} { local r; ${own} = 1; r = ${other}; assume(r == 1); }`;
  const text = `program P\n\nvar x, y\n${thread('a', 'x', 'y')}\n${thread('b', 'y', 'x')}\n`;
  const program = finiteProgram(parseNative(text).model)!;
  expect(hangs(program)).toBe('together');
  const { verdict } = await fence(program, { rest: ['progress'], costs });
  // With one fence, the other thread still loads too early.
  expect(verdict).toMatchObject({ kind: 'found', cost: 2 });
});

test('what SC lets wait needs no fence, and none helps', async () => {
  const text =
    'program P\n\nvar x\nthread a { local r; r = x; assume(r == 2); }\nthread b { x = 1; }\n';
  const { verdict } = await fence(finiteProgram(parseNative(text).model)!, { rest: ['progress'] });
  expect(verdict).toMatchObject({ kind: 'found', repairs: [] });
});
