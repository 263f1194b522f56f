import { quoteName, quoteSource } from '@fencewright/ground/source/quote-name.js';
import type { Diagnostic, Severity } from '@fencewright/ground/source/diagnostic.js';
import type { Span } from '@fencewright/ground/source/span.js';
import type { Tone } from '../words/document.js';
import type { Palette } from './palette.js';
import { countOf } from '@fencewright/ground/base/number-words.js';
import { adviceLines } from './print-text.js';
import { printableText, sourceExcerpt } from './source-excerpt.js';

const toneOf: Readonly<Record<Severity, Tone>> = {
  ...{ error: 'bad', warning: 'doubtful', info: 'accent' },
};

/**
 * Returns the place of a diagnostic in the format of editors and terminals: `file:line:column`,
 * from 1. `file` is the file that was read; a span can name another file.
 */
export function diagnosticPlace(file: string, diagnostic: Diagnostic): string {
  const { source, start } = diagnostic.span ?? {};
  const shown = source ? quoteSource(source.name) : quoteName(file);
  return start ? `${shown}:${start.line + 1}:${start.column + 1}` : shown;
}

/**
 * Returns the text of one diagnostic: the message in one line that tools can parse, then the source
 * with carets, then the hint. `file` and `source` are as read, see `diagnosticPlace`.
 */
export function diagnosticText(
  file: string,
  source: string | undefined,
  diagnostic: Diagnostic,
  palette: Palette,
): string {
  const { code, severity, message, hint, span, related } = diagnostic;
  const tone = toneOf[severity];
  const kind = palette[tone](`${severity} ${code}`);
  const lines = [
    `${palette.strong(diagnosticPlace(file, diagnostic))}: ${kind}: ${printableText(message)}`,
  ];
  const text = span?.source?.text ?? source;
  if (span && text !== undefined) {
    // The headline names the file of the place.
    const seen = ({
      start,
      end,
      source: other = { name: file, text: source ?? '' },
    }: Span): Span =>
      other.name === (span.source?.name ?? file) ? { start, end } : { start, end, source: other };
    const marks = [
      { span: seen(span), tone },
      ...(related ? [{ span: seen(related.span), remark: related.message, tone }] : []),
    ];
    lines.push(...sourceExcerpt(text, marks, palette));
  }
  if (hint !== undefined) lines.push(...adviceLines(printableText(hint), palette));
  return `${lines.join('\n')}\n`;
}

/**
 * Returns the text of the diagnostics of a file, at most `most` of them, and how many are left out.
 */
export function diagnosticsText(
  file: string,
  source: string | undefined,
  diagnostics: readonly Diagnostic[],
  palette: Palette,
  most = 50,
): string {
  const shown = diagnostics.slice(0, most);
  const rest = diagnostics.length - shown.length;
  const texts = shown.map((diagnostic) => diagnosticText(file, source, diagnostic, palette));
  if (rest > 0) texts.push(`${quoteName(file)}: ${countOf(rest, 'more message')} not shown\n`);
  return texts.join('');
}
