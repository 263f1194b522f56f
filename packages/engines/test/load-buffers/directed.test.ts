import { expect, test } from 'vitest';
import { reach } from '../../../core/src/api/reach.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import { LoadBufferSearch } from '../../src/load-buffers/load-buffer-search.js';
import { isSubword, letter } from '../../src/load-buffers/words.js';
import { programOf } from '../robustness/native-program.js';

/** Returns the verdict on the only property of the text. */
async function answerTo(text: string) {
  const program = programOf(text);
  const [property] = program.properties;
  return (await new LoadBufferSearch(program).decide(property!, new Budget())).kind;
}

test('subwords: letters are left out, or own ones taken for plain ones; never the other way', () => {
  const x = letter(0, 1, false);
  const mine = letter(0, 1, true);
  const y = letter(1, 2, false);
  expect(isSubword([x], [y, x])).toBe(true);
  expect(isSubword([x, y], [y, x])).toBe(false);
  expect(isSubword([x], [mine])).toBe(true);
  expect(isSubword([mine], [x])).toBe(false);
  expect(isSubword([x, x], [x])).toBe(false);
});

test('a thread reads its own store before anybody else can', async () => {
  const text = (fences: string) => `var x, y
    thread a { local r, s; loop { x = 1; r = x; ${fences} s = y; x = 0; seen: skip; } }
    thread b { local r, s; loop { y = 1; r = y; ${fences} s = x; y = 0; seen: skip; } }
    property both: never (a @ seen && b @ seen && a.r == 1 && a.s == 0 && b.r == 1 && b.s == 0)`;
  // One round of each loop suffices: a thread may load the 0 that the other thread stores at the
  // end of an earlier round.
  expect(await answerTo(text(''))).toBe('reachable');
  const once = (fence: string) => `var x, y
    thread a { local r, s; x = 1; r = x; ${fence} s = y; }
    thread b { local r, s; y = 1; r = y; ${fence} s = x; }
    property both: exists (a.r == 1 && a.s == 0 && b.r == 1 && b.s == 0)`;
  expect(await answerTo(once(''))).toBe('reachable');
  expect(await answerTo(once('fence;'))).toBe('unreachable');
});

test('a store is not overtaken by another of the same thread', async () => {
  expect(
    await answerTo(`var data, flag
      thread a { loop { data = 1; flag = 1; } }
      thread b { local r, s; loop { r = flag; s = data; if (r == 1 && s == 0) { lost: skip; } } }
      property order: never (b @ lost)`),
  ).toBe('unreachable');
});

test('an own store hides what was in memory before it', async () => {
  // Thread b writes the cell as well.
  expect(
    await answerTo(`var x
      thread a { local r, s; x = 1; r = x; s = x; }
      thread b { x = 0; }
      property back: exists (a.r == 0 && a.s == 1)`),
  ).toBe('unreachable');
  // The same question, with an older value of the cell that may still be loaded.
  expect(
    await answerTo(`var x, y
      thread a { local r, s, t; x = 1; r = x; s = x; t = y; }
      thread b { y = 1; x = 0; }
      property back: exists (a.r == 0 && a.s == 1 && a.t == 1)`),
  ).toBe('unreachable');
});

test('a pending store is read before and after what was in memory earlier', async () => {
  const text = (fence: string) => `var x, y
    thread a { local r, s, t; x = 1; r = x; s = y; t = x; ${fence} seen: }
    thread b { y = 1; }
    property pending: never (a @ seen && a.r == 1 && a.s == 1 && a.t == 1 && x == 0)`;
  expect(await answerTo(text(''))).toBe('reachable');
  expect(await answerTo(text('fence;'))).toBe('unreachable');
});

test('the value that a thread has stored last is the one that it finds', async () => {
  expect(
    await answerTo(`var x
      thread a { local r; loop { x = 1; x = 0; r = x; if (r == 1) { old: skip; } } }
      thread b { local s; loop { s = x; } }
      property last: never (a @ old)`),
  ).toBe('unreachable');
});

test('while somebody holds the bus lock, nothing reaches memory', async () => {
  expect(
    await answerTo(`var x
      thread a { loop { x = 1; x = 0; } }
      thread b { local r, s; loop { atomic { r = x; s = x; } if (r != s) { torn: skip; } } }
      property whole: never (b @ torn)`),
  ).toBe('unreachable');
});

test('nobody sees the inside of a lock block', async () => {
  expect(
    await answerTo(`var x
      thread a { loop { atomic { x = 1; x = 0; } } }
      thread b { local r; loop { r = x; if (r == 1) { inside: skip; } } }
      property closed: never (b @ inside)`),
  ).toBe('unreachable');
});

test('a thread that ends inside a lock block has ended', async () => {
  const program = programOf(`var x
    thread a { atomic { x = 1; } }
    thread b { local r; r = x; }
    property one: exists (x == 1 && b.r == 0)`);
  const [a, b] = program.threads;
  const transitions = a!.transitions.filter(({ instruction: { kind } }) => kind !== 'unlock');
  const forever = { ...program, threads: [{ ...a!, transitions }, b!] };
  const answer = await new LoadBufferSearch(forever).decide(forever.properties[0]!, new Budget());
  expect(answer.kind).toBe('reachable');
});

