import { expect, test } from 'vitest';
import { check } from '../../src/api/check.js';
import { decide } from '../../src/api/decide.js';
import { programOf } from '../robustness/native-program.js';

/** Robust, as each thread accesses one cell only, and it never reaches what is asked for. */
const program = programOf(`var x, y
  thread t { x = 5000000000L; }
  thread u { local r; y = 1; r = y; assert(r == 1); }
  property p: never (x == 4)`);

// docs/language.md: engines but `search`, and certificates, have numbers of 32 bits only.
test.each(['instrument', 'single-query'] as const)(
  'the engine %s has no 64 bits',
  async (engine) => {
    const { verdict, diagnostics } = await check(program, { engine });
    expect(verdict).toMatchObject({ kind: 'unknown', reason: 'unsupported' });
    expect(diagnostics.map(({ message }) => message).join()).toContain('64 bits');
    expect((await check(program)).verdict.kind).toBe('robust');
  },
);

test('no certificate is about 64 bits', async () => {
  const model = { kind: 'finite', program } as const;
  const checked = await decide(model, { kind: 'check', certify: true });
  expect(checked).toMatchObject({ result: { verdict: { kind: 'robust' } } });
  expect(checked).toMatchObject({ uncertified: 'unsupported' });
  expect(checked).not.toHaveProperty('certificate');
  const reached = await decide(model, { kind: 'reach', certify: true });
  expect(reached).toMatchObject({ result: { tso: { properties: [{ verdict: 'holds' }] } } });
  expect(reached).toMatchObject({ uncertified: 'unsupported' });
  expect(reached).not.toHaveProperty('certificate');
});
