import type { Palette } from './palette.js';

/** Returns the lines of a section with a title; nothing if the section is empty. */
export function section(
  title: string,
  lines: readonly string[],
  palette: Palette,
): readonly string[] {
  return lines.length === 0 ? [] : ['', palette.strong(title), ...lines];
}
