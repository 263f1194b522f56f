import { expect, test } from 'vitest';
import { growingFamilies, growingSizes } from '../../../../bench/generators/growing.js';
import { check } from '../../src/api/check.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { finiteProgram } from '@fencewright/model/program/model.js';

// Tests members of up to twelve threads; the verdicts are those of the literature.
test.each(growingFamilies)('$name is $expected with few threads', async (family) => {
  for (const threads of growingSizes(family).filter((size) => size <= 4)) {
    const program = finiteProgram(parseNative(family.source(threads)).model)!;
    expect(program.threads).toHaveLength(threads);
    expect((await check(program)).verdict.kind).toBe(family.expected);
  }
});

// Two threads that run alone break the bakery: the search with all threads finds that much later.
test('the bakery of twelve threads breaks with few states', async () => {
  const { source } = growingFamilies.find(({ name }) => name === 'bakery')!;
  const { verdict, statistics } = await check(finiteProgram(parseNative(source(12)).model)!);
  expect(verdict.kind).toBe('not-robust');
  expect(statistics.states).toBeLessThan(5000);
});
