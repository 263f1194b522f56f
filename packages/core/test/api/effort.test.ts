import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { decide } from '../../src/api/decide.js';
import type { Question } from '../../src/api/question.js';
import { createWasmZ3 } from '@fencewright/ground/solvers/z3-wasm.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';

const examples = new URL('../../../../examples/', import.meta.url);

afterEach(() => {
  vi.restoreAllMocks();
});

/**
 * Replaces the clock by one that advances `milliseconds` at each look; by default the clock stands.
 */
function setClock(milliseconds: number): void {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += milliseconds));
}

/** Returns a result without its times. */
function timeless(result: unknown): unknown {
  return JSON.parse(
    JSON.stringify(result, (key, value: unknown) => {
      if (key === 'milliseconds') return undefined;
      if (value instanceof Map) return [...value];
      return typeof value === 'bigint' ? `${value}n` : value;
    }),
  );
}

async function answer(file: string, question: Question, effort?: number): Promise<unknown> {
  const source = readFileSync(new URL(file, examples), 'utf8');
  const { model } = parseNative(source);
  if (!model) throw new Error(file);
  const asked =
    question.kind === 'fence'
      ? { ...question, text: { format: 'native' as const, source } }
      : question;
  const limits = effort === undefined ? {} : { effort };
  const solver = createWasmZ3();
  return timeless(
    await decide(model, asked, limits, { createSmtSolver: () => Promise.resolve(solver) }),
  );
}

/** Returns the verdict of an answer of any kind; `none` if the answer has no verdict. */
function verdictOf(result: unknown): string {
  const text = JSON.stringify(result);
  return /"verdict":\{"kind":"([a-z-]+)"/.exec(text)?.[1] ?? 'none';
}

const asked: readonly (readonly [string, Question])[] = [
  ['peterson.fw', { kind: 'check' }],
  ['mcs-lock.fw', { kind: 'check' }],
  ['dekker.fw', { kind: 'fence' }],
  ['peterson.fw', { kind: 'reach' }],
  ['any-number/tas-spinlock.fw', { kind: 'check' }],
  ['events/listener.fw', { kind: 'check' }],
  ['c11/message-passing.fw', { kind: 'c11', model: 'c11' }],
  ['proofs/treiber-fresh-nodes.fw', { kind: 'prove' }],
];

describe('a limit on counted work', () => {
  test.each(asked)('ends %s, %j, at the same point under every clock', async (file, question) => {
    const unlimited =
      question.kind === 'prove' ? 'proved' : verdictOf(await answer(file, question));
    // A proof takes long, mostly in the solver.
    const efforts = question.kind === 'prove' ? [1, 60, 2_000] : [1, 60, 300, 2_000, 20_000];
    for (const effort of efforts) {
      setClock(0);
      const still = await answer(file, question, effort);
      setClock(1000);
      expect(await answer(file, question, effort)).toEqual(still);
      expect([unlimited, 'unknown', 'none']).toContain(verdictOf(still));
    }
  });

  test('of one step decides nothing that needs a search, and names the limit', async () => {
    for (const [file, question] of asked.slice(0, 3)) {
      const text = JSON.stringify(await answer(file, question, 1));
      expect(text).toContain('"reason":"work"');
    }
  });

  test('that is large changes no answer', async () => {
    for (const [file, question] of asked.slice(0, -1))
      expect(await answer(file, question, 1e9)).toEqual(await answer(file, question));
  });
});
