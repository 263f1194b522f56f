import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { fence, type FenceOptions } from '../../src/api/fence.js';
import { reach } from '../../src/api/reach.js';
import { repairedProgram } from '@fencewright/repairs/fences/apply-repair.js';
import { replayStates } from '@fencewright/model/semantics/replay.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import { readRepositoryFile } from './load-corpus.js';

const folder = 'examples/states';
const root = fileURLToPath(new URL('../../../../', import.meta.url));

/**
 * The expected facts of the examples.
 *
 * Fences. Dekker: each thread needs one, as its store to its flag and its load of the other's flag
 * are store buffering; for robustness from [BDM13] Table 2. Parker: the same. Mutex-event: a fence
 * of the owner suffices, as the waiter only has locked instructions. Submission-queue and
 * event-index: the other side already has its fence; robustness takes one fence more, as another
 * pair of store and load is store buffering (`wakeUp` and `completed` with those of the poller,
 * `usedIndex` and `availIndex` with those of the driver).
 *
 * The assertions of all other examples hold: every loaded value arrives by message passing.
 */
const known = JSON.parse(readRepositoryFile(`${folder}/expected.json`)) as Readonly<
  Record<
    string,
    {
      readonly answer: string;
      readonly goal: string;
      readonly fences?: number;
      readonly forRobustness?: number;
    }
  >
>;
const limits = { maxStates: 300_000 };
const goals: Readonly<Record<string, FenceOptions>> = {
  assertions: { assertions: true },
  progress: { rest: ['progress'] },
};

test('each example is expected to be something', () => {
  const files = readdirSync(root + folder).filter((name) => name.endsWith('.fw'));
  expect(files.map((name) => name.replace(/\.fw$/, '')).sort()).toEqual(Object.keys(known).sort());
});

describe.each(Object.entries(known))('%s', (name, expected) => {
  const program = finiteProgram(parseNative(readRepositoryFile(`${folder}/${name}.fw`)).model)!;
  const goal = goals[expected.goal] ?? { properties: [expected.goal] };

  test('is answered, with a run where something breaks', async () => {
    const { answer } = await reach(program, { limits });
    expect(answer.kind).toBe(expected.answer);
    if (answer.kind === 'breaks' || answer.kind === 'hangs')
      expect(replayStates(program, answer.computation)).toBeDefined();
  });

  test('with the fences for its claims it does not break', async () => {
    const { verdict } = await fence(program, { ...goal, limits });
    if (expected.answer === 'wrong-under-sc') {
      expect(verdict).toMatchObject({ kind: 'property-fails', under: 'SC' });
      return;
    }
    if (verdict.kind !== 'found') throw new Error(verdict.kind);
    if (expected.fences !== undefined) expect(verdict.repairs).toHaveLength(expected.fences);
    const chosen = verdict.repairs.map((_, index) => index);
    const repaired = repairedProgram(program, { mode: 'fence', items: verdict.repairs, chosen });
    const { answer } = await reach(repaired, { limits });
    expect(['differs', 'stricter', 'robust']).toContain(answer.kind);
    if (expected.forRobustness === undefined) return;
    const robust = await fence(program, { limits });
    expect(robust.verdict).toMatchObject({ kind: 'found', cost: expected.forRobustness });
  });
});
