import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { libraryAssumptions, neverFails, noAddress } from '../../src/llvm-ir/assumed.js';

test('docs/c.md lists every assumption', () => {
  const page = readFileSync(new URL('../../../../docs/c.md', import.meta.url), 'utf8');
  const section = page.split('\n## What a result assumes\n')[1]!.split('\n## ')[0]!;
  const listed = [...section.matchAll(/^\| `([^`]+)`/gm)].map(([, text]) => text);
  const texts = [...Object.values(libraryAssumptions), neverFails('NAME')].map(({ text }) => text);
  expect(listed).toEqual(
    expect.arrayContaining([...texts, noAddress(7).text.replace('line 7', 'line N')]),
  );
});
