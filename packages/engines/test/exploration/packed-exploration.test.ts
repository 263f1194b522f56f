import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { reachUnder } from '../../../core/src/api/reach-under.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import { observationOf } from '../../src/exploration/observation.js';
import { PackedExploration } from '../../src/exploration/packed-exploration.js';
import type { KernelChoice } from '@fencewright/ground/product/product-search.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { MemoryModel } from '@fencewright/model/trace/memory-model.js';
import { replayStates } from '@fencewright/model/semantics/replay.js';
import { programWithQuestions } from '@fencewright/reference/testing/with-questions.js';
import { programOf } from '../robustness/native-program.js';

/**
 * Explores a program with a kernel. Returns the number of states, and the failures of assertions.
 * The machine has replayed the computation of each failure.
 */
async function exploredWith(kernel: KernelChoice, model: MemoryModel, program: Program) {
  const exploration = new PackedExploration(program, {
    model,
    observation: observationOf(program),
    kernel,
  });
  const end = await exploration.explore(new Budget({ maxStates: 3_000 }), () => true);
  const failures = exploration.failures();
  for (const { run } of failures) expect(replayStates(program, run.computation)).toBeDefined();
  return {
    end,
    states: end === 'states' ? undefined : exploration.states,
    failed: end === 'states' ? [] : failures.map((one) => `${one.thread}.${one.transition}`).sort(),
  };
}

test.each(['SC', 'TSO'] as const)(
  '%s: the kernel finds what is found without it',
  async (model) => {
    let failed = 0;
    await fc.assert(
      fc.asyncProperty(programWithQuestions({ maxThreads: 3 }), async (program) => {
        const found = await exploredWith('typescript', model, program);
        expect(await exploredWith('wasm', model, program)).toEqual(found);
        if (found.failed.length > 0) failed++;
      }),
      { numRuns: randomRuns(150, 3000), seed: randomSeed(11) },
    );
    expect(failed).toBeGreaterThan(10);
  },
);

/** A program with computed addresses, whose assertion fails after some hundred states. */
const counting = programOf(`
  var a[2]
  var x
  thread count { local r, i = 0; while (i < 3000) { r = a[i & 1]; x = i; i = i + 1; assert i != 60; } }
  thread other { local r; r = a[0]; a[1] = 0; r = x; }`);

test('a low limit on states is used for one exploration', async () => {
  const { reach } = await reachUnder('SC', counting, new Budget({ maxStates: 3_900 }));
  expect(reach.incomplete).toBe('states');
  expect(reach.states).toBeGreaterThanOrEqual(3_900);
  expect(reach.failedAssertions).toHaveLength(1);
});
