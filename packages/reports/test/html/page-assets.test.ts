import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { pageScript, pageStyle } from '../../src/html/page-assets.js';
import { buildPage, pageModule } from '../../../../tools/build-page.mjs';

test('the bundled script and style belong to their sources (node tools/build-page.mjs)', async () => {
  expect(await readFile(pageModule, 'utf8')).toBe(await buildPage());
});

test('they can stand inside their elements', () => {
  expect(pageScript).not.toMatch(/<\/script|<!--/i);
  expect(pageStyle).not.toMatch(/<\/style|@import|url\(/i);
});
