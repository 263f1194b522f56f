import type { Palette } from './palette.js';

/** Returns the line of a hint below an answer; no line without a hint. */
export function hintLines(hint: string | undefined, palette: Palette): string[] {
  return hint === undefined ? [] : [`  ${palette.accent('hint:')} ${hint}`];
}
