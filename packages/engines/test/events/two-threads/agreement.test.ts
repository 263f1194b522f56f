import { expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../../tools/random-runs.js';
import { checkTwoThreads } from '../../../../core/src/api/check-two-threads.js';
import { printEventProgram } from '../../../../core/src/api/print-model.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import { enumerateEventTraces } from '@fencewright/reference/definitions/enumerate-event-traces.js';
import { checkConcurrency } from '../../../src/events/serial/check-serial.js';
import { checkEventTso } from '../../../src/events/threads/check-event-tso.js';
import { FeatureCount } from '@fencewright/reference/testing/program-features.js';
import { randomEventProgram } from '@fencewright/reference/testing/random-event-program.js';
import type { CriterionVerdict } from '@fencewright/model/verdict/event-check-result.js';
import { randomTasks } from '../threads/random-tasks.js';
import { wholeText } from './event-text.js';

const runs = randomRuns(24, 5000, 7);
const seed = randomSeed(20180509);

const limits = { maxStates: 200_000 };

/**
 * Returns what the two-threads construction says of the program. Throws if the verdict is not from
 * the construction.
 */
function saidBy(tso: CriterionVerdict): string {
  if (tso.kind === 'not-robust') return 'not-robust';
  if (tso.kind !== 'unknown' || tso.why.kind !== 'two-threads')
    throw new Error(`an answer of its own: ${tso.kind}`);
  return tso.why.said;
}

test(`what 2-threads(P) confirms of ${runs} random programs holds by the definition`, async () => {
  const random = new SeededRandom(seed);
  const count = new FeatureCount();
  for (let run = 0; run < runs; run++) {
    const program =
      run % 3 === 2 ? randomEventProgram(random, { maxAccesses: 9 }).program : randomTasks(random);
    const { cyclic, isComplete, isCut, hasFaults } = enumerateEventTraces(program, 'TSO', {
      maxStates: 4000,
    });
    if (!cyclic && (!isComplete || isCut || hasFaults)) {
      count.add(['not decided by the definition']);
      continue;
    }
    const truth = cyclic ? 'not robust' : 'robust';
    const { tso } = (await checkTwoThreads(program, { limits })).criteria;
    const text = JSON.stringify({ run, program: program.bodies });
    const said = saidBy(tso);
    if (tso.kind === 'not-robust') expect(truth, text).toBe('not robust');
    const printed = await printEventProgram(program, 'two-threads');
    const read = wholeText(printed?.text ?? '');
    const { verdict } = await checkEventTso(read, { budget: new Budget(limits) });
    expect(verdict.kind, text).toBe(said);
    const concurrency = await checkConcurrency(program, { budget: new Budget(limits) });
    const against = concurrency.verdict === 'robust' ? 'robust' : 'not robust';
    count.add([
      `${truth}, ${against} against concurrency, construction ${said}, engine ${tso.kind}`,
      `engine ${tso.kind}`,
    ]);
  }
  console.log(count.toString());
  expect(count.get('engine not-robust')).toBeGreaterThan(runs / 10);
  expect(count.get('engine unknown')).toBeGreaterThan(runs / 10);
});
