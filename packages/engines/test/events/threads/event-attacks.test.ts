import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../../tools/random-runs.js';
import { at } from '@fencewright/ground/base/at.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import { attacksByDefinition } from '@fencewright/reference/definitions/attacks-by-definition.js';
import { enumerateEventTraces } from '@fencewright/reference/definitions/enumerate-event-traces.js';
import { defaultBounds } from '../../../src/events/threads/bounds.js';
import { checkEventTso } from '../../../src/events/threads/check-event-tso.js';
import { lowerEvents } from '../../../src/events/threads/lower.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import type { EventAttack } from '@fencewright/model/verdict/event-check-result.js';
import { FeatureCount } from '@fencewright/reference/testing/program-features.js';
import { eventInstructionText } from '@fencewright/reports/words/event-words.js';
import { eventText } from './event-text.js';
import { randomTasks } from './random-tasks.js';

const runs = randomRuns(120, 5000);
const seed = randomSeed(20210316);

/** Returns the verdict on each attack, such as `e: x = 1 > r = y: feasible`. */
async function attacksOf(text: string, postingFenced = false): Promise<readonly string[]> {
  const program = eventText(text);
  const options = { budget: new Budget(), allAttacks: true, postingFenced };
  const { attacks = [] } = await checkEventTso(program, options);
  return attacks.map(({ store, end, verdict }) => {
    const [first, last] = [store, end.site].map((site) => eventInstructionText(program, site));
    const place = at(program.bodies, store.body).name;
    return `${place}: ${first} > ${last}: ${verdict}`;
  });
}

describe('attacks in the terms of the text', () => {
  test('a posting that overtakes a store, a load that does not, and a fence between', async () => {
    const text = `
      event e() { local r; x = 1; async[any] p(); fence; r = y; }
      procedure p() { local r; r = x; }
      events e()`;
    expect(await attacksOf(text)).toEqual([
      'e: x = 1 > async[any] p(): feasible',
      'e: x = 1 > r = y: by-cfg',
    ]);
    expect(await attacksOf(text, true)).toEqual([
      'e: x = 1 > async[any] p(): by-cfg',
      'e: x = 1 > r = y: by-cfg',
    ]);
  });

  test('main delays across handlers', async () => {
    const text = `
      event put() { x = 1; }
      event look() { local r; r = y; }
      event start() { async[any] p(); }
      procedure p() { local r; y = 1; fence; r = x; }
      events put(), look(), start()`;
    expect(await attacksOf(text)).toEqual([
      'put: x = 1 > r = y: feasible',
      'put: x = 1 > async[any] p(): feasible',
      'p: y = 1 > r = x: by-cfg',
    ]);
  });

  test('one instance of a place is enough', async () => {
    // q is wrong only as a task of its own, beside another task.
    const text = `
      event e() { async[any] p(); async[any] p(); fence; call q(0); }
      procedure p() { call q(1); }
      procedure q(both) { local r; if (both == 1) { x = 1; } else { y = 1; } r = y; r = x; }
      events e()`;
    const found = await attacksOf(text);
    expect(found).toContain('q: y = 1 > r = x: feasible');
    expect(found.some((line) => line.endsWith('infeasible'))).toBe(true);
  });

  test('with one thread nobody notices', async () => {
    const text = 'event e() { local r; x = 1; r = y; }\nevents e() *';
    expect(await attacksOf(text)).toEqual(['e: x = 1 > r = y: infeasible']);
  });

  test('behind a bound nothing but what is feasible is known', async () => {
    const text = `
      event e() { async[any] p(); }
      procedure p() { local r; x = 1; r = y; fence; r = x; }
      events e() *`;
    expect(await attacksOf(text)).toEqual([
      'p: x = 1 > r = y: unknown',
      'p: x = 1 > r = x: unknown',
    ]);
  });
});

/**
 * Returns the feasible pairs of places, by deciding each attack of the threads by [BDM13] Def. 1.
 */
function byDefinition(program: EventProgram, postingFenced: boolean) {
  const { program: threads, meanings } = lowerEvents(program, defaultBounds, postingFenced);
  const { feasible, complete } = attacksByDefinition(threads, 4000);
  const placeOf = (thread: number, transition: number): string => {
    const meaning = at(at(meanings, thread), transition);
    return 'site' in meaning && meaning.site
      ? `${meaning.site.body}.${meaning.site.transition}`
      : 'nowhere';
  };
  const pairs = feasible.map(
    ({ thread, store, load }) => `${placeOf(thread, store)} ${placeOf(thread, load)}`,
  );
  return complete ? [...new Set(pairs)].sort() : undefined;
}

test(`all attacks of ${runs} random event programs, one by one by the definition`, async () => {
  const random = new SeededRandom(seed);
  const count = new FeatureCount();
  for (let run = 0; run < runs; run++) {
    const program = randomTasks(random);
    const postingFenced = run % 8 === 7;
    const traces = enumerateEventTraces(program, 'TSO', { postingFenced, maxStates: 150 });
    const expected = traces.isComplete ? byDefinition(program, postingFenced) : undefined;
    if (!expected) {
      count.add(['too large']);
      continue;
    }
    const { attacks = [], verdict } = await checkEventTso(program, {
      budget: new Budget(),
      allAttacks: true,
      postingFenced,
    });
    const text = JSON.stringify({ run, postingFenced, program });
    const found = attacks.flatMap(({ store, end: { site }, verdict: each }) =>
      each === 'feasible'
        ? [`${store.body}.${store.transition} ${site.body}.${site.transition}`]
        : [],
    );
    expect([...found].sort(), text).toEqual(expected);
    expect(verdict.kind === 'not-robust', text).toBe(found.length > 0);
    expect(traces.cyclic !== undefined, text).toBe(found.length > 0);
    const wanted = attacks.findLast((each) => each.verdict === 'feasible');
    if (wanted && found.length > 1) {
      // `checkEventTso` throws unless the run of the wanted attack can be replayed and has a cycle.
      const isWanted = ({ store, end: { site } }: EventAttack): boolean =>
        JSON.stringify([store, site]) === JSON.stringify([wanted.store, wanted.end.site]);
      const options = { budget: new Budget(), allAttacks: true, postingFenced, shows: isWanted };
      const shown = await checkEventTso(program, options);
      if (shown.verdict.kind !== 'not-robust') expect.fail(text);
      const { store, end } = shown.verdict.witness;
      expect({ store, end }, text).toEqual({ store: wanted.store, end: wanted.end });
    }
    count.add([
      'decided',
      ...new Set(attacks.map(({ verdict: each, end }) => `${each} ${end.kind}`)),
      ...(attacks.some(({ store, end }) => store.body !== end.site.body) ? ['across bodies'] : []),
      ...(found.length > 1 ? ['several feasible'] : []),
    ]);
  }
  console.log(count.toString());
  for (const feature of [
    'feasible load',
    'feasible posting',
    'infeasible load',
    'several feasible',
  ])
    expect(count.get(feature), feature).toBeGreaterThan(runs / 100);
  expect(count.get('decided')).toBeGreaterThan(runs / 4);
});
