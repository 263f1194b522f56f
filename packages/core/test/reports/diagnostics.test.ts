import { describe, expect, test } from 'vitest';
import { diagnosticsText, diagnosticText } from '../../src/reports/text/diagnostics.js';
import { plainPalette } from '../../src/reports/text/palette.js';
import { duplicateName, emptyInput, unknownName } from '../../src/source/diagnostic.js';
import { spanAt } from '../../src/source/span.js';
import { source } from './store-buffering.js';

describe('a diagnostic', () => {
  test('has place, code, message, source with carets, and hint', () => {
    const diagnostic = unknownName(spanAt(4, 12, 6), 'variable', 'z', ['x', 'y']);
    expect(diagnosticText('sb.fw', source, diagnostic, plainPalette)).toMatchInlineSnapshot(`
      "sb.fw:5:13: error FW1002: no variable is named 'z'
        5 |   l1: r1 <- mem[y]; goto l2;
          |             ^^^^^^
        hint: declare the variable first
      "
    `);
  });

  test('about a whole file has no place', () => {
    const text = diagnosticText('-', '', emptyInput('write a program'), plainPalette);
    expect(text).toMatchInlineSnapshot(`
      "-: error FW1004: the input is empty
        hint: write a program
      "
    `);
  });

  test('keeps carets under what they mean behind tabs', () => {
    const diagnostic = duplicateName(spanAt(0, 2, 3), 'label', 'abc');
    const text = diagnosticText('a.fw', '\t\tabc', diagnostic, plainPalette);
    expect(text).toContain('  1 |         abc\n    |         ^^^\n');
  });

  test('shows nothing of a line that could upset a terminal, and only a part of a long one', () => {
    const line = `${'x'.repeat(500)}\u001b[2J\u0007${'y'.repeat(1_000_000)}`;
    const diagnostic = duplicateName(spanAt(0, 500, 900_000), 'label', 'abc');
    const text = diagnosticText('a.fw', line, diagnostic, plainPalette);
    expect(text.length).toBeLessThan(600);
    expect(text).toContain('xxx·[2J·yyy');
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  });

  test('outside its source does no harm', () => {
    const diagnostic = duplicateName(spanAt(99, 5, 3), 'label', 'abc');
    expect(diagnosticText('a.fw', 'x', diagnostic, plainPalette)).toContain('a.fw:100:6');
  });
});

test('a flood of diagnostics is cut', () => {
  const many = Array.from({ length: 12 }, () => emptyInput('write a program'));
  const text = diagnosticsText('a.fw', '', many, plainPalette, 10);
  expect(text.match(/FW1004/g)).toHaveLength(10);
  expect(text).toContain('a.fw: 2 more messages not shown');
});
