import { expect, test } from 'vitest';
import { judge } from '../src/judge.js';

test('an answer that is no program gets the message with its place and hint', async () => {
  const task = { kind: 'change', format: 'native', start: '', conditions: [] } as const;
  const text = 'program P\nvar flag\nthread t { local r; r = flga; }\n';
  const { kind, words } = await judge(task, text, { timeout: 60_000 });
  expect(kind).toBe('wrong');
  expect(words).toMatch(/^Line 3: .*flga.*\. Did you mean 'flag'\?$/);
});
