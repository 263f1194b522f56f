import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { describe, expect, test } from 'vitest';
import { decide } from '../../src/api/decide.js';

/**
 * Returns a program that ends with x = 2,000,000,000, so that x + x leaves the range of 32 bits.
 */
function large(condition: string) {
  const { model } = parseNative(`program Large
var x, y
thread a { local r; x = 2000000000; r = y; }
thread b { local s; y = 1; s = x; }
property p: ${condition}
`);
  if (!model) throw new Error('the text is not a program');
  return model;
}

describe('a condition that has no value in a reachable state', () => {
  test.each([
    'never (x + x == 7)',
    'never (x + x == 7 || y == 5)',
    'finally (x * x > 0)',
    'exists (y == 1 && x + x == 0)',
  ])('is an error with its place: %s', async (condition) => {
    for (const question of [{ kind: 'reach' }, { kind: 'fence', properties: ['p'] }] as const) {
      const result = await decide(large(condition), question);
      if (result.kind !== 'refused' || result.refusal.kind !== 'condition')
        throw new Error(JSON.stringify(result));
      const [first, ...others] = result.refusal.diagnostics;
      const { code, severity, span } = first ?? {};
      expect([code, severity, span?.start.line]).toEqual(['FW3001', 'error', 4]);
      expect(first?.message).toContain("in the condition of 'p'");
      expect(others).toEqual([]);
    }
  });

  test('leaves the verdict on robustness, and its claim open', async () => {
    const model = large('never (x + x == 7)');
    const result = await decide(model, { kind: 'check', answers: 'full' });
    if (result.kind !== 'check') throw new Error(result.kind);
    expect(result.result?.verdict.kind).toBe('not-robust');
    expect(result.result?.answer).toEqual({
      ...{ kind: 'unknown', open: 'claims', why: { kind: 'faults' } },
      claims: [{ kind: 'property', property: 0 }],
    });
    expect(result.result?.diagnostics.map(({ code }) => code)).toContain('FW3001');
  });

  test('does not exist where a comparison stands before the sum', async () => {
    const result = await decide(large('never (x < 9 && x + x == 7)'), { kind: 'reach' });
    if (result.kind !== 'reach') throw new Error(result.kind);
    const [sc, tso] = [result.result.sc, result.result.tso];
    expect([sc, tso].map(({ properties: [p] }) => p?.verdict)).toEqual(['holds', 'holds']);
  });
});
