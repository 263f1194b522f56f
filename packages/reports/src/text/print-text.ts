import { unreachable } from '@fencewright/ground/base/unreachable.js';
import { headlineWords, wordsOf } from '../words/blocks.js';
import type { Block, Item, Words } from '../words/document.js';
import type { Headline } from '../words/headline.js';
import { runTable } from '../words/run.js';
import { diffLines } from './diff-lines.js';
import { paintedWord, type Palette } from './palette.js';
import { sourceExcerpt } from './source-excerpt.js';
import { renderTable } from './table.js';

/** The number of characters in a line of a table where the width of the terminal is not known. */
const usualWidth = 100;

function paintedWords(words: Words, palette: Palette): string {
  return wordsOf(words)
    .map((word) => paintedWord(word, palette))
    .join('');
}

/** Returns an answer in one line, after the title of the report. */
export function headlineLine(title: string, headline: Headline, palette: Palette): string {
  const sentence = paintedWords(headlineWords(headline), palette);
  return `${palette.strong(title)}${sentence.startsWith(':') ? '' : ' '}${sentence}`;
}

function itemLines({ words, note, blocks = [] }: Item, mark: string, palette: Palette): string[] {
  const shown = note === undefined ? '' : ` ${palette.faint(`(${note})`)}`;
  return [
    `  ${mark} ${paintedWords(words, palette)}${shown}`,
    ...blocks.flatMap((block) => blockLines(block, palette)),
  ];
}

function blockLines(block: Block, palette: Palette): readonly string[] {
  switch (block.kind) {
    case 'headline':
      return [headlineLine(block.title, block.headline, palette)];
    case 'sentence':
      return ['  '.repeat(block.level) + paintedWords(block.words, palette)];
    case 'section': {
      const { title, blocks } = block;
      const shown = typeof title === 'string' ? palette.strong(title) : paintedWord(title, palette);
      return ['', shown, ...blocks.flatMap((part) => blockLines(part, palette))];
    }
    case 'list':
      return block.items.flatMap((item, i) =>
        itemLines(item, block.isOrdered ? `${i + 1}.` : '-', palette),
      );
    case 'table':
      return renderTable(block, palette, '  ', palette.width ?? usualWidth);
    case 'run':
      return renderTable(runTable(block.run), palette, '  ', palette.width ?? usualWidth);
    case 'excerpt':
      return sourceExcerpt(block.source, block.marks, palette);
    case 'advice':
      return [`  ${palette.accent('hint:')} ${block.words}`];
    case 'change':
      return diffLines(block.diff, palette);
    default:
      return unreachable(block);
  }
}

/** Returns blocks as text for a terminal. */
export function printText(blocks: readonly Block[], palette: Palette): string {
  return `${blocks.flatMap((block) => blockLines(block, palette)).join('\n')}\n`;
}
