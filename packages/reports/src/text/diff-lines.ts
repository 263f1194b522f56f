import type { Palette } from './palette.js';
import { printableText } from './source-excerpt.js';

/**
 * Returns the lines of a unified diff in the colours usual in terminals, without characters that a
 * terminal would obey.
 */
export function diffLines(diff: string, palette: Palette): string[] {
  return diff
    .trimEnd()
    .split('\n')
    .map((raw) => {
      const line = printableText(raw.replace(/\r$/, ''));
      if (line.startsWith('--- ') || line.startsWith('+++ ')) return palette.strong(line);
      if (line.startsWith('@@')) return palette.accent(line);
      if (line.startsWith('+')) return palette.good(line);
      return line.startsWith('-') ? palette.bad(line) : line;
    });
}
