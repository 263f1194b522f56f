import { plainWord, wordsOf } from '../words/blocks.js';
import type { TonedText, Words } from '../words/document.js';
import { paintedWord, type Palette } from './palette.js';

/** The least width that text is broken to; in a narrower terminal lines are cut by the terminal. */
const leastWidth = 40;

/** A part of a text, from `start` to before `end`. */
interface Part {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the parts of a text that are commands for pasting, which are not to be broken: from
 * `fencewright` to the last file name, option or value of an option in the same clause.
 */
function commandsIn(text: string): readonly Part[] {
  return [...text.matchAll(/\bfencewright [^;]*/g)].map(({ index, 0: clause }) => {
    const [last] = [...clause.matchAll(/ (?:-\S*(?: [\w.,=-]+)?|\S*['./]\S*|[A-Z]{2,}\S*)/g)].slice(
      -1,
    );
    const length = last ? last.index + last[0].length : 'fencewright'.length;
    return { start: index, end: index + length };
  });
}

/**
 * Returns the lines of a text: parts of at most `widths[i]` characters in line `i`, the last width
 * for all further lines. Lines end at blanks outside of commands only, so a line with a long name
 * is longer.
 */
function linesOf(text: string, widths: readonly [number, number]): readonly Part[] {
  const commands = commandsIn(text);
  const begins = text.search(/\S/);
  const isBreak = (at: number): boolean =>
    text[at] === ' ' && at > begins && !commands.some(({ start, end }) => start < at && at < end);
  const lines: Part[] = [];
  let start = 0;
  while (start < text.length) {
    const limit = start + widths[lines.length === 0 ? 0 : 1];
    let end = text.length;
    if (text.length > limit) {
      end = limit;
      while (end > start && !isBreak(end)) end -= 1;
      if (end === start) end = limit;
      while (end < text.length && !isBreak(end)) end += 1;
    }
    lines.push({ start, end });
    start = end;
    while (text[start] === ' ') start += 1;
  }
  return lines.length === 0 ? [{ start: 0, end: 0 }] : lines;
}

/** Returns a part of toned words. */
function sliced(words: readonly TonedText[], { start, end }: Part): readonly TonedText[] {
  let from = 0;
  return words.flatMap((word): TonedText[] => {
    const plain = plainWord(word);
    const text = plain.slice(Math.max(0, start - from), Math.max(0, end - from));
    from += plain.length;
    return text === '' ? [] : [typeof word === 'string' ? text : { ...word, text }];
  });
}

/**
 * Returns words as painted lines: `indent` stands before the first line, and as many blanks as
 * `hanging` says before the others. In a terminal, lines are broken between words where they would
 * be wider than the terminal; elsewhere the words are one line, which tools can search.
 */
export function wrappedLines(
  words: Words,
  palette: Palette,
  indent = '',
  hanging = indent.length,
): readonly string[] {
  const all = wordsOf(words);
  const paint = (line: readonly TonedText[]): string =>
    line.map((word) => paintedWord(word, palette)).join('');
  if (palette.width === undefined) return [indent + paint(all)];
  const width = Math.max(palette.width, leastWidth);
  const text = all.map(plainWord).join('');
  return linesOf(text, [width - indent.length, width - hanging]).map(
    (part, i) => (i === 0 ? indent : ' '.repeat(hanging)) + paint(sliced(all, part)),
  );
}
