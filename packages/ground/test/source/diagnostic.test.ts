import { describe, expect, test } from 'vitest';
import {
  diagnosticRegistry,
  duplicateName,
  leavesDomain,
  overflow,
  unknownName,
  unreachableLabel,
} from '../../src/source/diagnostic.js';

const span = { start: { line: 4, column: 2 }, end: { line: 4, column: 5 } };

describe('diagnostics', () => {
  test('codes are numbered by family, and each has a title', () => {
    for (const [code, { title }] of Object.entries(diagnosticRegistry)) {
      expect(code).toMatch(/^FW\d{4}$/);
      expect(title).toMatch(/^[^A-Z].*[^.]$/);
    }
  });

  test('take their severity from the registry', () => {
    expect(overflow(span, 'it is too large', 'now').severity).toBe('error');
    expect(unreachableLabel(span, 't', 'l').severity).toBe('warning');
  });

  test('an unknown name is hinted at', () => {
    expect(unknownName(span, 'label', 'lp', ['lop', 'end']).hint).toBe("did you mean 'lop'?");
    expect(unknownName(span, 'label', 'lp', ['start']).hint).toBe(
      "write 'lp:' before the statement that is meant",
    );
  });

  test('lines are counted from 1 in texts, from 0 in spans', () => {
    const diagnostic = duplicateName(span, 'label', 'l', span);
    expect(diagnostic.hint).toContain('line 5');
    expect(diagnostic.span).toBe(span);
  });

  test('without a place there is no span', () => {
    expect('span' in leavesDomain(undefined, 'now')).toBe(false);
  });
});
