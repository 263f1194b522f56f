import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { check } from '../../../core/src/api/check.js';
import { reach } from '../../../core/src/api/reach.js';
import { libraryOf, lowered } from './fixtures.js';

function programOf(name: string) {
  const file = new URL(`../fixtures/c/programs/${name}.ll`, import.meta.url);
  const text = readFileSync(fileURLToPath(file), 'utf8');
  return lowered([{ file: name, text }, libraryOf('clang-16')], { main: name });
}

it('main reads what threads have stored to a part of a word that they exchange', async () => {
  const { sc, tso } = await reach(programOf('late-part.c'));
  for (const { failedAssertions } of [sc, tso]) expect(failedAssertions).toHaveLength(1);
});

it('executions end where a store may wait at a load of several cells', async () => {
  const { diagnostics } = await check(programOf('wide-load-reached.c'));
  const found = diagnostics.filter(({ code }) => code === 'FW3009');
  expect(found.length).toBeGreaterThan(0);
  for (const { message } of found)
    expect(message).toContain(
      "'other.both' is read with 8 bytes here and written with 4 bytes at line 12, " +
        'while a store, of line 13, may wait in the store buffer',
    );
});
