import {
  type Diagnostic,
  notSupported,
  notText,
  syntaxError,
} from '@fencewright/ground/source/diagnostic.js';
import type { Position, Span } from '@fencewright/ground/source/span.js';

/** The maximum length of a file that is accepted, in UTF-16 units. */
const longestText = 1_000_000;

/** The maximum nesting depth of brackets: the parser recurses into brackets. */
const deepestBrackets = 100;

/** Returns the position (line and column, zero-based) of `offset` in `text`. */
function positionAt(text: string, offset: number): Position {
  let line = 0;
  let start = 0;
  for (const { 0: lineBreak, index } of text.matchAll(/\r\n|\n|\r/g)) {
    if (index >= offset) break;
    line += 1;
    start = index + lineBreak.length;
  }
  return { line, column: offset - start };
}

/** Returns the error that makes parsing the text useless; `undefined` if there is none. */
export function checkText(text: string): Diagnostic | undefined {
  if (isBinary(text)) return notText();
  if (text.length > longestText)
    return notSupported(
      undefined,
      `the file is longer than ${longestText} characters`,
      'split the program',
    );
  return checkNesting(text);
}

/**
 * Whether the text contains a NUL, or consists of control or replacement characters to more than a
 * tenth: such a file is no text, or not UTF-8.
 */
function isBinary(text: string): boolean {
  const sample = text.slice(0, 100_000);
  if (sample.includes('\0')) return true;
  const strange = sample.match(/[\u0001-\u0008\u000e-\u001f\u007f\ufffd]/g)?.length ?? 0;
  return strange * 10 > sample.length;
}

/** Comments, a comment without an end, and brackets. */
const pieces = /\/\/[^\n\r]*|\/\*[\s\S]*?\*\/|\/\*|[()[\]{}]/g;

/** Returns the error of too deeply nested brackets; `undefined` if there is none. */
function checkNesting(text: string): Diagnostic | undefined {
  let depth = 0;
  for (const { 0: piece, index } of text.matchAll(pieces)) {
    if (piece === '/*') break;
    if ('([{'.includes(piece)) depth += 1;
    else if (')]}'.includes(piece)) depth -= 1;
    if (depth > deepestBrackets)
      return syntaxError(
        spanOfOffsets(text, index, 1),
        `brackets are nested more than ${deepestBrackets} deep here`,
        'split the expression or the statement',
      );
  }
  return undefined;
}

/**
 * Returns the position of the innermost unclosed `{` before `offset`; `undefined` if there is none.
 */
export function openBraceAt(text: string, offset: number): Position | undefined {
  const open: number[] = [];
  for (const { 0: piece, index } of text.slice(0, offset).matchAll(pieces)) {
    if (piece === '{') open.push(index);
    else if (piece === '}') open.pop();
  }
  const last = open.at(-1);
  return last === undefined ? undefined : positionAt(text, last);
}

/** Returns the span of `length` UTF-16 units from `offset`, all on one line. */
function spanOfOffsets(text: string, offset: number, length: number): Span {
  const start = positionAt(text, offset);
  return { start, end: { line: start.line, column: start.column + length } };
}