test('an rmw waits for the buffer, and for the bus lock', async () => {
  const text = (store: string) => `var x, y
    thread a { local r, q; loop { ${store.replace('?', 'x')}; r = y; if (r == 0) { cs: skip; } x = 0; } }
    thread b { local r, q; loop { ${store.replace('?', 'y')}; r = x; if (r == 0) { cs: skip; } y = 0; } }
    property mutex: never (a @ cs && b @ cs)`;
  expect(await answerTo(text('? = 1'))).toBe('reachable');
  expect(await answerTo(text('q = xchg(?, 1)'))).toBe('unreachable');
  expect(
    await answerTo(`var x
      thread a { local q; loop { q = xchg(x, 1); q = xchg(x, 0); } }
      thread b { local r, s; loop { atomic { r = x; s = x; } if (r != s) { torn: skip; } } }
      property whole: never (b @ torn)`),
  ).toBe('unreachable');
  // A value in memory before the rmw of another thread may still be loaded after the thread's own
  // fence.
  expect(
    await answerTo(`var x, y
      thread a { local r; x = 1; r = xchg(y, 1); }
      thread b { local r, s; r = xchg(y, 2); s = x; }
      property late: exists (b.r == 1 && b.s == 0)`),
  ).toBe('unreachable');
});

test('what a thread stores before it waits for ever is seen', async () => {
  expect(
    await answerTo(`var x
      thread a { local r; x = 1; assume (r == 1); }
      thread b { local s; s = x; if (s == 1) { seen: skip; } }
      property unseen: never (b @ seen)`),
  ).toBe('reachable');
});

test('what is still in a buffer has not reached memory', async () => {
  const text = (fence: string) => `var x
    thread a { loop { x = 1; ${fence} inside: skip; x = 0; ${fence} } }
    property announced: never (a @ inside && x == 0)`;
  expect(await answerTo(text(''))).toBe('reachable');
  expect(await answerTo(text('fence;'))).toBe('unreachable');
  // Memory holds one value at a time, whatever the buffers hold.
  expect(
    await answerTo(`var x, y
      thread a { loop { x = 1; y = 1; y = 0; x = 0; } }
      property nested: never (x == 0 && y == 1)`),
  ).toBe('unreachable');
});

test('what properties see between two local steps', async () => {
  // In turn: a thread at no label; a register with another value; a thread before its end.
  expect(
    await answerTo(`var x
      thread a { here: loop { x = 1; skip; } }
      property p: never (!(a @ here) && x == 1)`),
  ).toBe('reachable');
  const registers = (condition: string) => `var x
      thread a { local r; loop { x = 1; r = 1; r = 2; x = 0; } }
      property p: never (${condition})`;
  expect(await answerTo(registers('a.r == 1'))).toBe('reachable');
  expect(await answerTo(registers('a.r == 3'))).toBe('unreachable');
  const ends = (condition: string) => `var x
      thread a { xchg(x, 2); skip; }
      property p: never (!ended(a) && ${condition})`;
  expect(await answerTo(ends('x == 2'))).toBe('reachable');
  expect(await answerTo(ends('x == 3'))).toBe('unreachable');
});

test('each alternative of a claim counts, and one that may fault only behind the others', async () => {
  const claim = (condition: string) => `var x = 1, y
      thread a { local r; loop { r = y; here: skip; } }
      thread b { loop { x = 2; x = 1; there: skip; } }
      property p: never (${condition})`;
  expect(await answerTo(claim('x == 3 || a.r == 1 || b @ there'))).toBe('reachable');
  expect(await answerTo(claim('x == 3 || (a @ here && a.r == 1) || x == 0'))).toBe('unreachable');
  expect(await answerTo(claim('x == 1 || 2147483647 + (2 - x) == 9'))).toBe('reachable');
  expect(await answerTo(claim('x == 3 || y == 1 || 2147483645 + x == 2147483647'))).toBe(
    'reachable',
  );
  // In every state with x == 1 the first operand has no value, and so has the whole condition.
  expect(await answerTo(claim('2147483647 + x == 9 || x == 1'))).toBe('unknown');
});

test('threads that wait for each other for ever, behind any number of stores', async () => {
  const text = (fence: string, condition: string) => `var x, y, beat
    thread a { local r, go; do { beat = 1; beat = 0; havoc go in 0..1; } while (go == 0); x = 1; ${fence} r = y; assume (r == 1); }
    thread b { local r, go; do { beat = 0; beat = 1; havoc go in 0..1; } while (go == 0); y = 1; ${fence} r = x; assume (r == 1); }
    property both: stuck (${condition})`;
  const waiting = '!ended(a) && !ended(b)';
  expect(await answerTo(text('', waiting))).toBe('reachable');
  expect(await answerTo(text('fence;', waiting))).toBe('unreachable');
  // One thread may wait for ever; no state is stuck in which all threads have ended; buffers are
  // empty.
  expect(await answerTo(text('fence;', 'a.r == 0 && ended(b)'))).toBe('reachable');
  expect(await answerTo(text('', 'ended(a) && ended(b)'))).toBe('unreachable');
  expect(await answerTo(text('', '!drained(a)'))).toBe('unreachable');
  expect(await answerTo(text('', `${waiting} && x == 0`))).toBe('unreachable');
});

