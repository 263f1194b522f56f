import { expect, it } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import { editNative } from '../../src/native/edit-native.js';
import { nativeInsertionPoints } from '../../src/native/insertion-points.js';
import { parseNative } from '../../src/native/parse-native.js';
import { repairNativeText } from '../../src/native/repair-native.js';
import type { SourceRepair } from '@fencewright/model/program/source-repair.js';
import { randomEventText, randomStructuredText } from './random-structured-text.js';

const runs = randomRuns(60, 5000, 20);
const seed = randomSeed(20261122);

/** Returns a fence for each location that allows one; the thread is the event or procedure. */
function allFences(text: string): readonly SourceRepair[] {
  const points = nativeInsertionPoints(text, { withEnds: true })!;
  return points.flatMap((own, thread) =>
    [...own.keys()].map((location) => ({ kind: 'fence', thread, location }) as const),
  );
}

function repaired(text: string, repairs: readonly SourceRepair[]): string {
  const { text: after, diagnostics } = repairNativeText(text, repairs);
  expect(diagnostics).toEqual([]);
  return after!;
}

it('fences go before and behind calls and postings, and into the body that they belong to', () => {
  const text = `program P
var x, y
event e() {
  x = 1;
  call p(y);
  async[any] p(0);
}
procedure p(n) {
  if (n == 0) { return; }
  y = n;
}
events e()
`;
  const editor = editNative(text);
  const { model } = parseNative(text);
  if (model?.kind !== 'events') throw new Error('events');
  const [event, procedure] = model.program.bodies;
  const before = (body: typeof event, kind: string): number =>
    body!.transitions.find(({ instruction }) => instruction.kind === kind)!.from;
  // The load of y belongs to the call's statement.
  expect(editor.placesOf(0, before(event, 'load'))).toEqual([{ line: 4, column: 2 }]);
  expect(editor.placesOf(0, before(event, 'call'))).toEqual([]);
  expect(editor.placesOf(0, before(event, 'post'))).toEqual([{ line: 5, column: 2 }]);
  expect(editor.placesOf(1, before(procedure, 'store'))).toEqual([{ line: 9, column: 2 }]);
  const repairs = [
    { kind: 'fence', thread: 0, location: before(event, 'post') },
    { kind: 'fence', thread: 1, location: before(procedure, 'store') },
  ] as const;
  expect(editor.repair(repairs, () => undefined).text).toBe(
    text.replace('  async', '  fence;\n  async').replace('  y = n', '  fence;\n  y = n'),
  );
});

it('events have the places that threads with the same text have', () => {
  let places = 0;
  for (let run = 0; run < runs / 2; run++) {
    const threads = randomStructuredText(seed + run).replaceAll(/@cost\([\d.]+\) /g, '');
    const asEvents = (text: string): string =>
      `${text.replaceAll(/thread (t\d) \{/g, 'event $1() {')}\nevents t0(), t1()`;
    const events = asEvents(threads);
    const fences = allFences(events);
    places += fences.length;
    expect(repaired(events, fences)).toBe(asEvents(repaired(threads, allFences(threads))));
  }
  expect(places).toBeGreaterThan(runs * 2);
});

it('what is written is read again, with a fence more', () => {
  const random = new SeededRandom(seed);
  for (let run = 0; run < runs; run++) {
    const text = randomEventText(seed + run);
    const fences = allFences(text).filter(() => random.below(3) === 0);
    const after = repaired(text, fences);
    const { diagnostics } = parseNative(after);
    expect(diagnostics, after).toEqual([]);
    const count = (words: string): number => words.match(/\bm?fence;/g)?.length ?? 0;
    expect(count(after), after).toBeGreaterThanOrEqual(count(text) + (fences.length > 0 ? 1 : 0));
    // A fence may come in place of an empty statement.
    const rest = (words: string): string => words.replaceAll(/\s|\bm?fence;|[{};]/g, '');
    expect(rest(after)).toBe(rest(text));
  }
});
