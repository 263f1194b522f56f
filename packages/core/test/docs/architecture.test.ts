import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { exportedFiles, importedFiles, wings } from '../../../../tools/wings.mjs';
import { readRepositoryFile } from '../corpus/load-corpus.js';

const packages = fileURLToPath(new URL('../../../', import.meta.url));

test.each([...wings, 'core'])('ARCHITECTURE.md describes every room of %s', (wing) => {
  const text = readRepositoryFile('ARCHITECTURE.md');
  const rooms = readdirSync(`${packages}${wing}/src`, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  expect(rooms).not.toEqual([]);
  const described = [...text.matchAll(/^\| (`.*?) \|/gm)].map(([, cell]) => cell).join(' ');
  expect(rooms.filter((name) => !new RegExp(`\`${name}(/|\`)`).test(described))).toEqual([]);
});

// To write the manifests anew: npm run generate.
test.each([...importedFiles()])('%s exports the files that others import', (wing, imported) => {
  expect(exportedFiles(wing)).toEqual(imported);
});

// Newcomers read these two first, and whole.
test.each(['README.md', 'ARCHITECTURE.md'])('%s has at most 12,000 bytes', (page) => {
  expect(Buffer.byteLength(readRepositoryFile(page))).toBeLessThanOrEqual(12_000);
});

test('the list of pages names every page', () => {
  const list = readRepositoryFile('docs/README.md');
  const pages = readdirSync(`${packages}../docs`).filter((name) => name.endsWith('.md'));
  const absent = pages.filter((name) => name !== 'README.md' && !list.includes(`](${name})`));
  expect(absent).toEqual([]);
});

test.each(wings)('%s has a page of its own', (wing) => {
  expect(existsSync(`${packages}${wing}/README.md`)).toBe(true);
});

test.each(wings)('the page of %s names things where they are exported', (wing) => {
  const page = readFileSync(`${packages}${wing}/README.md`, 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` \| `([^`]+)` \|/gm)];
  expect(rows).toHaveLength(5);
  for (const [, name = '', file = ''] of rows)
    expect(readFileSync(`${packages}${wing}/${file}`, 'utf8'), `${name} in ${file}`).toMatch(
      new RegExp(`^export (?:async )?(interface|type|class|function|const) ${name}\\b`, 'm'),
    );
  for (const [, file = ''] of page.matchAll(/`([a-z-]+\/[a-z-]+\.(?:ts|as))`/g))
    expect(existsSync(`${packages}${wing}/src/${file}`), file).toBe(true);
});

// The verifier and the reference define programs, steps and attacks anew on purpose.
test('no name is exported by two files', () => {
  const homes = new Map<string, string[]>();
  for (const wing of readdirSync(packages)) {
    if (['verifier', 'reference', 'fleet'].includes(wing)) continue;
    for (const name of readdirSync(`${packages}${wing}/src`, { recursive: true })) {
      const file = `${wing}/src/${String(name)}`;
      if (!file.endsWith('.ts')) continue;
      const exported = readFileSync(`${packages}${file}`, 'utf8').matchAll(
        /^export (?:abstract )?(?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm,
      );
      for (const [, each = ''] of exported) homes.set(each, [...(homes.get(each) ?? []), file]);
    }
  }
  expect(homes.size).toBeGreaterThan(3000);
  const several = [...homes].filter(([, files]) => new Set(files).size > 1);
  expect(Object.fromEntries(several)).toEqual({});
});
