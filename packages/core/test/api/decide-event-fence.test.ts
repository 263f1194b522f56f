import { describe, expect, test } from 'vitest';
import { decide } from '../../src/api/decide.js';
import type { FenceQuestion } from '../../src/api/question.js';
import type { EventFencesInText, Refusal } from '../../src/api/result.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';

const handOver = `program HandOver
var x, got
event e() {
  x = 1; // the result
  async[any] p();
}
procedure p() { local b; b = x; got = b; }
events e()
`;

async function answerOf(
  source: string,
  question: Partial<FenceQuestion> = {},
): Promise<EventFencesInText | Refusal> {
  const { model, diagnostics } = parseNative(source);
  if (!model) throw new Error(JSON.stringify(diagnostics));
  const text = { format: 'native', source } as const;
  const result = await decide(model, { kind: 'fence', text, ...question });
  if (result.kind === 'refused') return result.refusal;
  if (result.kind !== 'event-fence') throw new Error(result.kind);
  return result.fences;
}

async function fencesOf(
  source: string,
  question: Partial<FenceQuestion> = {},
): Promise<EventFencesInText> {
  const answer = await answerOf(source, question);
  if ('kind' in answer) throw new Error(answer.kind);
  return answer;
}

async function isRobust(source: string): Promise<boolean> {
  const { result } = await fencesOf(source);
  return result.verdict.kind === 'found' && result.verdict.fences.length === 0;
}

describe('fences in the text of events and procedures', () => {
  test('stand before the posting, with comments and layout as they were', async () => {
    const { text, places, result } = await fencesOf(handOver);
    expect(text).toBe(handOver.replace('  async', '  fence;\n  async'));
    expect(result.asIs.criteria.tsoSerial.kind).toBe('not-robust');
    if (result.verdict.kind !== 'found') throw new Error(result.verdict.kind);
    const [fence] = result.verdict.fences;
    const place = places.find(
      ({ body, location }) => body === fence!.body && location === fence!.location,
    );
    expect(place?.positions).toEqual([{ line: 4, column: 2 }]);
    expect(await isRobust(text!)).toBe(true);
  });

  test('of a procedure are one fence, wherever it is called', async () => {
    const source = `program Shared
var x, y, a, b
event e() { x = 1; call hand(0); }
event f() { y = 1; call hand(1); }
procedure hand(which) { if (which == 0) { async[any] p(); } else { async[any] q(); } }
procedure p() { local r; r = x; a = r; }
procedure q() { local r; r = y; b = r; }
events e(), f()
`;
    const { text, result } = await fencesOf(source);
    expect(result.verdict).toMatchObject({ kind: 'found', cost: 1 });
    expect(text).toContain('procedure hand(which) { fence; if');
    expect(text!.match(/fence/g)).toHaveLength(1);
    expect(await isRobust(text!)).toBe(true);
  });

  test('stand at the end of a handler, where that is cheapest', async () => {
    const source = `program Behind
var x
event e() { x = 1; }
event f() { local r; r = x; if (r == 1) { async[any] p(); } }
event g() { local r; r = x; if (r == 1) { async[any] p(); } }
procedure p() { local r; r = x; }
events e(), f(), g()
`;
    const { text, result } = await fencesOf(source);
    expect(result.verdict).toMatchObject({ kind: 'found', cost: 1 });
    expect(text).toContain('event e() { x = 1; fence; }');
    expect(await isRobust(text!)).toBe(true);
  });

  test('at the head of a loop are as few as will do', async () => {
    const source = `program Head
var x, a
event e() {
  local i;
  x = 1;
  while (i < 2) { i = i + 1; @nofence async[any] p(); }
}
procedure p() { local r; r = x; }
events e()
`;
    const { text, result } = await fencesOf(source);
    expect(result.verdict).toMatchObject({ kind: 'found', cost: 1 });
    expect(text!.match(/\bfence;/g)).toHaveLength(1);
    expect(await isRobust(text!)).toBe(true);
  });

  test('cost what the source says, or a file', async () => {
    const priced = handOver.replace('  async', '  @cost(7) async');
    const { result } = await fencesOf(priced);
    // Before the posting is the only place between the store and the task.
    expect(result.verdict).toMatchObject({ kind: 'found', cost: 7 });
    const byLabel = handOver.replace('  async', '  hand: async');
    const text = '{"e:hand": 3, "default": 2}';
    const { result: told, costModel } = await fencesOf(byLabel, { costs: { kind: 'text', text } });
    expect(costModel).toBe('file');
    expect(told.verdict).toMatchObject({ kind: 'found', cost: 3 });
    const wrong = { kind: 'text', text: '{"e:hant": 3}' } as const;
    expect(await answerOf(byLabel, { costs: wrong })).toMatchObject({ kind: 'costs' });
  });

  test('are not needed where every posting waits', async () => {
    const { text, result } = await fencesOf(handOver, { events: { posting: 'fenced' } });
    expect(result.verdict).toMatchObject({ kind: 'found', cost: 0 });
    expect(text).toBe(handOver);
  });
});

test('a certificate is given where it is asked for and fences were found', async () => {
  const certificateOf = async (source: string, certify: boolean): Promise<unknown> => {
    const { model } = parseNative(source);
    const text = { format: 'native', source } as const;
    const result = await decide(model!, { kind: 'fence', text, certify });
    return result.kind === 'event-fence' ? result.certificate : 'none asked for';
  };
  expect(await certificateOf(handOver, true)).toMatchObject({
    kind: 'event-fences',
    against: 'both',
    postingFenced: false,
    cost: 1,
    costModel: 'size',
  });
  expect(await certificateOf(handOver, false)).toBeUndefined();
  const race = handOver.replace('async[any] p();', 'async[any] p(); x = 2;');
  expect(await certificateOf(race, true)).toBeUndefined();
});

test.each<[keyof FenceQuestion, Partial<FenceQuestion>]>([
  ['happensBefore', { happensBefore: 'value' }],
  ['mode', { mode: 'minimise' }],
  ['mode', { mode: 'any' }],
  ['costs', { costs: { kind: 'profile', seed: 1, runs: 1 } }],
  ['properties', { properties: ['p'] }],
])('%s has no meaning for events, and is refused: %j', async (wish, question) => {
  expect(await answerOf(handOver, question)).toEqual({ kind: 'not-of-events', wishes: [wish] });
});

test('what is for events only is refused for threads', async () => {
  const { model } = parseNative('program T\nvar x\nthread t { x = 1; }\n');
  expect(await decide(model!, { kind: 'fence', events: { against: 'tso' } })).toEqual({
    kind: 'refused',
    refusal: { kind: 'only-events', wishes: ['against'] },
  });
});
