import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readRepositoryFile } from '../corpus/load-corpus.js';

const core = fileURLToPath(new URL('../../src/', import.meta.url));

test('ARCHITECTURE.md describes every folder of core', () => {
  const text = readRepositoryFile('ARCHITECTURE.md');
  const folders = readdirSync(core, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  const described = [...text.matchAll(/^\| (`.*?) \|/gm)].map(([, cell]) => cell).join(' ');
  expect(folders.filter((name) => !new RegExp(`\`${name}(/|\`)`).test(described))).toEqual([]);
});
