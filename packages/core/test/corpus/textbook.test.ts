import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { check } from '../../src/api/check.js';
import { fence } from '../../src/api/fence.js';
import { enumerateTraces } from '../../src/definitions/enumerate-traces.js';
import { parseCorpusFile, readRepositoryFile, type Expectation } from './load-corpus.js';

const folder = 'examples/textbook';
const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** Programs as textbooks have them: most of them have infinitely many states. */
const files = readdirSync(root + folder)
  .filter((name) => name.endsWith('.fw'))
  .map((name) => {
    const path = `${folder}/${name}`;
    const expected = JSON.parse(
      readRepositoryFile(path.replace(/\.fw$/, '.expected.json')),
    ) as Expectation & { readonly check?: 'unknown' };
    return { path, text: readRepositoryFile(path), expected };
  });

/** No answer hangs on more states than these. */
const limits = { maxStates: 200_000 };

test('there are nine, and at most one is too much for a check', () => {
  expect(files).toHaveLength(9);
  expect(files.filter(({ expected }) => expected.check === 'unknown').length).toBeLessThanOrEqual(
    1,
  );
});

describe.each(files)('$path', (file) => {
  const program = parseCorpusFile(file);
  const { expected } = file;

  test('a plain check answers', async () => {
    const { verdict } = await check(program, { limits });
    expect(verdict.kind).toBe(expected.check ?? expected.verdict);
  }, 60_000);

  test('the definitions do not contradict, as far as they are followed', () => {
    const { violation } = enumerateTraces(program, {
      maxTracedStates: 1_000,
      stopAtViolation: true,
    });
    if (violation) expect(expected.verdict).toBe('not-robust');
  }, 60_000);

  if (expected.fences !== undefined)
    test(`${expected.fences} fences are needed`, async () => {
      const { verdict } = await fence(program, { limits });
      expect(verdict).toMatchObject({ kind: 'found', cost: expected.fences });
    });
});
