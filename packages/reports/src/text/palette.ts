import type { Tone, TonedText } from '../words/document.js';

/** A function that gives a text a colour, or returns the text unchanged. */
export type Paint = (text: string) => string;

/** The colours of a report, by meaning. */
export type Palette = Readonly<Record<Tone, Paint>> & {
  /** The number of characters in a line of the terminal; absent if not known. */
  readonly width?: number;
};

const asIs: Paint = (text) => text;

/** The palette without colours, for files, pipes and `NO_COLOR`. */
export const plainPalette: Palette = {
  good: asIs,
  bad: asIs,
  doubtful: asIs,
  strong: asIs,
  accent: asIs,
  faint: asIs,
};

/** Returns a word in the colour of its tone. */
export function paintedWord(word: TonedText, palette: Palette): string {
  return typeof word === 'string' ? word : palette[word.tone](word.text);
}
