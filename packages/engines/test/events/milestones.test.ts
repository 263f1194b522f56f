import { expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import { judgeRun } from '@fencewright/model/events/judge-run.js';
import { runCauses } from '@fencewright/model/events/run-causes.js';
import { replayEventRun } from '@fencewright/model/events/replay-event-run.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import {
  enumerateEventTraces,
  type EventTraces,
} from '@fencewright/reference/definitions/enumerate-event-traces.js';
import { FeatureCount } from '@fencewright/reference/testing/program-features.js';
import { randomEventProgram } from '@fencewright/reference/testing/random-event-program.js';
import { withMilestones } from '@fencewright/reference/testing/with-milestones.js';
import { checkConcurrency, checkSerialisable } from '../../src/events/serial/check-serial.js';
import type { SerialReductions } from '../../src/events/serial/serial-machine.js';
import { checkEventTso } from '../../src/events/threads/check-event-tso.js';

const runs = randomRuns(200, 5000, 60);
const seed = randomSeed(20261128);
const limits = { maxStates: 100_000 };

const without: SerialReductions = {
  forgetDeadCells: false,
  skipIdleEvents: false,
  dropLostTargets: false,
};

type Found = EventTraces['cyclic'];

/**
 * Returns the verdict by the definitions; `undefined` if the enumeration is incomplete and found no
 * violation.
 */
function verdict({ isComplete, isCut, hasFaults }: EventTraces, found: Found) {
  if (found) return 'not-robust';
  return isComplete && !isCut && !hasFaults ? 'robust' : undefined;
}

/** Enumerates traces; the first traces are also judged, and replayed on the machine. */
function traced(
  program: EventProgram,
  semantics: 'SC' | 'TSO',
  postingFenced: boolean,
  which: string,
  count: FeatureCount,
): EventTraces {
  let left = 4;
  const machine = semantics === 'SC' ? 'multi-sc' : 'multi-tso';
  return enumerateEventTraces(program, semantics, {
    postingFenced,
    maxStates: 3000,
    onTrace: ({ run, isSerialisable, isCyclic }) => {
      if (left-- <= 0) return;
      const judged = judgeRun(program, run);
      if (runCauses(program, run).some((candidates) => candidates.length > 1))
        count.add(['several candidates']);
      expect(judged.serialisation.kind === 'serialisable', which).toBe(isSerialisable);
      expect(judged.happensBeforeCycle !== undefined, which).toBe(isCyclic);
      expect(replayEventRun(program, run, machine, { postingFenced }).kind, which).toBe('possible');
    },
  });
}

/** Returns the program without waits of events for other events. */
function freed(program: EventProgram): EventProgram {
  return {
    ...program,
    instances: program.instances.map(({ after: _, ...rest }) => rest),
  };
}

