import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { allMutations } from '../../../../tools/all-mutations.mjs';
import { judgeMutation, mutated, notApplied } from '../../../../tools/mutation-rules.mjs';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

test('every mutation still applies, and has a name of its own', () => {
  const names = allMutations.map(({ name }) => name);
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  const lost = allMutations.filter(
    (mutation) => mutated(readFileSync(root + mutation.file, 'utf8'), mutation) === undefined,
  );
  expect(lost.map(({ name }) => name)).toEqual([]);
});

describe('a run of mutations', () => {
  const name = 'the search sleeps';
  test.each([
    ['one that a test notices', { name }, 'wakes up', false],
    ['one that no test notices', { name }, undefined, true],
    ['one that no longer applies', { name }, notApplied, true],
    ['a known gap that no test notices', { name, gap: 'nobody looks' }, undefined, false],
    ['a known gap that a test notices', { name, gap: 'nobody looks' }, 'wakes up', true],
    ['a known gap that no longer applies', { name, gap: 'nobody looks' }, notApplied, true],
  ] as const)('with %s', (_, mutation, noticedBy, fails) => {
    const outcome = judgeMutation(mutation, noticedBy);
    expect(outcome.fails).toBe(fails);
    expect(outcome.text).toContain(name);
  });
});
