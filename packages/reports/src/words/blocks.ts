import type { Block, Item, Table, Tone, TonedText, Words } from './document.js';
import type { Headline } from './headline.js';

/** By word of a verdict, its tone. */
const verdictTones = {
  ...{ holds: 'good', violated: 'bad', fails: 'bad', unknown: 'doubtful' },
  ...{ feasible: 'bad', infeasible: 'good', 'by-cfg': 'faint' },
  ...{ robust: 'good', 'not-robust': 'bad', error: 'bad', 'not-asked': 'faint' },
} as const satisfies Readonly<Record<string, Tone>>;

/** Returns a text in the tone of a verdict; the text is the verdict by default. */
export function inToneOf(verdict: keyof typeof verdictTones, text: string = verdict): TonedText {
  return { text, tone: verdictTones[verdict] };
}

/** Returns the words of a line. */
export function wordsOf(words: Words): readonly TonedText[] {
  return typeof words === 'string' || 'text' in words ? [words] : words;
}

/** Returns a word without its tone. */
export function plainWord(word: TonedText): string {
  return typeof word === 'string' ? word : word.text;
}

/** Returns the table without columns that are empty in every row. */
export function withoutEmptyColumns({ columns, rows, ...table }: Table): Table {
  const used = columns.map((_, c) => rows.some((row) => plainWord(row[c] ?? '') !== ''));
  const keep = <T>(items: readonly T[]): T[] => items.filter((_, c) => used[c]);
  return { ...table, columns: keep(columns), rows: rows.map(keep) };
}

/** Returns a headline as a line of its own. */
export function headlineWords({ tone, before = '', words, rest }: Headline): Words {
  return [before, { text: words, tone }, rest];
}

/** Returns a line; `level` is the number of steps of its indentation. */
export function say(words: Words, level = 1): Block {
  return { kind: 'sentence', words, level };
}

/** Returns sentences, one in each line. */
export function lines(sentences: readonly string[]): readonly Block[] {
  return sentences.map((words) => say(words));
}

/** A line without words. */
export const blankLine = say('', 0);

/** Returns sentences that readers may skip. */
export function notes(lines: readonly string[]): readonly Block[] {
  return lines.map((text) => say({ text, tone: 'faint' }));
}

/** Returns a table; nothing if it has no rows. */
export function tables(table: Table): readonly Block[] {
  return table.rows.length === 0 ? [] : [{ kind: 'table', ...table }];
}

/** Returns a section; nothing if it has no blocks. */
export function section(title: string, blocks: readonly Block[]): readonly Block[] {
  return blocks.length === 0 ? [] : [{ kind: 'section', title, blocks }];
}

/** Returns a numbered list; nothing if it has no entries. */
export function numbered(items: readonly Item[]): readonly Block[] {
  return items.length === 0 ? [] : [{ kind: 'list', isOrdered: true, items }];
}

/** Returns a hint; nothing for `undefined`. */
export function advice(words: string | undefined): readonly Block[] {
  return words === undefined ? [] : [{ kind: 'advice', words }];
}

/** Returns the section on a change of the program; nothing for an empty diff. */
export function changeSection(diff = ''): readonly Block[] {
  return section('The change', diff === '' ? [] : [{ kind: 'change', diff }]);
}
