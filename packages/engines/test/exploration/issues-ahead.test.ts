import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import {
  finalStateKey,
  reachByMachine,
  reachUnder,
  visibleState,
} from '../../../core/src/api/reach-under.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import { observationOf } from '../../src/exploration/observation.js';
import { PackedExploration } from '../../src/exploration/packed-exploration.js';
import type { Program } from '@fencewright/model/program/program.js';
import { replayStates } from '@fencewright/model/semantics/replay.js';
import { FeatureCount, programFeatures } from '@fencewright/reference/testing/program-features.js';
import { programWithQuestions } from '@fencewright/reference/testing/with-questions.js';
import { programOf } from '../robustness/native-program.js';

/** Explores with stores that are issued as late as possible. */
async function exploredLate(program: Program, ownsCells: boolean, maxStates = 20_000) {
  const observation = { ...observationOf(program, []), issuesLate: true } as const;
  const exploration = new PackedExploration(program, { model: 'TSO', observation, ownsCells });
  const end = await exploration.explore(new Budget({ maxStates }), () => true);
  const finalStates = new Set<string>();
  for (let state = 0; state < exploration.states; state++)
    if (exploration.isFinal(state))
      finalStates.add(finalStateKey(visibleState(program, exploration.unpack(state))));
  return { exploration, end, finalStates: [...finalStates].sort() };
}

test('the machine has the same final states, failing assertions and faults', async () => {
  const count = new FeatureCount();
  const options = { maxThreads: 3, maxProperties: 1, fewValues: true } as const;
  await fc.assert(
    fc.asyncProperty(programWithQuestions(options), fc.boolean(), async (whole, ownsCells) => {
      const program: Program = { ...whole, properties: [] };
      const { reach, faults } = await reachByMachine(
        'TSO',
        program,
        new Budget({ maxStates: 1_000 }),
      );
      fc.pre(reach.incomplete !== 'states');
      const { exploration, end, finalStates } = await exploredLate(program, ownsCells);
      expect(end).toBe('complete');
      expect(finalStates).toEqual(reach.finalStates.map(finalStateKey).sort());
      const key = (one: { readonly thread: number; readonly transition: number }): string =>
        `${one.thread}.${one.transition}`;
      const failures = exploration.failures();
      expect(failures.map(key).sort()).toEqual(reach.failedAssertions.map(key).sort());
      expect(new Set(exploration.faults.map(key))).toEqual(new Set(faults.map(key)));
      const last = exploration.states - 1;
      for (const { computation } of [exploration.runTo(last), ...failures.map(({ run }) => run)])
        expect(replayStates(program, computation)).toBeDefined();
      count.add([
        ...programFeatures(program),
        ...(failures.length > 0 ? ['failed assertion'] : []),
        ...(finalStates.length > 1 ? ['several ends'] : []),
        ...(faults.length > 0 ? ['fault'] : []),
      ]);
    }),
    { numRuns: randomRuns(250, 5000, 70), seed: randomSeed(36) },
  );
  for (const feature of [
    'failed assertion',
    'fault',
    'unlock',
    'rmw',
    'several ends',
    'owned cell',
  ])
    expect([feature, count.get(feature) > 3]).toEqual([feature, true]);
});

test('a thread that only stores in a loop fills no buffer', async () => {
  const text = (look: string): Program =>
    programOf(`
      var x, y
      thread ticker { local r; loop { x = 1; ${look} x = 0; } }
      thread other { local s; y = 1; s = x; }`);
  for (const [look, end] of [
    ['', 'complete'],
    ['y = 2; fence; r = y;', 'complete'],
    ['r = y;', 'states'],
  ] as const)
    expect([look, (await exploredLate(text(look), true, 500)).end]).toEqual([look, end]);
});

test('local steps and stores that nobody notices lie between a late store and the load', async () => {
  const program = programOf(`
    var x, y, own
    thread a { local r, s = 1; x = 1; s = s + 1; own = s; s = 0; r = y; }
    thread b { local r; y = 1; if (r == 0) { r = x; } }`);
  const { reach } = await reachByMachine('TSO', program, new Budget());
  expect(reach.finalStates).toHaveLength(4);
  for (const ownsCells of [true, false])
    expect((await exploredLate(program, ownsCells)).finalStates).toEqual(
      reach.finalStates.map(finalStateKey).sort(),
    );
});

test('a thread with very many ways to issue stores loses none of them', async () => {
  const program = programOf(`
    var x, y
    thread a { local r; ${'choose { x = 1; } or { x = 2; } '.repeat(7)} r = y; }
    thread b { local s; y = 1; fence; s = x; }`);
  const { end, finalStates } = await exploredLate(program, true);
  const { reach } = await reachUnder('TSO', program, new Budget());
  expect(end).toBe('complete');
  expect(finalStates).toEqual(reach.finalStates.map(finalStateKey).sort());
  // Both read 0 only if all seven stores are late.
  expect(reach.finalStates.some(({ registers }) => registers.flat().every((r) => r === 0))).toBe(
    true,
  );
});
