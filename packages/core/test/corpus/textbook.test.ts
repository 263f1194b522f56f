import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { describeWith } from '../../../../tools/external-program.js';
import { check } from '../../src/api/check.js';
import { decide } from '../../src/api/decide.js';
import { fence } from '../../src/api/fence.js';
import { enumerateTraces } from '@fencewright/reference/definitions/enumerate-traces.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { createNativeZ3 } from '../../src/node/z3-process.js';
import { parseCorpusFile, readRepositoryFile, type Expectation } from './load-corpus.js';
import { usualCases } from '../../../../tools/usual-cases.js';

const folder = 'examples/textbook';
const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** The programs of textbooks; most have infinitely many states. */
const files = readdirSync(root + folder)
  .filter((name) => name.endsWith('.fw'))
  .map((name) => {
    const path = `${folder}/${name}`;
    const expected = JSON.parse(
      readRepositoryFile(path.replace(/\.fw$/, '.expected.json')),
    ) as Expectation & { readonly check?: 'unknown' };
    return { path, text: readRepositoryFile(path), expected };
  });

/** Limits on states that no expected answer exceeds. */
const limits = { maxStates: 200_000 };

test('there are nine, and at most one is too much for a check without a solver', () => {
  expect(files).toHaveLength(9);
  expect(files.filter(({ expected }) => expected.check === 'unknown').length).toBeLessThanOrEqual(
    1,
  );
});

describeWith('z3', ['--version'], 'with a solver', () => {
  test.each(usualCases(files, ({ path }) => path.endsWith('/ticket-lock.fw')))(
    '$path: all are answered',
    async ({ text, expected }) => {
      const { model } = parseNative(text);
      if (!model) throw new Error('does not parse');
      const environment = { createSmtSolver: () => Promise.resolve(createNativeZ3()) };
      const answer = await decide(model, { kind: 'check' }, {}, environment);
      if (answer.kind !== 'check') throw new Error(answer.kind);
      expect(answer.result?.verdict.kind).toBe(expected.verdict);
    },
  );
});

describe.each(files)('$path', (file) => {
  const program = parseCorpusFile(file);
  const { expected } = file;

  test('a plain check answers', async () => {
    const { verdict } = await check(program, { limits });
    expect(verdict.kind).toBe(expected.check ?? expected.verdict);
  });

  test('the definitions do not contradict, as far as they are followed', () => {
    const { violation } = enumerateTraces(program, {
      maxTracedStates: 1_000,
      stopAtViolation: true,
    });
    if (violation) expect(expected.verdict).toBe('not-robust');
  });

  if (expected.fences !== undefined)
    test(`${expected.fences} fences are needed`, async () => {
      const { verdict } = await fence(program, { limits });
      expect(verdict).toMatchObject({ kind: 'found', cost: expected.fences });
    });
});
