import { expect, test } from 'vitest';
import { inCampaign, isCampaign, randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import {
  enumerateEventTraces,
  eventVerdicts,
  type EventEnumerationOptions,
  type EventTraces,
  type JudgedTrace,
} from '@fencewright/reference/definitions/enumerate-event-traces.js';
import { judgeRun } from '@fencewright/model/events/judge-run.js';
import { reachEvents, type EventReachOptions } from '@fencewright/model/events/reach-events.js';
import { replayEventRun } from '@fencewright/model/events/replay-event-run.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import { eventFeatures } from '@fencewright/reference/testing/event-features.js';
import { FeatureCount } from '@fencewright/reference/testing/program-features.js';
import { randomEventProgram } from '@fencewright/reference/testing/random-event-program.js';

const runs = randomRuns(500, 5000, 60);
const seed = randomSeed(20180509);
const maxStates = inCampaign(3000, 20_000);

/** The maximum number of traces of each program that are judged and replayed. */
const looked = 4;

function memoryText(memory: ReadonlyMap<number, number>): string {
  const entries = [...memory].filter(([, value]) => value !== 0).sort(([a], [b]) => a - b);
  return entries.map(([address, value]) => `${address}=${value}`).join(' ');
}

async function finalsOf(
  program: EventProgram,
  options: EventReachOptions,
): Promise<readonly (readonly string[] | undefined)[]> {
  const { single, sc, tso } = await reachEvents(program, options);
  return [single, sc, tso].map(({ finalStates, incomplete, bounds }) =>
    incomplete || bounds.length > 0
      ? undefined
      : finalStates.map(({ memory }) => memoryText(memory)).sort(),
  );
}

/**
 * Enumerates the traces of a program. Expects of the first traces that the judge of runs agrees,
 * and that the machine can execute them.
 */
function agreeing(
  program: EventProgram,
  semantics: 'SC' | 'TSO',
  options: EventEnumerationOptions,
  which: string,
): EventTraces {
  const machine = semantics === 'SC' ? 'multi-sc' : 'multi-tso';
  let left = looked;
  const expectSame = ({ run, isSerialisable, isCyclic }: JudgedTrace): void => {
    if (left-- <= 0) return;
    const judged = judgeRun(program, run);
    expect(judged.serialisation.kind === 'serialisable', which).toBe(isSerialisable);
    expect(judged.happensBeforeCycle !== undefined, which).toBe(isCyclic);
    expect(replayEventRun(program, run, machine, options).kind, which).toBe('possible');
  };
  return enumerateEventTraces(program, semantics, { ...options, onTrace: expectSame });
}

test(`${runs} random event programs: machines, judges and theorems`, async () => {
  const count = new FeatureCount();
  for (let i = 0; i < runs; i++) {
    const random = new SeededRandom(seed + i);
    const { program, isRing } = randomEventProgram(random, { maxAccesses: 9 });
    const postingFenced = random.below(5) === 0;
    const which = `seed ${seed + i}${postingFenced ? ', postings fenced' : ''}`;
    const options = { postingFenced, maxStates };
    const sc = agreeing(program, 'SC', options, which);
    const tso = agreeing(program, 'TSO', options, which);
    const single = enumerateEventTraces(program, 'single', options);
    const features = [...eventFeatures(program), ...(isRing ? ['ring'] : [])];
    if (!sc.isComplete || !tso.isComplete || !single.isComplete) {
      count.add([...features, 'too large']);
      continue;
    }
    expect([sc.isCut, tso.isCut, single.isCut], which).toEqual([false, false, false]);
    const { concurrency, tso: happensBefore, tsoSerial } = eventVerdicts(sc, tso);
    // By [BEMR18] Theorem 1, and since SC runs are TSO runs.
    if (concurrency === 'robust' && happensBefore === 'robust')
      expect(tsoSerial, which).toBe('robust');
    if (tsoSerial === 'robust') {
      expect(concurrency, which).toBe('robust');
      expect(single.finalStates, which).toEqual(expect.arrayContaining([...tso.finalStates]));
    }
    // [BEMR18] Lemma 1.
    if (concurrency === 'robust') expect(sc.hasUnrelatedConflict, which).toBe(false);
    expect(sc.cyclic, which).toBeUndefined();
    expect(single.unserialisable, which).toBeUndefined();
    for (const isReduced of i % 4 === 0 ? [true, false] : [true])
      expect(await finalsOf(program, { postingFenced, isReduced }), which).toEqual(
        [single, sc, tso].map(({ finalStates }) => finalStates),
      );
    count.add([
      ...features,
      `concurrency ${concurrency}`,
      `tso ${happensBefore}`,
      `tso-serial ${tsoSerial}`,
      `${concurrency} ${happensBefore} ${tsoSerial}`,
      ...(postingFenced ? ['postings fenced'] : []),
      ...(single.finalStates.length === 0 ? ['blocks'] : []),
      ...(tso.finalStates.length > single.finalStates.length ? ['more final states'] : []),
    ]);
  }
  if (isCampaign) console.log(count.toString());
  for (const [feature, share] of [
    ['too large', -0.25],
    ['ring', 0.2],
    ['post to main', 0.2],
    ['post to any', 0.5],
    ['postings 2 deep', 0.1],
    ['postings 3 deep', 0.03],
    ['postings 4 deep', 0.02],
    ['event posts after storing', 0.2],
    ['procedure posts after storing', 0.08],
    ['access behind a posting', 0.03],
    ['fence', 0.3],
    ['assume', 0.1],
    ['lock', 0.03],
    ['rmw cas', 0.05],
    ['rmw xchg', 0.05],
    ['call', 0.03],
    ['register handed over', 0.05],
    ['2 equal instances', 0.03],
    ['3 equal instances', 0.02],
    ['concurrency not-robust', 0.2],
    ['robust not-robust not-robust', 0.05],
    ['not-robust robust not-robust', 0.05],
    ['robust robust robust', 0.15],
    ['more final states', 0.05],
    ['postings fenced', 0.1],
  ] as const) {
    const often = count.get(feature) / runs;
    if (share < 0) expect(often, feature).toBeLessThan(-share);
    else expect(often, feature).toBeGreaterThan(share);
  }
});

test('endless random programs: what a cut enumeration finds, the machines find', async () => {
  let compared = 0;
  let cut = 0;
  const small = Math.ceil(runs / 5);
  for (let i = 0; i < small; i++) {
    const random = new SeededRandom(seed + i);
    const { program } = randomEventProgram(random, {
      maxAccesses: 6,
      maxTasks: 4,
      endless: true,
    });
    const found = (['single', 'SC', 'TSO'] as const).map((semantics) =>
      enumerateEventTraces(program, semantics, { maxStates: 1500, cuts: { steps: 9 } }),
    );
    if (found.some(({ isCut }) => isCut)) cut++;
    const finals = await finalsOf(program, { limits: { maxStates: 1000 }, buffer: 3 });
    finals.forEach((known, semantics) => {
      if (!known) return;
      compared++;
      expect(known, `seed ${seed + i}`).toEqual(
        expect.arrayContaining([...found[semantics]!.finalStates]),
      );
      if (found[semantics]!.isComplete && !found[semantics]!.isCut)
        expect(known).toEqual(found[semantics]!.finalStates);
    });
  }
  expect(cut).toBeGreaterThan(small / 5);
  expect(compared).toBeGreaterThan(2 * small);
});
