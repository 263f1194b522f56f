import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { chooseSmtSolver } from '@fencewright/core/node';
import { parseText } from '@fencewright/languages/read/parse-text.js';
import { threadModel } from '@fencewright/model/program/model.js';
import { proofBesideSearch } from '../../src/api/decide-by-proof.js';
import { decide } from '../../src/api/decide.js';
import type { Environment } from '../../src/api/environment.js';
import type { CheckQuestion } from '../../src/api/question.js';

const textAt = (path: string): string =>
  readFileSync(new URL(`../../../../corpus/${path}`, import.meta.url), 'utf8');
const ticket = textAt('inference/ticket-mcs91.fw');
const openLock = textAt('inference/mcs-try.fw');

const environment: Environment = { createSmtSolver: () => Promise.resolve(chooseSmtSolver()) };

async function answer(text: string, question: Partial<CheckQuestion> = {}, maxStates?: number) {
  const { model } = await parseText('native', text);
  const limits = maxStates === undefined ? {} : { maxStates };
  return decide(model!, { kind: 'check', ...question }, limits, environment);
}

const proved = { kind: 'check', settlement: { by: 'proof', isRobust: true } };

describe('a check of any number of threads', () => {
  test('is settled by a proof where numbers grow, so that the search need not end', async () => {
    const found = await answer(ticket);
    expect(found).toMatchObject(proved);
    expect(found).not.toHaveProperty('result');
  });

  test('is settled by a proof where arrays have no bounds', async () => {
    expect(await answer(openLock)).toMatchObject(proved);
  });

  test('finds the violation first, where there is one', async () => {
    const broken = ticket.replace('fetch_add(next_ticket, 1)', 'next_ticket; next_ticket = my + 1');
    const found = await answer(broken);
    expect(found).toMatchObject({ result: { verdict: { kind: 'not-robust' } } });
    expect(found).not.toHaveProperty('settlement');
  });

  test('has no proof that the user’s limit on states leaves no room for', async () => {
    const found = await answer(ticket, {}, 1000);
    expect(found).toMatchObject({ result: { verdict: { kind: 'unknown' } } });
    expect(found).not.toHaveProperty('settlement');
  });

  test('without bounds has no certificate of a search', async () => {
    const refused = { kind: 'refused', refusal: { kind: 'only-proofs' } };
    expect(await answer(openLock, { certify: true })).toMatchObject(refused);
    expect(await answer(openLock, { searchesOnly: true })).toMatchObject(refused);
    expect(await answer(openLock, { answers: 'full' })).toMatchObject(refused);
  });

  test('takes no proof in the value notion for the standard one', async () => {
    const { model } = await parseText('native', textAt('reduction/write-r.fw'));
    const threads = threadModel(model)!;
    const ask = (happensBefore: 'standard' | 'value') =>
      proofBesideSearch(threads, { kind: 'check', happensBefore }, {}, environment);
    expect(await ask('standard')).toBeUndefined();
    expect(await ask('value')).toMatchObject(proved.settlement);
  });
});
