import { unreachable } from '@fencewright/ground/base/unreachable.js';
import { headlineWords, plainWord, wordsOf } from '../words/blocks.js';
import type { Block, Item, Words } from '../words/document.js';
import type { Headline } from '../words/headline.js';
import { runTable } from '../words/run.js';
import { diffLines } from './diff-lines.js';
import { paintedWord, type Palette } from './palette.js';
import { sourceExcerpt } from './source-excerpt.js';
import { renderTable } from './table.js';
import { wrappedLines } from './wrap-words.js';

/** The number of characters in a line of a table where the width of the terminal is not known. */
const usualWidth = 100;

/** The number of blanks before the further lines of a sentence, besides those of the sentence. */
const hanging = 2;

function paintedWords(words: Words, palette: Palette): string {
  return wordsOf(words)
    .map((word) => paintedWord(word, palette))
    .join('');
}

/** Returns an answer after the title of the report. */
function headlineWithTitle(title: string, headline: Headline): Words {
  const sentence = wordsOf(headlineWords(headline));
  const isJoined = sentence.map(plainWord).join('').startsWith(':');
  return [{ text: title, tone: 'strong' }, isJoined ? '' : ' ', ...sentence];
}

/** Returns an answer in one line, after the title of the report. */
export function headlineLine(title: string, headline: Headline, palette: Palette): string {
  return paintedWords(headlineWithTitle(title, headline), palette);
}

function itemLines({ words, note, blocks = [] }: Item, mark: string, palette: Palette): string[] {
  const shown: Words = note === undefined ? [] : [' ', { text: `(${note})`, tone: 'faint' }];
  return [
    ...wrappedLines([...wordsOf(words), ...shown], palette, `  ${mark} `),
    ...blocks.flatMap((block) => blockLines(block, palette)),
  ];
}

function blockLines(block: Block, palette: Palette): readonly string[] {
  switch (block.kind) {
    case 'headline':
      return wrappedLines(headlineWithTitle(block.title, block.headline), palette, '', hanging);
    case 'sentence': {
      const indent = '  '.repeat(block.level);
      return wrappedLines(block.words, palette, indent, indent.length + hanging);
    }
    case 'section': {
      const { title, blocks } = block;
      const shown = typeof title === 'string' ? ({ text: title, tone: 'strong' } as const) : title;
      return [
        '',
        ...wrappedLines(shown, palette, '', hanging),
        ...blocks.flatMap((part) => blockLines(part, palette)),
      ];
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
      return adviceLines(block.words, palette);
    case 'change':
      return diffLines(block.diff, palette);
    default:
      return unreachable(block);
  }
}

/** Returns a hint, after the word `hint:`. */
export function adviceLines(words: string, palette: Palette): readonly string[] {
  const [first = '', ...more] = wrappedLines(words, palette, '        ');
  return [`  ${palette.accent('hint:')} ${first.trimStart()}`, ...more];
}

/** Returns blocks as text for a terminal. */
export function printText(blocks: readonly Block[], palette: Palette): string {
  return `${blocks.flatMap((block) => blockLines(block, palette)).join('\n')}\n`;
}
