import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { chooseSmtSolver } from '@fencewright/core/node';
import { parseText } from '@fencewright/languages/read/parse-text.js';
import { decide } from '../../src/api/decide.js';
import type { Environment } from '../../src/api/environment.js';
import type { CheckQuestion } from '../../src/api/question.js';
import type { ResultOf } from '../../src/api/result.js';

const environment: Environment = { createSmtSolver: () => Promise.resolve(chooseSmtSolver()) };

async function checked(
  text: string,
  question: Partial<CheckQuestion> = {},
): Promise<ResultOf<'check'>> {
  const { model } = await parseText('native', text);
  const asked = { kind: 'check', answers: 'brief', ...question } as const;
  const result = await decide(model!, asked, {}, environment);
  if (result.kind !== 'check') throw new Error(`no answer, but ${result.kind}`);
  return result;
}

/** Returns a ticket lock. Only the holder of the lock executes the statements `inside`. */
const ticketLock = (inside: string, claims = ''): string => `program Ticket
var next, serving, inside
thread t[*] {
  local my;
  my = fetch_add(next, 1);
  while (serving != my) { }
  ${inside}
  serving = my + 1;
}
${claims}`;

const openLock = `program OpenLock
var lock, data[*]
thread t[*] {
  local got, v;
  loop {
    do { spin: got = xchg(lock, 1); } while (got != 0);
    cs: v = data[v];
    data[v] = v + 1;
    lock = 0;
  }
}
property one: never (t[0] @ cs && t[1] @ cs)`;

const holds = { kind: 'robust' };

test('a proof of robustness does not depend on claims that are not asked for', async () => {
  const lock = readFileSync(
    new URL('../../../../corpus/inference/mcs-try.fw', import.meta.url),
    'utf8',
  );
  const { model } = await parseText(
    'native',
    `${lock.replace('if (ok)', 'L9: if (ok)')}
    property one: never (t[0] @ L9 && t[1] @ L9 && t[0].ok == 1 && t[1].ok == 1)`,
  );
  const found = await decide(model!, { kind: 'prove', infer: true }, {}, environment);
  expect(found).toMatchObject({ result: { verdict: { kind: 'proved' } } });
});

describe('a check of any number of copies', () => {
  test('proves an assertion for which no search ends', async () => {
    const { result, settlement } = await checked(
      ticketLock('inside = 1; assert (inside == 1); inside = 0;'),
    );
    expect(result).toBeUndefined();
    expect(settlement).toMatchObject({ by: 'proof', isRobust: true, claims: { answer: holds } });
  });

  test('proves mutual exclusion that the search leaves open', async () => {
    const { result, settlement } = await checked(
      ticketLock('cs: inside = 1; inside = 0;', 'property mutex: never (t[0] @ cs && t[1] @ cs)'),
    );
    expect(result).toMatchObject({ verdict: { kind: 'robust' }, answer: holds });
    expect(settlement).toMatchObject({
      by: 'proof-of-claims',
      result: { properties: [{ name: 'mutex', verdict: 'holds' }] },
    });
  });

  test('proves a claim where arrays have no bounds, and no search can treat the program', async () => {
    const { result, settlement } = await checked(openLock);
    expect(result).toBeUndefined();
    expect(settlement).toMatchObject({ by: 'proof', isRobust: true, claims: { answer: holds } });
  });

  test('leaves a false claim open where no search can treat the program', async () => {
    const { settlement } = await checked(openLock.replace('t[1] @ cs', 't[1] @ spin'));
    const answer = { kind: 'unknown', open: 'claims', why: { kind: 'no-proof' } };
    expect(settlement).toMatchObject({ by: 'proof', isRobust: true, claims: { answer } });
  });

  test('finds an assertion that fails without store buffers, and proves nothing', async () => {
    const { settlement } = await checked(
      ticketLock('inside = 1; assert (inside == 0); inside = 0;'),
    );
    expect(settlement).toMatchObject({
      by: 'proof',
      claims: { answer: { kind: 'wrong-under-sc' } },
    });
  });

  test('leaves a false claim open that fails for more copies than are searched', async () => {
    const { result } = await checked(
      ticketLock('inside = 1; inside = 0;', 'property few: never (next == 5)'),
    );
    expect(result).toMatchObject({ verdict: { kind: 'robust' } });
    expect(result?.answer?.kind).not.toBe('robust');
  });

  // The store before the end may be delayed, so TSO reaches the end with the old value.
  test('leaves a claim open that robustness does not carry from SC to TSO', async () => {
    const { result } = await checked(
      ticketLock(
        'inside = my + 1; out: ;',
        'property late: never (t[0] @ out && t[0].my + 1 > inside)',
      ),
    );
    expect(result).toMatchObject({ verdict: { kind: 'robust' } });
    expect(result?.answer?.kind).not.toBe('robust');
  });

  // Proofs observe no thread inside of a lock block: nothing would ever be at the assertion.
  test('proves no assertion inside of a lock block', async () => {
    const { result, settlement } = await checked(`program Block
      var next, x
      thread t[*] { local a, b; a = fetch_add(next, 1); atomic { b = x; assert (b < 9); x = b + 1; } }`);
    const answer = result?.answer ?? (settlement?.by === 'proof' && settlement.claims?.answer);
    expect(answer).toMatchObject({ kind: 'unknown', open: 'claims' });
  });

  test('has no proof where only a search may answer', async () => {
    const mutex = ticketLock(
      'cs: inside = 1; inside = 0;',
      'property mutex: never (t[0] @ cs && t[1] @ cs)',
    );
    const { result, settlement } = await checked(mutex, { searchesOnly: true });
    expect(result).toMatchObject({ answer: { kind: 'unknown', open: 'claims' } });
    expect(settlement).toBeUndefined();
  });
});
