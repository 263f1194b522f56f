import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { frontEnds } from '@fencewright/languages/read/front-ends.js';
import { netFormats } from '@fencewright/nets/nets/net-formats.js';
import { readRepositoryFile } from '../corpus/load-corpus.js';

const folder = fileURLToPath(new URL('../../../languages/src/', import.meta.url));

test('every folder of front ends is in the registry', () => {
  const folders = readdirSync(folder).filter((name) => existsSync(`${folder}${name}/front-end.ts`));
  expect(readdirSync(folder).sort()).toEqual([...folders, 'printers', 'read', 'x86'].sort());
  expect(frontEnds.map(({ id }) => id).sort()).toEqual(folders);
});

test('no two formats share a name or the end of a file name', () => {
  const formats = [...frontEnds, ...netFormats];
  for (const told of [formats.map(({ id }) => id), formats.flatMap((one) => one.extensions)])
    expect(new Set(told).size).toBe(told.length);
});

test.each(frontEnds)('docs/formats.md has a row for $id', ({ id, extensions, print }) => {
  const rows = readRepositoryFile('docs/formats.md')
    .split('\n')
    .filter((line) => line.startsWith('|'));
  const files = extensions.map((extension) => `\`${extension}\``).join(', ');
  const written = print ? `\`${id}\`` : '';
  expect(rows.filter((row) => row.includes(`| ${files} | \`${id}\` | ${written}`))).toHaveLength(1);
});
