import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compareAbstraction } from '../src/strategy/compare-abstraction.js';
import { plainPalette } from '@fencewright/reports/text/palette.js';
import { proveReport } from '@fencewright/reports/text/prove.js';
import { openProgram, proveText, useSolver } from './proving.js';

const folder = new URL('../../../corpus/reduction/', import.meta.url).pathname;
const corpus = (name: string) => readFileSync(`${folder}${name}.fw`, 'utf8');

function compare(text: string, options: { copies?: number; maxStates?: number } = {}) {
  return compareAbstraction(openProgram(text), { maxStates: 50_000, limits: {}, ...options });
}

describe('the shared states of an abstraction', () => {
  // Abstracted loads make a thread at most repeat its loop, or fail at a later cas or load, which
  // changes no memory.
  it.each(['mcs-lock', 'dc-locking', 'dc-locking-weak', 'inline-pgsql'])(
    '%s: the same',
    async (name) => {
      const found = await compare(corpus(name));
      expect(found).toMatchObject({ kind: 'same', copies: 3 });
      expect(found.values).toBeUndefined();
    },
  );

  it('of double-checked locking: neither, the lock, both, the object', async () => {
    expect(await compare(corpus('dc-locking'))).toEqual({ kind: 'same', copies: 3, states: 4 });
  });

  it('of an exchanged lock that may seem to be taken: the same', async () => {
    // The version grows for ever: as far as the numbers -1 to 2 go.
    const found = await compare(corpus('nbw-w-lr-rl-ttas'), { maxStates: 20_000 });
    expect(found).toMatchObject({ kind: 'same', values: { low: -1, high: 2 } });
  });

  it('of a lock that is tried once are more: both may find it taken', async () => {
    const text = `program P var l, n
      thread a { local r; r = weak_cas(l, 0, 1); if (r == 0) { fetch_add(n, 1); } }
      thread b { local r; r = weak_cas(l, 0, 1); if (r == 0) { fetch_add(n, 1); } }`;
    // With cas, three states: the start, the lock taken by one thread, and then n counted by the
    // other thread. With weak_cas, two more: the lock free with one failure or with two failures
    // counted.
    expect(await compare(text)).toMatchObject({ kind: 'more', states: 3, more: 2 });
  });

  it('of Chase and Lev are more: a task is taken without moving H, and its place used again', async () => {
    const found = await compare(corpus('chase-lev'), { maxStates: 5_000 });
    expect(found).toMatchObject({ kind: 'more', isLowerBound: true, values: { low: -1 } });
    // The second task is 1; with loads it goes to items[1], as H was moved when items[0] was taken.
    if (found.kind === 'more')
      expect(found.example).toContainEqual({ name: 'items[0]', value: '1' });
  });

  // x is 0 or 1; a thread that reads 7 stores to y.
  const guess = (condition: string, head = 'var x, y') => `program P ${head}
    thread a { x = 1; }
    thread b { local r; havoc r with ${condition}; if (r == 7) { y = 1; } }`;

  it('are counted', async () => {
    expect(await compare(guess('r == x'))).toEqual({ kind: 'same', states: 2 });
    expect(await compare(guess('r == x || r == 6'))).toEqual({ kind: 'same', states: 2 });
    // y = 1 before and after x = 1.
    expect(await compare(guess('r == x || r == 7'))).toEqual({
      kind: 'more',
      states: 2,
      more: 2,
      isLowerBound: false,
      example: [
        { name: 'x', value: '0' },
        { name: 'y', value: '1' },
      ],
    });
    expect(await compare(guess('r == x || r == 7 && x == 1'))).toMatchObject({ more: 1 });
  });

  it('are not called the same if not all guesses were tried', async () => {
    // 7 is never tried, and would be found.
    expect(await compare(guess('r >= x'))).toMatchObject({ kind: 'not-compared' });
    // The domain contains this value, and no other suitable value.
    expect(await compare(guess('r >= x', 'domain 0..7 var x, y'))).toMatchObject({
      kind: 'more',
      more: 2,
      isLowerBound: false,
    });
    expect(await compare(guess('r >= x', 'domain 0..6 var x, y'))).toMatchObject({ kind: 'same' });
  });

  it('are not compared where a search ends early, or in faults', async () => {
    expect(await compare(corpus('mcs-lock'), { maxStates: 20 })).toMatchObject({
      kind: 'not-compared',
    });
    const far = `program P var x, a[*]
      thread t { local r; havoc r with r == x || r == 0; a[1000] = 1; }`;
    expect(await compare(far)).toMatchObject({ kind: 'not-compared' });
  });
});

describe('the report of a proof', () => {
  const solver = useSolver();

  it('says it, with abstractions that were written and those that were found', async () => {
    const text = corpus('dc-locking');
    const plain = text.replace('havoc r1 with r1 == p || r1 == 0;', 'r1 = p;');
    expect(plain).not.toContain('havoc');
    for (const each of [text, plain]) {
      const { result } = await proveText(each, { solver, infer: true });
      expect(result.comparison).toEqual({ kind: 'same', copies: 3, states: 4 });
      const subject = { file: 'p.fw', program: openProgram(each) };
      expect(proveReport(subject, result, plainPalette)).toContain(
        'with 3 copies of t, the abstraction reaches exactly the same 4 shared states under SC',
      );
    }
  });

  it('says so of more, and nothing where there is no abstraction', async () => {
    const text = corpus('chase-lev');
    const { result } = await proveText(text, { solver, limits: { maxStates: 5_000 } });
    const subject = { file: 'p.fw', program: openProgram(text) };
    expect(proveReport(subject, result, plainPalette)).toMatch(
      /where only -1 to \d is stored, the abstraction reaches at least \d+ more than \d+ shared states under SC, for example H = /,
    );
    const other = await proveText(corpus('spinlock'), { solver });
    expect(other.result.comparison).toBeUndefined();
  });
});
