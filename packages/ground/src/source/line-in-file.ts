import { quoteSource } from './quote-name.js';
import type { Span } from './span.js';

/**
 * Formats the place of a span as `line 12`; if not in the main file, with the file: `line 12 of
 * ring.h`.
 */
export function lineInFile({ start, source }: Span): string {
  return `line ${start.line + 1}${source ? ` of ${quoteSource(source.name)}` : ''}`;
}
