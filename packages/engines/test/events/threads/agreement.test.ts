import { expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../../tools/random-runs.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import { enumerateEventTraces } from '@fencewright/reference/definitions/enumerate-event-traces.js';
import { checkEventTso } from '../../../src/events/threads/check-event-tso.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import type { SearchReductions } from '../../../src/search/search-session.js';
import { eventFeatures } from '@fencewright/reference/testing/event-features.js';
import { FeatureCount } from '@fencewright/reference/testing/program-features.js';
import { randomEventProgram } from '@fencewright/reference/testing/random-event-program.js';
import { randomTasks } from './random-tasks.js';

const runs = randomRuns(500, 20_000, 60);
const seed = randomSeed(20180815);

/**
 * Options for the search: each reduction on and off, each kernel forced, and stages of few states.
 */
const variants: readonly SearchReductions[] = [
  {},
  { ownedCells: false, symmetry: false, maskDeadRegisters: false },
  { shareDeadStates: false, tightLayout: true, firstStage: 1 },
  { kernel: 'wasm', tightLayout: true },
];

/** Returns the verdict by the definition; `undefined` if there are too many traces. */
function byDefinition(program: EventProgram, postingFenced: boolean): string | undefined {
  const { isComplete, isCut, hasFaults, cyclic } = enumerateEventTraces(program, 'TSO', {
    postingFenced,
    maxStates: 4000,
  });
  if (cyclic) return 'not-robust';
  if (!isComplete || isCut) return undefined;
  return hasFaults ? 'unknown' : 'robust';
}

test(`the attack search decides ${runs} random event programs by the definition`, async () => {
  const random = new SeededRandom(seed);
  const count = new FeatureCount();
  for (let run = 0; run < runs; run++) {
    const program =
      run % 3 === 2 ? randomEventProgram(random, { maxAccesses: 9 }).program : randomTasks(random);
    const postingFenced = run % 8 === 7;
    const expected = byDefinition(program, postingFenced);
    count.add([...eventFeatures(program), expected ?? 'too large']);
    if (!expected) continue;
    for (const [number, reductions] of variants.entries()) {
      if (number > 0 && run % 3 > 0) continue;
      const budget = new Budget();
      const { verdict } = await checkEventTso(program, { budget, postingFenced, reductions });
      const text = JSON.stringify({ run, number, program: program.bodies });
      expect(verdict.kind, text).toBe(expected);
      if (verdict.kind === 'not-robust') count.add([`ends with a ${verdict.witness.end.kind}`]);
      else if (verdict.kind === 'robust') count.add([`robust, shown by ${verdict.shownBy}`]);
    }
  }
  console.log(count.toString());
  const features = ['robust, shown by search', 'ends with a load', 'ends with a posting'];
  for (const feature of [
    ...features,
    'post to main',
    'call',
    'post with arguments',
    '2 equal instances',
  ])
    expect(count.get(feature), feature).toBeGreaterThan(runs / 50);
  expect(count.get('too large')).toBeLessThan(runs / 5);
});
