import {
  frontEndOf,
  type InputFormat,
  type Model,
  threadModel,
  inspectedProgram,
} from '@fencewright/core';
import {
  indexNames,
  instructionWords,
  lineWords,
  memoraxWords,
  type NameIndex,
  type NameSymbol,
  type Occurrence,
  parseSyntax,
} from '@fencewright/core/text';

const nothing: NameIndex = { symbols: [], occurrences: [] };

/** The maximum number of characters of a text that the server reads and searches for names. */
export const largest = 300_000;

/**
 * Returns the names of a text. In the native language names follow the grammar. In other formats
 * the words that name shared variables are found, and labels and registers within threads: after a
 * rename the user has to check the result.
 */
export function indexOf(format: InputFormat, text: string, model: Model | undefined): NameIndex {
  if (text.length > largest) return nothing;
  if (format === 'native') return indexNames(parseSyntax(text).model);
  const threads = threadModel(model);
  if (!threads || frontEndOf(format).isCompiled) return nothing;
  const program = inspectedProgram(threads);
  const shared = new Set(program.symbols.map(({ name }) => name));
  return format === 'litmus' ? indexWords(text, shared) : indexScoped(text, shared, format);
}

interface TextWord {
  readonly text: string;
  readonly start: number;
  readonly line: number;
  readonly column: number;
}

/** Returns the words of a text outside of comments. */
function wordsOf(text: string, comment: RegExp): readonly TextWord[] {
  const words: TextWord[] = [];
  let line = 0;
  let lineStart = 0;
  const pieces = new RegExp(`\\r\\n|\\n|\\r|${comment.source}|"[^"\\n]*"|[A-Za-z_][\\w']*`, 'g');
  for (const { 0: piece, index } of text.matchAll(pieces)) {
    if (/^[A-Za-z_]/.test(piece)) {
      words.push({ text: piece, start: index, line, column: index - lineStart });
      continue;
    }
    for (const { 0: end, index: at } of piece.matchAll(/\r\n|\n|\r/g)) {
      line += 1;
      lineStart = index + at + end.length;
    }
  }
  return words;
}

class WordIndex {
  readonly #symbols: NameSymbol[] = [];
  readonly #occurrences: Occurrence[] = [];
  readonly #known = new Map<string, number>();

  add({ text, start, line, column }: TextWord, kind: NameSymbol['kind'], scope: string): void {
    const end = start + text.length;
    const span = { start: { line, column }, end: { line, column: column + text.length } };
    const key = `${scope}\0${text}`;
    let symbol = this.#known.get(key);
    const role = symbol === undefined ? 'declaration' : 'use';
    if (symbol === undefined) {
      symbol = this.#symbols.push({ kind, name: text, declaration: span }) - 1;
      this.#known.set(key, symbol);
    }
    this.#occurrences.push({ span, start, end, name: text, symbol, role });
  }

  toIndex(): NameIndex {
    return { symbols: this.#symbols, occurrences: this.#occurrences };
  }
}

/** Finds the words that name shared variables. */
function indexWords(text: string, shared: ReadonlySet<string>): NameIndex {
  const index = new WordIndex();
  // The first line has the name of the test.
  for (const word of wordsOf(text, /\(\*[^]*?\*\)|\/\/[^\n\r]*/))
    if (word.line > 0 && shared.has(word.text)) index.add(word, 'shared variable', '');
  return index.toIndex();
}

/** The keywords and comments of formats in which each thread has a separate scope of names. */
const scoped: Readonly<
  Partial<Record<InputFormat, { readonly words: ReadonlySet<string>; readonly comment: RegExp }>>
> = {
  trencher: { words: new Set([...lineWords, ...instructionWords]), comment: /#[^\n\r]*/ },
  memorax: { words: new Set(memoraxWords), comment: /\/\*[^]*?(?:\*\/|$)/ },
};

/** Finds the words that name shared variables, and labels and registers of each thread. */
function indexScoped(text: string, shared: ReadonlySet<string>, format: InputFormat): NameIndex {
  const index = new WordIndex();
  const { words, comment } = scoped[format]!;
  let scope = 0;
  let isNext = false;
  for (const word of wordsOf(text, comment)) {
    // Registers of Memorax begin with `$`, and so differ from cells of equal name.
    const isRegister = text[word.start - 1] === '$';
    if (isNext) {
      isNext = false;
      index.add(word, 'thread', '');
    } else if (words.has(word.text) && !isRegister) {
      if (word.text === 'thread' || word.text === 'process') scope += 1;
      // Processes have no names.
      isNext = word.text === 'thread';
    } else if (shared.has(word.text) && !isRegister) index.add(word, 'shared variable', '');
    else if (scope > 0) index.add(word, 'register', `${isRegister ? '$' : ''}${scope}`);
  }
  return index.toIndex();
}
