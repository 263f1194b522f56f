import { at } from '@fencewright/ground/base/at.js';
import { isUnprintable, quoteSource } from '@fencewright/ground/source/quote-name.js';
import type { Span } from '@fencewright/ground/source/span.js';
import type { MarkedSpan } from '../words/document.js';
import type { Palette } from './palette.js';

const tabWidth = 4;
const maxLineWidth = 100;
const maxCarets = 60;

/** Returns a dot for a character that a terminal obeys or does not show. */
function printable(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (character === '\t') return ' '.repeat(tabWidth);
  return code === 0xfffd || isUnprintable(character) ? '·' : character;
}

/** Returns the text without characters that a terminal would obey. */
export function printableText(text: string): string {
  return Array.from(text, printable).join('');
}

/**
 * Returns the line as shown, and the start of each column in the shown line (one entry more than
 * the line has columns).
 */
function display(line: string): { text: string; starts: number[] } {
  let text = '';
  const starts: number[] = [];
  for (const unit of line.split('')) {
    starts.push(text.length);
    text += printable(unit);
  }
  starts.push(text.length);
  return { text, starts };
}

/**
 * Returns the first line of a span's text; the text is `source` unless the span names another file.
 */
export function sourceSnippet(source: string, span: Span): string {
  const { start, end } = span;
  const { text } = span.source ?? { text: source };
  const line = lineOfSource(text.split('\n'), start.line);
  const rest =
    start.line === end.line ? line.slice(start.column, end.column) : line.slice(start.column);
  return printableText(rest.trim());
}

/**
 * Returns a statement as written. Compilers tell only the beginning of a statement: the returned
 * text ends before the semicolon or at the end of the line.
 */
export function statementSnippet(source: string, span: Span): string {
  const { start, end } = span;
  const { text } = span.source ?? { text: source };
  if (start.line !== end.line || end.column - start.column > 1) return sourceSnippet(source, span);
  const rest = lineOfSource(text.split('\n'), start.line).slice(start.column);
  return printableText(rest.replace(/;.*$/, '').trim());
}

/** Returns the first line of a span, without indentation. */
export function lineSnippet(source: string, { start, source: file }: Span): string {
  const { text } = file ?? { text: source };
  return printableText(lineOfSource(text.split('\n'), start.line).trim());
}

/** Returns the part of a long line near `column`, and the first column of this part. */
function window(line: string, column: number): { text: string; from: number } {
  if (line.length <= maxLineWidth) return { text: line, from: 0 };
  const from = Math.max(0, Math.min(column - 30, line.length - maxLineWidth));
  return { text: line.slice(from, from + maxLineWidth), from };
}

function lineOfSource(lines: readonly string[], number: number): string {
  return (lines[number] ?? '').replace(/\r$/, '');
}

function excerptOfLine(
  lines: readonly string[],
  number: number,
  marks: readonly MarkedSpan[],
  gutter: number,
  palette: Palette,
): string[] {
  const whole = lineOfSource(lines, number);
  const firstColumn = Math.min(...marks.map((mark) => mark.span.start.column));
  const cut = window(whole, firstColumn);
  const { text, starts } = display(cut.text);
  const bar = palette.accent('|');
  const result = [
    `${palette.accent(String(number + 1).padStart(gutter))} ${bar} ${text}`.trimEnd(),
  ];
  for (const { span, remark, tone } of marks) {
    const columns = starts.length - 1;
    const from = Math.min(Math.max(0, span.start.column - cut.from), columns);
    const onOneLine = span.end.line === span.start.line;
    const to = Math.min(onOneLine ? span.end.column - cut.from : columns, columns);
    const start = at(starts, from);
    const width = Math.min(Math.max(1, at(starts, to) - start), maxCarets);
    const under = '^'.repeat(width) + (remark === undefined ? '' : ` ${remark}`);
    result.push(`${' '.repeat(gutter)} ${bar} ${' '.repeat(start)}${palette[tone](under)}`);
  }
  return result;
}

/** Returns the lines between two marked lines: at most two lines, or dots in place of more. */
function between(
  lines: readonly string[],
  previous: number,
  next: number,
  gutter: number,
  palette: Palette,
): string[] {
  const skipped = next - previous - 1;
  if (skipped > 2) return [palette.accent('.'.repeat(Math.max(3, gutter)).padStart(gutter))];
  return Array.from({ length: skipped }, (_, i) => {
    const number = previous + 1 + i;
    const { text } = display(window(lineOfSource(lines, number), 0).text);
    const head = palette.accent(String(number + 1).padStart(gutter));
    return palette.faint(`${head} ${palette.accent('|')} ${text}`.trimEnd());
  });
}

/**
 * Returns the marked lines of the source in order, with line numbers, and carets and remarks under
 * the marked places; then the marked lines of further files, under the names of the files. Tabs are
 * widened, control characters replaced, long lines cut.
 */
export function sourceExcerpt(
  source: string,
  marks: readonly MarkedSpan[],
  palette: Palette,
): string[] {
  const last = Math.max(...marks.map(({ span }) => span.start.line));
  const gutter = String(last + 1).length + 2;
  const own = marks.filter(({ span }) => !span.source);
  const others = new Map(
    marks.flatMap(({ span }) => (span.source ? [[span.source.name, span.source]] : [])),
  );
  return [
    ...excerptOfFile(source, own, gutter, palette),
    ...[...others.values()].flatMap(({ name, text }) => {
      const there = marks.filter(({ span }) => span.source?.name === name);
      const head = `${' '.repeat(gutter)} ${palette.accent(`in ${quoteSource(name)}:`)}`;
      return [head, ...excerptOfFile(text, there, gutter, palette)];
    }),
  ];
}

function excerptOfFile(
  source: string,
  marks: readonly MarkedSpan[],
  gutter: number,
  palette: Palette,
): string[] {
  const lines = source.split('\n');
  const sorted = marks.toSorted(
    (a, b) => a.span.start.line - b.span.start.line || a.span.start.column - b.span.start.column,
  );
  const result: string[] = [];
  let previous: number | undefined;
  for (const number of new Set(sorted.map((mark) => mark.span.start.line))) {
    if (previous !== undefined) result.push(...between(lines, previous, number, gutter, palette));
    const here = sorted.filter((mark) => mark.span.start.line === number);
    result.push(...excerptOfLine(lines, number, here, gutter, palette));
    previous = number;
  }
  return result;
}
