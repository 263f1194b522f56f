import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { atlasPage } from '../../../tools/atlas-site.mjs';
import { fromFragment } from '../src/share.js';

const root = new URL('../../../', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, root), 'utf8');

test('the page of the atlas has each algorithm, and links that open its programs', async () => {
  const page = await atlasPage("default-src 'none'");
  const source = read('docs/atlas/README.md');
  const names = [...source.matchAll(/^\| ([^|]+) \| [^|]+ \| (?:yes|no|open)? ?\|/gm)];
  expect(names.length).toBeGreaterThan(60);
  expect([...page.matchAll(/<th scope="row">/g)]).toHaveLength(names.length);
  const files = [...source.matchAll(/\]\(\.\.\/\.\.\/([^)]+\.fw)\)/g)].map(([, name]) => name!);
  const links = [...page.matchAll(/href="\.\/(#1\/[\w-]+)"/g)].map(([, link]) => link!);
  expect(links).toHaveLength(files.length);
  const opened = await Promise.all(links.map(fromFragment));
  expect(opened.map((one) => one?.text)).toEqual(files.map(read));
  // No link leads out of the site.
  expect(page).not.toMatch(/href="(?:\.\.|https?:)/);
});