test(`${runs} random programs whose events wait for milestones`, async () => {
  const count = new FeatureCount();
  for (let i = 0; i < runs; i++) {
    const random = new SeededRandom(seed + i);
    const plain = randomEventProgram(random, { maxAccesses: 8, maxTasks: 6 }).program;
    const program = withMilestones(random, plain);
    const postingFenced = random.below(5) === 0;
    const which = `seed ${seed + i}`;
    const sc = traced(program, 'SC', postingFenced, which, count);
    const tso = traced(program, 'TSO', postingFenced, which, count);
    const concurrency = verdict(sc, sc.unserialisable);
    const free = enumerateEventTraces(freed(program), 'SC', { maxStates: 3000 });
    if (concurrency === 'robust' && free.unserialisable) count.add(['robust by waiting']);
    for (const [name, found] of [
      ['SC', sc.unserialisable],
      ['TSO', tso.unserialisable],
    ] as const) {
      const judged = found && judgeRun(program, found).serialisation;
      if (judged?.kind !== 'cycle-of-events') continue;
      if (judged.orders.some(({ kind }) => kind === 'cause')) count.add([`a cause under ${name}`]);
    }
    if (tso.cyclic)
      if (
        judgeRun(program, tso.cyclic).happensBeforeCycle?.some(
          ({ relation }) => relation === 'cause',
        )
      )
        count.add(['a cause in happens-before']);
    const ask = async (so: { readonly reductions?: SerialReductions }): Promise<void> => {
      const action = await checkConcurrency(program, { budget: new Budget(limits), ...so });
      count.add([`concurrency ${concurrency ?? 'too large'}: ${action.verdict}`]);
      if (concurrency && action.verdict !== 'unknown')
        expect(action.verdict, `${which} concurrency ${JSON.stringify(so)}`).toBe(concurrency);
      if (action.verdict !== 'robust') return;
      const both = verdict(tso, tso.unserialisable);
      const budget = new Budget(limits);
      const commit = await checkSerialisable(program, { budget, postingFenced, ...so });
      count.add([`serialisable ${both ?? 'too large'}: ${commit.verdict}`]);
      if (both && commit.verdict !== 'unknown')
        expect(commit.verdict, `${which} serialisable ${JSON.stringify(so)}`).toBe(both);
    };
    await ask({});
    if (i % 3 === 0) await ask({ reductions: without });
    const cyclic = verdict(tso, tso.cyclic);
    const attacked = await checkEventTso(program, { budget: new Budget(limits), postingFenced });
    const { kind } = attacked.verdict;
    count.add([`tso ${cyclic ?? 'too large'}: ${kind}`]);
    if (attacked.verdict.kind === 'not-robust')
      count.add([`an attack ends with a ${attacked.verdict.witness.end.kind}`]);
    if (cyclic && kind !== 'unknown') expect(kind, `${which} tso`).toBe(cyclic);
  }
  console.log(count.toString());
  for (const [feature, least] of [
    ['concurrency robust: robust', runs / 4],
    ['concurrency not-robust: not-robust', runs / 8],
    ['serialisable not-robust: not-robust', runs / 20],
    ['tso not-robust: not-robust', runs / 8],
    ['robust by waiting', runs / 40],
    ['a cause under SC', runs / 25],
    ['a cause under TSO', runs / 25],
    ['a cause in happens-before', runs / 100],
    ['an attack ends with a milestone', runs / 100],
    ['several candidates', runs / 50],
  ] as const)
    expect(count.get(feature), feature).toBeGreaterThanOrEqual(least);
});

test('any number of instances against two', async () => {
  const count = new FeatureCount();
  for (let i = 0; i < runs / 2; i++) {
    const random = new SeededRandom(seed + 1_000_000 + i);
    const small = randomEventProgram(random, { maxAccesses: 4, maxTasks: 3 }).program;
    const waiting = withMilestones(random, small);
    const program: EventProgram = {
      ...waiting,
      instances: waiting.instances.map((one) => ({ ...one, count: 'any' as const })),
    };
    const which = `seed ${seed + 1_000_000 + i}`;
    const action = await checkConcurrency(program, { budget: new Budget(limits) });
    const sc = enumerateEventTraces(program, 'SC', { maxStates: 3000 });
    if (action.verdict === 'robust') expect(sc.unserialisable, which).toBeUndefined();
    count.add([`concurrency: ${action.verdict}`]);
    if (sc.unserialisable) count.add(['two instances show it']);
    if (action.verdict !== 'robust') continue;
    const commit = await checkSerialisable(program, { budget: new Budget(limits) });
    const tso = enumerateEventTraces(program, 'TSO', { maxStates: 3000 });
    if (commit.verdict === 'robust') expect(tso.unserialisable, which).toBeUndefined();
    count.add([`serialisable: ${commit.verdict}`]);
  }
  console.log(count.toString());
  for (const feature of ['concurrency: robust', 'two instances show it', 'serialisable: robust'])
    expect(count.get(feature), feature).toBeGreaterThan(runs / 20);
});
