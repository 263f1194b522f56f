import { describe, expect, test } from 'vitest';
import { inCampaign, isCampaign, randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { fenceEvents, type EventFenceOptions } from '../../../core/src/api/fence-events.js';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import { FeatureCount } from '@fencewright/reference/testing/program-features.js';
import { randomEventProgram } from '@fencewright/reference/testing/random-event-program.js';
import type { EventFenceVerdict } from '@fencewright/model/verdict/event-fence-result.js';
import {
  allPlaces,
  cheaperChoices,
  defined,
  withFences,
  withoutFences,
} from './fences-by-definition.js';

const runs = randomRuns(12, 1000);
const seed = randomSeed(2018);

/** The maximum number of cheaper choices of fences that are tried for one program. */
const mostChoices = inCampaign(60, 2000);

function parsed(text: string): EventProgram {
  const { model, diagnostics } = parseNative(text);
  if (model?.kind !== 'events') throw new Error(JSON.stringify(diagnostics));
  return model.program;
}

async function verdictOf(
  program: EventProgram,
  options: EventFenceOptions = {},
): Promise<EventFenceVerdict> {
  return (await fenceEvents(program, options)).verdict;
}

function found(verdict: EventFenceVerdict): Extract<EventFenceVerdict, { kind: 'found' }> {
  if (verdict.kind !== 'found') throw new Error(verdict.kind);
  return verdict;
}

/**
 * Expects, by trying all cheaper choices, that the chosen fences are sufficient and that no cheaper
 * choice is.
 */
function expectCheapest(
  program: EventProgram,
  { fences, cost }: Extract<EventFenceVerdict, { kind: 'found' }>,
  costOf: (place: { readonly body: number; readonly location: number }) => number,
  options: { readonly postingFenced?: boolean; readonly maxStates?: number },
  which: string,
): number {
  const places = allPlaces(program);
  expect(defined(withFences(program, fences), options).tsoSerial, which).toBe('robust');
  expect(
    fences.reduce((sum, place) => sum + costOf(place), 0),
    which,
  ).toBe(cost);
  let tried = 0;
  for (const choice of cheaperChoices(places.map(costOf), cost)) {
    if (tried === mostChoices) break;
    const chosen = choice.map((index) => places[index]!);
    const said = defined(withFences(program, chosen), options).tsoSerial;
    expect(said, `${which}, ${JSON.stringify(chosen)}`).toBe('not-robust');
    tried++;
  }
  return tried;
}

const stories: readonly (readonly [name: string, fences: number, text: string])[] = [
  [
    'a store waits while the handler posts a task that reads ([BEMR18] Fig. 2 left)',
    1,
    `program Fig2Left
var x, y, a, b
event e1() { x = 1; a = y; async[any] p(); }
procedure p() { y = 1; b = x; }
events e1()`,
  ],
  [
    'pixels wait while main announces them: everything on one thread, or nothing read by another',
    0,
    `program Announced
var pixels, ready, drawn
event open() { async[main] load(); }
procedure load() { pixels = 7; async[main] announce(); }
procedure announce() { ready = 1; }
event show() { local r, p; r = ready; if (r == 1) { p = pixels; drawn = p; } }
events open(), show()`,
  ],
  [
    'pixels wait in the background while the task that announces them is posted',
    1,
    `program ImagePreload
var pixels, ready, drawn
event open() { async[any] load(); }
procedure load() { pixels = 7; async[main] announce(); }
procedure announce() { ready = 1; }
event show() { local r, p; r = ready; if (r == 1) { p = pixels; drawn = p; } }
events open(), show()`,
  ],
  [
    'the setting waits while the task that saves it is posted',
    1,
    `program SettingsReadBack
var settings, disk
event change(v) { settings = v; async[any] save(); }
procedure save() { local v; v = settings; disk = v; }
events change(1)`,
  ],
  [
    'what one task on main stored waits while another handler posts who reads it',
    1,
    `program NewsGlobal
var list, shown, history, content
event searchForNews(key) { async[any] search(key); async[any] save(key); }
procedure search(key) { async[main] showList(key); }
procedure showList(result) { list = result; shown = 1; }
procedure save(key) { history = key; }
event showDetail() { local s; s = shown; if (s == 1) { async[any] download(); } }
procedure download() { local item; item = list; async[main] showContent(item); }
procedure showContent(text) { content = text; }
events searchForNews(1), showDetail()`,
  ],
  [
    'a task that looks whether the log is closed, and a handler that closes it: both have to wait',
    2,
    `program LogClose
var item, closed, pending, flushed, late
event log() { async[any] append(); }
procedure append() { item = 1; late = closed; }
event close() { closed = 1; pending = 1; }
event tick() { local p, i; p = pending; if (p == 1) { i = item; flushed = i; } }
events log(), close(), tick()`,
  ],
  [
    'a result handed over in a variable',
    1,
    `program HandOverGlobal
var x, got
event e() { x = 1; async[any] p(); }
procedure p() { local b; b = x; got = b; }
events e()`,
  ],
  [
    'two handlers leave stores behind, and one procedure that both call posts the readers',
    1,
    `program Shared
var x, y, a, b
event e() { x = 1; call hand(0); }
event f() { y = 1; call hand(1); }
procedure hand(which) { if (which == 0) { async[any] p(); } else { async[any] q(); } }
procedure p() { local r; r = x; a = r; }
procedure q() { local r; r = y; b = r; }
events e(), f()`,
  ],
  [
    'the end of a handler is a place: behind its store once, or in each handler that reads it',
    1,
    `program Behind
var x, a
event e() { x = 1; }
event f() { local r; r = x; if (r == 1) { async[any] p(); } }
event g() { local r; r = x; if (r == 1) { async[any] p(); } }
procedure p() { local r; r = x; }
events e(), f(), g()`,
  ],
  [
    'a procedure that does nothing is the one place that two handlers share',
    1,
    `program Empty
var x, y
event e() { x = 1; call pause(); async[any] p(); }
event f() { y = 1; call pause(); async[any] q(); }
procedure pause() { }
procedure p() { local r; r = x; }
procedure q() { local r; r = y; }
events e(), f()`,
  ],
  [
    'a handler posts what reads two stores that two others left behind: one fence before it does',
    1,
    `program Left
var x, y
event e() { x = 1; }
event f() { y = 1; }
event g() { local r, s; r = x; s = y; if (r == 1 && s == 1) { async[any] p(); } }
procedure p() { local r; r = x; r = y; }
events e(), f(), g()`,
  ],
];

describe('no fence helps', () => {
  const doubleClick = `program DoubleClick
var count
event click() { async[any] load(); }
procedure load() { local c; c = count; count = c + 1; }
events click() * 2`;

  test.each(['both', 'concurrency'] as const)(
    'two background tasks that count need no store buffer (%s)',
    async (against) => {
      const verdict = await verdictOf(parsed(doubleClick), { against });
      expect(verdict).toMatchObject({ kind: 'impossible', why: 'concurrency', passed: [] });
    },
  );

  test('where @nofence forbids the only places', async () => {
    const program = parsed(`program HandOver
var x, got
event e() { x = 1; @nofence async[any] p(); @nofence skip; }
procedure p() { local b; b = x; got = b; }
events e()`);
    const { kind, ...rest } = await verdictOf(program, { canFence: (body) => body > 0 });
    expect(kind).toBe('impossible');
    expect(rest).toMatchObject({ why: 'no-place', witness: { semantics: 'multi-tso' } });
  });
});

test('fences are no remedy against concurrency alone, and none are needed', async () => {
  const [, , text] = stories[0]!;
  expect(await verdictOf(parsed(text), { against: 'concurrency' })).toMatchObject({
    kind: 'found',
    cost: 0,
  });
});

test('where postings wait for the buffer, what waited for a posting needs no fence', async () => {
  const [, , text] = stories.find(([, , story]) => story.includes('program HandOver'))!;
  expect(await verdictOf(parsed(text), { postingFenced: true })).toMatchObject({ cost: 0 });
});

test('what the limits leave open is unknown, with what whatever is sufficient costs', async () => {
  const [, , text] = stories.find(([, , story]) => story.includes('program LogClose'))!;
  const { asIs } = await fenceEvents(parsed(text));
  const { statistics } = await fenceEvents(parsed(text));
  const maxStates = asIs.statistics.states + 1;
  expect(statistics.states).toBeGreaterThan(maxStates);
  const verdict = await verdictOf(parsed(text), { limits: { maxStates } });
  expect(verdict).toMatchObject({ kind: 'unknown', why: { kind: 'limit', reason: 'states' } });
  expect(verdict).toMatchObject({ bound: 1, reasons: [{}] });
});

describe('cheapest fences of programs of events', () => {
  test.each(stories)('%s: %i', async (_, fences, text) => {
    const program = parsed(text);
    const verdict = found(await verdictOf(program));
    expect(verdict.cost).toBe(fences);
    expectCheapest(program, verdict, () => 1, {}, '');
    for (const { places, witness } of verdict.reasons) {
      expect(places.length).toBeGreaterThan(0);
      expect(witness.semantics).toBe('multi-tso');
    }
  });
});

const maxStates = 3000;

/** Returns a random event program, mostly one without fences that needs fences. */
function draw(random: SeededRandom) {
  for (;;) {
    const { program: drawn, isRing } = randomEventProgram(random, { maxAccesses: 8, maxTasks: 5 });
    const program = random.below(4) === 0 ? drawn : withoutFences(drawn);
    const postingFenced = random.below(5) === 0;
    const { concurrency, tsoSerial } = defined(program, { postingFenced, maxStates });
    const needsFences = concurrency === 'robust' && tsoSerial === 'not-robust';
    if (needsFences || random.below(20) === 0) return { program, isRing, postingFenced };
  }
}

/** The shares of programs that must have certain features. */
const wanted = [
  ['repaired', 0.4],
  ['several fences', 0.05],
  ['several clauses', 0.1],
  ['over 20 choices tried', 0.1],
  ['impossible', 0.05],
  ['robust', 0.05],
] as const;

test(`the cheapest fences of ${runs} random programs are those that enumeration finds`, async () => {
  const count = new FeatureCount();
  for (let i = 0; i < runs; i++) {
    const random = new SeededRandom(seed + i);
    const { program, isRing, postingFenced } = draw(random);
    const prices = allPlaces(program).map(() => 1 + random.below(2));
    const costOf = ({ body, location }: { readonly body: number; readonly location: number }) =>
      prices[
        allPlaces(program).findIndex((place) => place.body === body && place.location === location)
      ]!;
    const which = `seed ${seed + i}${postingFenced ? ', postings fenced' : ''}`;
    const options = { postingFenced, maxStates };
    const said = defined(program, options);
    const { verdict } = await fenceEvents(program, {
      postingFenced,
      costs: {
        name: 'random',
        fence: (body, location) => costOf({ body, location }),
        xchg: () => 1,
      },
    });
    if (said.tsoSerial === 'unknown' || verdict.kind === 'unknown') {
      count.add(['unknown']);
      continue;
    }
    if (said.concurrency === 'not-robust') {
      expect(verdict, which).toMatchObject({ kind: 'impossible', why: 'concurrency' });
      count.add(['impossible']);
      continue;
    }
    const answer = found(verdict);
    expect(answer.cost > 0, which).toBe(said.tsoSerial === 'not-robust');
    const tried = expectCheapest(program, answer, costOf, options, which);
    count.add([
      answer.fences.length === 0 ? 'robust' : 'repaired',
      ...(answer.fences.length > 1 ? ['several fences'] : []),
      ...(answer.reasons.length > 1 ? ['several clauses'] : []),
      ...(isRing ? ['ring'] : []),
      ...(postingFenced ? ['postings fenced'] : []),
      ...(tried > 20 ? ['over 20 choices tried'] : []),
    ]);
  }
  if (isCampaign) console.log(count.toString());
  for (const [feature, share] of wanted)
    expect(count.get(feature), feature).toBeGreaterThanOrEqual(Math.floor(share * runs));
});
