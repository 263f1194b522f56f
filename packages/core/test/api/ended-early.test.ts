import { finiteProgram, type Model } from '@fencewright/model/program/model.js';
import type { Program } from '@fencewright/model/program/program.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { c11InOneLine } from '@fencewright/reports/words/c11-line.js';
import { expect, test } from 'vitest';
import { check } from '../../src/api/check.js';
import { endedEarly } from '../../src/api/ended-early.js';

/** Returns the program with accesses that are marked as those of C. */
const asFromC = (program: Program): Program => ({
  ...program,
  threads: program.threads.map((thread) => ({
    ...thread,
    transitions: thread.transitions.map((one) => ({
      ...one,
      origin: { ...one.origin, access: 'atomic' as const },
    })),
  })),
});

async function ended(text: string, isOfC: boolean, answers: 'full' | 'brief') {
  const given = finiteProgram(parseNative(text).model)!;
  const program = isOfC ? asFromC(given) : given;
  const model: Model = { kind: 'finite', program };
  const known = { kind: 'check', about: program, result: await check(program) } as const;
  const result = await endedEarly(model, { kind: 'check', answers }, known, 'memory');
  if (result.kind !== 'check' || !result.result) throw new Error(result.kind);
  return { program, result: result.result };
}

const text = 'program T var x thread a { local r; x = 1; r = x; } thread b { x = 2; }';

test('a check of C that is ended before its part about C11 says so', async () => {
  const { program, result } = await ended(text, true, 'full');
  expect(result.portable?.verdict).toEqual({ kind: 'unknown', reason: 'memory' });
  const { before, words, rest } = c11InOneLine(program, result.portable!, result);
  expect(`${before}${words}${rest}`).toBe('C11, any machine: undecided: not looked at to the end');
});

test('nothing is said about C11 that was not asked', async () => {
  expect((await ended(text, false, 'full')).result.portable).toBeUndefined();
  expect((await ended(text, true, 'brief')).result.portable).toBeUndefined();
});