test('who waits for a bus lock that is held for ever is stuck, unless it stores', async () => {
  const text = (next: string) => `var x, y
    thread a { local r; atomic { r = x; assume (r == 1); } }
    thread b { local s; loop { y = 1; y = 0; here: ${next} } }
    property both: stuck (!ended(b))`;
  expect(await answerTo(text('s = y;'))).toBe('reachable');
  expect(await answerTo(text('s = cas(y, 0, 1);'))).toBe('reachable');
  expect(await answerTo(text('atomic { s = y; }'))).toBe('reachable');
  expect(await answerTo(text('skip;'))).toBe('unreachable');
  expect(await answerTo(text('fence;'))).toBe('unreachable');
});

test('whether something waits in a buffer, where buffers have no bound', async () => {
  const text = (fence: string, condition: string) => `var x, y
    thread a { loop { x = 1; ${fence} inside: skip; x = 0; ${fence} y = 1; y = 0; ${fence} } }
    property p: never (${condition})`;
  expect(await answerTo(text('', 'a @ inside && x == 0'))).toBe('reachable');
  expect(await answerTo(text('', 'a @ inside && drained(a) && x == 0'))).toBe('unreachable');
  expect(await answerTo(text('', 'a @ inside && !drained(a) && x == 1'))).toBe('reachable');
  expect(await answerTo(text('fence;', 'a @ inside && !drained(a)'))).toBe('unreachable');
  // These conditions name no location of the thread.
  expect(await answerTo(text('fence;', '!drained(a) && x == 1'))).toBe('reachable');
  expect(await answerTo(text('fence;', '!drained(a) && x == 1 && y == 1'))).toBe('unreachable');
  expect(await answerTo(text('fence;', 'drained(a) && x == 1 && y == 1'))).toBe('unreachable');
});

test('numbers without end, faults, and too many values are unknown', async () => {
  const endless = programOf(`var x
    thread a { loop { x = x + 1; } }
    property p: never (x == 200)`);
  const [property] = endless.properties;
  const search = new LoadBufferSearch(endless);
  expect(await search.decide(property!, new Budget())).toMatchObject({
    kind: 'unknown',
    reason: { kind: 'values' },
  });
  const faulty = programOf(`var x thread a { local r; loop { r = x; r = 1 / r; x = 0; } }
    property p: never (x == 1)`);
  const other = new LoadBufferSearch(faulty);
  expect(await other.decide(faulty.properties[0]!, new Budget())).toMatchObject({
    kind: 'unknown',
    reason: { kind: 'faults' },
  });
});

test('a limit on states is one', async () => {
  const program = programOf(`var x, y
    thread a { local r; loop { x = 1; fence; r = y; if (r == 0) { cs: skip; } x = 0; } }
    thread b { local r; loop { y = 1; fence; r = x; if (r == 0) { cs: skip; } y = 0; } }
    property mutex: never (a @ cs && b @ cs)`);
  const search = new LoadBufferSearch(program);
  const [property] = program.properties;
  expect(await search.decide(property!, new Budget({ maxStates: 2 }))).toEqual({
    kind: 'unknown',
    reason: 'states',
  });
  expect((await search.decide(property!, new Budget())).kind).toBe('unreachable');
});

/** A correct program that is not robust and whose buffers are unbounded. */
const polling = programOf(`var slot, head, tail, polls
  thread producer {
    local h, i;
    loop { h = head; if (h == 0) { slot = i; head = 1; i = 1 - i; } polls = 1; polls = 0; }
  }
  thread consumer {
    local t, v, want;
    loop { v = polls; t = head; if (t == 1) { v = slot; assert v == want; want = 1 - want; head = 0; } }
  }
  property once: never (producer.h == 2)`);

test('reach settles loops whose buffers grow without end', async () => {
  const { sc, tso, sameFinalStates } = await reach(polling);
  expect(sc.incomplete).toBeUndefined();
  expect(tso).toMatchObject({ incomplete: 'states', failedAssertions: [] });
  expect(tso.settledBy).toBeDefined();
  expect(tso.properties).toMatchObject([{ verdict: 'holds' }]);
  expect(sameFinalStates).toBe('yes');
});

test('reach shows an execution of an assertion that fails behind any number of stores', async () => {
  const program = programOf(`var x, y, beat
    thread a { local r; loop { beat = 1; beat = 0; x = 1; r = y; if (r == 0) { atomic { r = x; } } x = 0; } }
    thread b { local r, s; loop { beat = 0; y = 1; r = x; if (r == 0) { s = y; assert s == 1; } y = 0; } }
    property never2: never (x == 2)`);
  const { tso } = await reach(program);
  expect(tso.properties).toMatchObject([{ verdict: 'holds' }]);
});
