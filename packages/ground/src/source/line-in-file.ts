import { quoteName } from './quote-name.js';
import type { Span } from './span.js';

/** `line 12`; with the file, if not the main file: `line 12 of ring.h`. */
export function lineInFile({ start, source }: Span): string {
  return `line ${start.line + 1}${source ? ` of ${quoteName(source.name)}` : ''}`;
}
