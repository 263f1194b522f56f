import { expect, test } from 'vitest';
import { inCampaign, randomRuns, randomSeed } from '../../../../../tools/random-runs.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import {
  enumerateEventTraces,
  type EventEnumerationOptions,
} from '@fencewright/reference/definitions/enumerate-event-traces.js';
import { checkConcurrency, checkSerialisable } from '../../../src/events/serial/check-serial.js';
import type { SerialReductions } from '../../../src/events/serial/serial-machine.js';
import type { SerialVerdict } from '../../../src/events/serial/serial-verdict.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import { eventFeatures } from '@fencewright/reference/testing/event-features.js';
import { FeatureCount } from '@fencewright/reference/testing/program-features.js';
import { randomEventProgram } from '@fencewright/reference/testing/random-event-program.js';

const runs = randomRuns(500, 5000, 60);
const seed = randomSeed(20180510);
const maxStates = inCampaign(2000, 20_000);

const reductions: readonly SerialReductions[] = [
  { forgetDeadCells: false, skipIdleEvents: true, dropLostTargets: true },
  { forgetDeadCells: true, skipIdleEvents: false, dropLostTargets: true },
  { forgetDeadCells: true, skipIdleEvents: true, dropLostTargets: false },
  { forgetDeadCells: false, skipIdleEvents: false, dropLostTargets: false },
];

/**
 * Returns the verdict by the definitions; `undefined` if the enumeration is incomplete and found no
 * violation.
 */
function defined(
  program: EventProgram,
  semantics: 'SC' | 'TSO',
  options: EventEnumerationOptions,
): 'robust' | 'not-robust' | undefined {
  const traces = enumerateEventTraces(program, semantics, { ...options, maxStates });
  if (traces.unserialisable) return 'not-robust';
  return traces.isComplete && !traces.isCut && !traces.hasFaults ? 'robust' : undefined;
}

function answer(verdict: SerialVerdict): string {
  return verdict.verdict === 'unknown' ? `unknown (${verdict.reason.kind})` : verdict.verdict;
}

/** Expects equal answers with each reduction switched off. */
async function expectSame(
  check: (reductions: SerialReductions) => Promise<SerialVerdict>,
  expected: SerialVerdict,
  which: string,
): Promise<void> {
  for (const so of reductions)
    expect(answer(await check(so)), `${which} ${JSON.stringify(so)}`).toBe(answer(expected));
}

const limits = { maxStates: 100_000 };

test(`${runs} random event programs: late action and late commit`, async () => {
  const count = new FeatureCount();
  const numbers = new Map<string, number>();
  for (let i = 0; i < runs; i++) {
    const random = new SeededRandom(seed + i);
    const { program } = randomEventProgram(random, { maxAccesses: 9 });
    const postingFenced = random.below(5) === 0;
    const which = `seed ${seed + i}${postingFenced ? ', postings fenced' : ''}`;
    const found = [...eventFeatures(program)];
    const sc = defined(program, 'SC', {});
    const action = await checkConcurrency(program, { budget: new Budget(limits) });
    found.push(`concurrency ${sc ?? 'too large'}: ${answer(action)}`);
    if (sc && action.verdict !== 'unknown') expect(action.verdict, which).toBe(sc);
    if (i % 4 === 0)
      await expectSame((off) => checkConcurrency(program, { reductions: off }), action, which);
    if (action.verdict === 'robust') {
      const tso = defined(program, 'TSO', { postingFenced });
      const commit = await checkSerialisable(program, {
        postingFenced,
        budget: new Budget(limits),
      });
      found.push(`serialisable ${tso ?? 'too large'}: ${answer(commit)}`);
      if (tso && commit.verdict !== 'unknown') expect(commit.verdict, which).toBe(tso);
      if (commit.figures.unconfirmed > 0) found.push('violations without a run');
      if (i % 4 === 0)
        await expectSame(
          (off) => checkSerialisable(program, { postingFenced, reductions: off }),
          commit,
          which,
        );
    }
    if (action.verdict === 'unknown') console.log(which, answer(action));
    for (const feature of found)
      if (feature.includes(':')) numbers.set(feature, (numbers.get(feature) ?? 0) + 1);
    count.add(found);
  }
  console.log(count.toString(), numbers);
  for (const feature of ['concurrency robust: robust', 'concurrency not-robust: not-robust'])
    expect(count.get(feature), feature).toBeGreaterThan(runs / 20);
  for (const feature of ['serialisable robust: robust', 'serialisable not-robust: not-robust'])
    expect(count.get(feature), feature).toBeGreaterThan(runs / 50);
});

test('any number of instances against two and three', async () => {
  const count = new FeatureCount();
  for (let i = 0; i < runs / 3; i++) {
    const random = new SeededRandom(seed + 1_000_000 + i);
    const small = randomEventProgram(random, { maxAccesses: 4, maxTasks: 3 }).program;
    const program: EventProgram = {
      ...small,
      instances: small.instances.map((one) => ({ ...one, count: 'any' as const })),
    };
    const which = `seed ${seed + 1_000_000 + i}`;
    const action = await checkConcurrency(program, { budget: new Budget(limits) });
    const commit =
      action.verdict === 'robust'
        ? await checkSerialisable(program, { budget: new Budget(limits) })
        : action;
    for (const instances of [2, 3]) {
      const sc = defined(program, 'SC', { cuts: { instances } });
      const tso = defined(program, 'TSO', { cuts: { instances } });
      if (action.verdict === 'robust') expect(sc, which).not.toBe('not-robust');
      if (commit.verdict === 'robust') expect(tso, which).not.toBe('not-robust');
      if (action.verdict === 'not-robust')
        count.add([`${instances} instances show it: ${sc ?? 'too large'}`]);
      else if (commit.verdict === 'not-robust')
        count.add([`${instances} instances show it under TSO: ${tso ?? 'too large'}`]);
      else count.add([`${instances} instances: ${tso ?? 'too large'}, ${answer(commit)}`]);
    }
  }
  console.log(count.toString());
});

test('endless tasks against an enumeration that is cut', async () => {
  const count = new FeatureCount();
  for (let i = 0; i < runs / 3; i++) {
    const random = new SeededRandom(seed + 2_000_000 + i);
    const { program } = randomEventProgram(random, { endless: true, maxAccesses: 7 });
    const which = `seed ${seed + 2_000_000 + i}`;
    const cuts = { cuts: { steps: 20 } };
    const sc = defined(program, 'SC', cuts);
    const action = await checkConcurrency(program, { budget: new Budget(limits) });
    if (sc === 'not-robust') expect(action.verdict, which).not.toBe('robust');
    count.add([`concurrency ${sc ?? 'cut'}: ${answer(action)}`]);
    if (action.verdict !== 'robust') continue;
    const tso = defined(program, 'TSO', cuts);
    const commit = await checkSerialisable(program, { budget: new Budget(limits) });
    if (tso === 'not-robust') expect(commit.verdict, which).not.toBe('robust');
    count.add([`serialisable ${tso ?? 'cut'}: ${answer(commit)}`]);
  }
  console.log(count.toString());
});
