import { describe, expect, test } from 'vitest';
import { explanations } from './diagnostic-explanations.js';
import { codes, diagnosticsPage, messagesOf } from './diagnostics-page.js';

describe('docs/diagnostics.md', () => {
  // To update the page: npx vitest run packages/core/test/docs -u
  test('is what the registry and the explanations give', async () => {
    await expect(await diagnosticsPage()).toMatchFileSnapshot('../../../../docs/diagnostics.md');
  });

  test.each(codes.flatMap((code) => (explanations[code].example ? [code] : [])))(
    'the example of %s is answered with it',
    async (code) => {
      const { example } = explanations[code];
      expect(example && (await messagesOf(code, example))).toContain(code);
    },
  );
});
