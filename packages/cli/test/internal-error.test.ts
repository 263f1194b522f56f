import { afterEach, describe, expect, test, vi } from 'vitest';
import { internalErrorReport } from '../src/file-report.js';
import { internalErrorText } from '../src/internal-error.js';

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('a fault of the tool', () => {
  test('is one clear line and a request to report it, without a stack', () => {
    vi.stubEnv('FENCEWRIGHT_DEBUG', '');
    const text = internalErrorText(new Error('unexpected case 7\nand more'), 'a.fw');
    expect(text).toContain('fencewright: internal error on a.fw: unexpected case 7\n');
    expect(text).toContain('please report it');
    expect(text).not.toContain('internal-error.test');
  });

  test('shows its stack to those who debug', () => {
    vi.stubEnv('FENCEWRIGHT_DEBUG', '1');
    expect(internalErrorText(new Error('unexpected'))).toContain('internal-error.test');
  });

  test('exits 70 and is in the JSON document', () => {
    expect(internalErrorReport('a.fw', new Error('unexpected'))).toMatchObject({
      exitCode: 70,
      json: { file: 'a.fw', verdict: 'error', internalError: 'unexpected' },
    });
  });
});
