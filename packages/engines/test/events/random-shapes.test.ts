import { expect, test } from 'vitest';
import { inCampaign, isCampaign, randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { checkEvents } from '../../../core/src/api/check-events.js';
import { fenceEvents } from '../../../core/src/api/fence-events.js';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import {
  enumerateEventTraces,
  eventVerdicts,
} from '@fencewright/reference/definitions/enumerate-event-traces.js';
import { reachEvents } from '@fencewright/model/events/reach-events.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import type { CriterionVerdict } from '@fencewright/model/verdict/event-check-result.js';
import {
  allPlaces,
  cheaperChoices,
  defined,
  withFences,
} from '../../../repairs/test/events/fences-by-definition.js';
import { randomShape, shapes, type Shape } from './random-shapes.js';

/** The number of random programs of each shape. */
const runs = randomRuns(8, 2000, 4);
const seed = randomSeed(20181123);
const maxStates = inCampaign(600, 20_000);
const limits = { maxStates: 100_000 };

function parsed(text: string): EventProgram {
  const { model, diagnostics } = parseNative(text);
  if (model?.kind !== 'events') throw new Error(text + JSON.stringify(diagnostics));
  return model.program;
}

function said(verdict: CriterionVerdict): string {
  if (verdict.kind !== 'unknown') return verdict.kind;
  const { why } = verdict;
  return `unknown (${why.kind === 'limit' ? why.reason : why.kind})`;
}

type Counts = Map<string, number>;

function add(counts: Counts, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

/**
 * Returns a random program with its enumerated traces; `undefined` if there are too many traces.
 */
function drawn(shape: Shape, number: number) {
  const random = new SeededRandom(seed + number);
  const text = randomShape(random, shape);
  const program = parsed(text);
  const postingFenced = random.below(6) === 0;
  const options = { postingFenced, maxStates, cuts: { tasks: 10 } };
  const sc = enumerateEventTraces(program, 'SC', options);
  const tso = enumerateEventTraces(program, 'TSO', options);
  const isKnown = sc.isComplete && tso.isComplete && !sc.isCut && !tso.isCut;
  const which = `seed ${seed + number}${postingFenced ? ', postings fenced' : ''}\n${text}`;
  return { program, postingFenced, options, sc, tso, isKnown, which };
}

for (const shape of shapes)
  test(`${runs} random programs of events by the definitions: ${shape}`, async () => {
    const counts: Counts = new Map();
    for (let i = 0; i < runs; i++) {
      const { program, postingFenced, options, sc, tso, isKnown, which } = drawn(shape, i);
      if (!isKnown) {
        add(counts, 'too large');
        continue;
      }
      const expected = eventVerdicts(sc, tso);
      const hasFaults = sc.hasFaults || tso.hasFaults;
      const found = {
        ...(await checkEvents(program, { limits, postingFenced })).criteria,
        tso: (await checkEvents(program, { limits, postingFenced, against: 'tso' })).criteria.tso,
      };
      for (const criterion of ['concurrency', 'tso', 'tsoSerial'] as const) {
        const [answer, truth] = [said(found[criterion]), expected[criterion]];
        add(counts, `${criterion} ${hasFaults ? 'with faults ' : ''}${truth}: ${answer}`);
        // If some execution faults, reporting the fault is an answer, too.
        if (hasFaults && (answer === 'error' || answer === 'not-asked')) continue;
        if (truth === 'unknown') expect(answer, which).not.toBe('robust');
        else if (!answer.startsWith('unknown')) expect(answer, `${criterion} ${which}`).toBe(truth);
      }
      if (hasFaults) continue;
      const single = enumerateEventTraces(program, 'single', options);
      const reached = await reachEvents(program, { postingFenced, limits });
      for (const [machine, traces] of [
        [reached.single, single],
        [reached.sc, sc],
        [reached.tso, tso],
      ] as const) {
        if (machine.incomplete || machine.bounds.length > 0) continue;
        add(counts, 'final states compared');
        const memories = machine.finalStates.map(({ memory }) =>
          [...memory]
            .filter(([, value]) => value !== 0)
            .sort(([a], [b]) => a - b)
            .map(([address, value]) => `${address}=${value}`)
            .join(' '),
        );
        expect(memories.sort(), which).toEqual(traces.finalStates);
      }
    }
    if (isCampaign)
      console.log(shape, Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1))));
    const compared = [...counts].filter(([what]) => /: (robust|not-robust)$/.test(what));
    expect(compared.reduce((sum, [, count]) => sum + count, 0)).toBeGreaterThan(runs / 3);
  });

const fenceRuns = Math.ceil(runs / 4);

test(`cheapest fences by the definitions, ${fenceRuns} of each shape`, async () => {
  const counts: Counts = new Map();
  for (const shape of shapes)
    for (let i = 0; i < fenceRuns; i++) {
      const { program, postingFenced, sc, tso, isKnown, which } = drawn(shape, 50_000 + i);
      if (!isKnown || sc.hasFaults || tso.hasFaults || sc.unserialisable || !tso.unserialisable)
        continue;
      const { verdict } = await fenceEvents(program, { limits, postingFenced });
      add(counts, `${shape}: ${verdict.kind}`);
      if (verdict.kind !== 'found') continue;
      const options = { postingFenced, maxStates: maxStates * 4 };
      const { fences, cost } = verdict;
      expect(defined(withFences(program, fences), options).tsoSerial, which).not.toBe('not-robust');
      let tried = 0;
      const places = allPlaces(program);
      for (const choice of cheaperChoices(
        places.map(() => 1),
        cost,
      )) {
        if (tried++ === 40) break;
        const chosen = withFences(
          program,
          choice.map((index) => places[index]!),
        );
        expect(defined(chosen, options).tsoSerial, which).not.toBe('robust');
      }
    }
  if (isCampaign) console.log(Object.fromEntries(counts));
  expect(counts.size).toBeGreaterThan(0);
});
