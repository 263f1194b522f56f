import { expect, test } from 'vitest';
import { refusals, supportPage } from './support-page.js';

const all = refusals();

// To update the page: npx vitest run packages/languages/test/llvm-ir/support-page.test.ts -u
test('docs/c-support.md is what the tables and the refused programs give', async () => {
  await expect(supportPage(all)).toMatchFileSnapshot('../../../../docs/c-support.md');
});

test('most refusals say what to do', () => {
  const silent = all.filter(({ hint }) => hint === undefined);
  expect(all.length).toBeGreaterThan(30);
  expect(silent.length).toBeLessThan(all.length / 10);
});
