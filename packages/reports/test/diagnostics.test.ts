import { describe, expect, test } from 'vitest';
import { diagnosticsText, diagnosticText } from '../src/text/diagnostics.js';
import { plainPalette } from '../src/text/palette.js';
import { duplicateName, emptyInput, unknownName } from '@fencewright/ground/source/diagnostic.js';
import { ErrorList } from '@fencewright/ground/source/error-list.js';
import { LineIndex } from '@fencewright/ground/source/line-index.js';
import { spanAt, spanBetween } from '@fencewright/ground/source/span.js';
import { diagnosticToJson } from '../src/json/json-parts.js';
import { diagnosticResult } from '../src/sarif/sarif-results.js';
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

describe('a diagnostic of another file than the one that was read', () => {
  const header = { name: 'lock files/lock.h', text: 'int a;\nint lock;\n' };
  const index = new LineIndex(header.text, header);
  const span = spanBetween(index.spanOf(7, 10), index.spanOf(11, 15));
  const diagnostic = duplicateName(span, 'variable', 'lock');

  test('names it, and shows its text', () => {
    const text = diagnosticText('main.c', 'int b;\nb = 1;\n', diagnostic, plainPalette);
    expect(text).toContain("'lock files/lock.h':2:1: error FW1003");
    expect(text).toContain('  2 | int lock;\n    | ^^^^^^^^\n');
  });

  test('names it in JSON and in SARIF', () => {
    expect(diagnosticToJson(diagnostic)).toMatchObject({ file: 'lock files/lock.h', line: 2 });
    expect(diagnosticToJson(duplicateName(spanAt(0, 0, 1), 'variable', 'b'))).not.toHaveProperty(
      'file',
    );
    const { locations } = diagnosticResult({ uri: 'main.c', source: 'int b;' }, diagnostic);
    expect(locations).toMatchObject([
      { physicalLocation: { artifactLocation: { uri: 'lock%20files/lock.h' } } },
    ]);
  });

  test('stands behind those of the file that was read', () => {
    const errors = new ErrorList();
    errors.error(() => diagnostic);
    errors.error(() => duplicateName(spanAt(9, 0, 1), 'variable', 'b'));
    const files = errors.toDiagnostics().map((one) => one.span?.source?.name);
    expect(files).toEqual([undefined, header.name]);
  });
});
