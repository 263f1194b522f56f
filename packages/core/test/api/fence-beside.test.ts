import { expect, test } from 'vitest';
import { finiteProgram } from '@fencewright/model/program/model.js';
import type { Program } from '@fencewright/model/program/program.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import type { TriesProof } from '../../src/api/decide-in-turns.js';
import { fence } from '../../src/api/fence.js';

/** The number of states after which a search without attacks asks other methods. */
const asksAfter = 100_000;

/**
 * Returns an array lock (Anderson, 1990) for `n` threads with different texts, after the threads in
 * `others`, which may use `x` and `y`. Tickets are not bounded, and the order of arrival is in the
 * states, so that the search does not end.
 */
function arrayLock(n: number, others = ''): Program {
  const threads = Array.from(
    { length: n },
    (_, t) => `thread t${t + 1} {
      local mine, seen;
      mine = fetch_add(tail, 1);
      while (has[mine] == 0) { }
      owner = ${t + 1};
      seen = owner;
      has[mine + 1] = 1;
    }`,
  );
  const shared = `var x, y, tail, has[${n + 1}] = {1}, owner`;
  const text = ['program p', shared, others, ...threads].join('\n');
  return finiteProgram(parseNative(text).model)!;
}

/** Returns a proof that counts its calls, and answers `answer`. */
function counted(answer: boolean): { readonly asked: number[]; readonly triesProof: TriesProof } {
  const asked: number[] = [];
  return {
    asked,
    triesProof: (about) => {
      asked.push(about.templates.threads.length);
      return Promise.resolve(answer);
    },
  };
}

test('a program that only a proof shows robust needs no fences, by one proof', async () => {
  const { asked, triesProof } = counted(true);
  const limits = { maxStates: 3 * asksAfter };
  const { verdict, statistics } = await fence(arrayLock(12), { triesProof, limits });
  expect(verdict).toMatchObject({ kind: 'found', cost: 0, repairs: [] });
  expect(asked).toEqual([12]);
  // Attempts without a search, and directed searches, have limits of their own.
  expect(statistics.states).toBeGreaterThan(asksAfter / 2);
  expect(statistics.states).toBeLessThan(2 * asksAfter);
});

test('where the proof fails, the search goes on to its limit, and asks no more', async () => {
  const { asked, triesProof } = counted(false);
  const limits = { maxStates: 3 * asksAfter };
  const { verdict, statistics } = await fence(arrayLock(12), { triesProof, limits });
  expect(verdict).toMatchObject({ kind: 'unknown', reason: 'states', bound: 0 });
  expect(asked).toEqual([12]);
  expect(statistics.states).toBeGreaterThan(2 * asksAfter);
});

test('once an attack is known, no proof is asked for, however long the search', async () => {
  const { asked, triesProof } = counted(true);
  const buffering = `thread a { local r; x = 1; r = y; }
    thread b { local r; y = 1; r = x; }`;
  const limits = { maxStates: 2 * asksAfter };
  const { verdict, statistics } = await fence(arrayLock(12, buffering), { triesProof, limits });
  expect(verdict).toMatchObject({ kind: 'unknown', reason: 'states', bound: 2 });
  expect(statistics.states).toBeGreaterThan(1.5 * asksAfter);
  expect(asked).toEqual([]);
});

test('a short search asks for no proof', async () => {
  const { asked, triesProof } = counted(false);
  const { verdict } = await fence(arrayLock(3), { triesProof });
  expect(verdict).toMatchObject({ kind: 'found', cost: 0 });
  expect(asked).toEqual([]);
});
