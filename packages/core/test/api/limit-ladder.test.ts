import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { decide } from '../../src/api/decide.js';
import { parseText } from '@fencewright/languages/read/parse-text.js';
import type { CheckQuestion } from '../../src/api/question.js';
import type { Model } from '@fencewright/model/program/model.js';
import { programOfSeed } from '@fencewright/reference/testing/program-of-seed.js';

const runs = randomRuns(60, 3000, 15);
const first = randomSeed(0);

/**
 * The limits on states to check with; the last is more than the number of states of any program
 * here.
 */
const ladder = [1, 4, 16, 64, 256, 1024, 4096, 16_384];

const kinds = ['threads', 'loops', 'endless', 'rmws'] as const;

const folder = new URL('../../../../examples/', import.meta.url);
const examples = readdirSync(folder).filter((name) => name.endsWith('.fw'));

const counts = { decidedLate: 0, answeredLate: 0 };

/** The kind of the verdict, and of the answer about states and claims, if there is one. */
interface Kinds {
  readonly verdict: string;
  readonly answer: string | undefined;
}

/**
 * Returns the kinds of the answer within `maxStates` states; nothing if the question is refused.
 */
async function known(
  model: Model,
  question: CheckQuestion,
  maxStates: number,
): Promise<Kinds | undefined> {
  const decided = await decide(model, question, { maxStates });
  if (decided.kind !== 'check' || !decided.result) return undefined;
  const { verdict, answer } = decided.result;
  return { verdict: verdict.kind, answer: answer?.kind };
}

/** Expects that each higher limit on states decides at least as much about the model. */
async function climb(model: Model): Promise<void> {
  for (const answers of ['brief', 'full'] as const) {
    let before: Kinds | undefined;
    for (const maxStates of ladder) {
      const about = `${answers}, ${maxStates} states`;
      const plain = await known(model, { kind: 'check', answers }, maxStates);
      const all = await known(model, { kind: 'check', answers, allAttacks: true }, maxStates);
      if (!plain || !all) return;
      // A question about all attacks gets the same verdict.
      if (plain.verdict !== 'unknown') expect(all.verdict, about).toBe(plain.verdict);
      if (before && before.verdict !== 'unknown') expect(plain.verdict, about).toBe(before.verdict);
      if (before?.verdict === 'unknown' && plain.verdict !== 'unknown') counts.decidedLate++;
      const wasAnswered = before?.answer !== undefined && before.answer !== 'unknown';
      if (wasAnswered) expect(plain.answer, about).toBe(before?.answer);
      if (before?.answer === 'unknown' && plain.answer !== 'unknown') counts.answeredLate++;
      before = plain;
    }
  }
}

describe('more states say no less, and all attacks no less than the first', () => {
  test.each(examples)('%s', async (name) => {
    const { model } = await parseText('native', readFileSync(new URL(name, folder), 'utf8'));
    if (model && model.kind !== 'events') await climb(model);
  });

  test(`${runs} random programs`, async () => {
    for (let seed = first; seed < first + runs; seed++)
      await climb({ kind: 'finite', program: programOfSeed(kinds[seed % kinds.length]!, seed) });
  });

  test('limits were narrow enough to leave verdicts and answers open', () => {
    expect(counts.decidedLate).toBeGreaterThan(runs / 4);
    expect(counts.answeredLate).toBeGreaterThan(runs / 10);
  });
});
