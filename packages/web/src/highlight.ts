import { StreamLanguage, type StreamParser } from '@codemirror/language';
import {
  builtins,
  instructionWords,
  keywords,
  lineWords,
  memoraxWords,
  type WordUse,
} from '@fencewright/core/text';
import type { WebFormat } from './messages.js';

/** The colours of words of the native language, by use. */
const styles: Readonly<Record<WordUse, string>> = {
  declaration: 'definitionKeyword',
  part: 'keyword',
  statement: 'controlKeyword',
  value: 'atom',
  builtin: 'name.standard',
};

interface TokenState {
  inComment: boolean;
}

/** The highlighting of one language. */
interface Language {
  /** Matches a comment up to the end of the line. */
  readonly comment?: RegExp;
  readonly blockComment?: readonly [begin: string, end: string];
  readonly styleOf: (word: string) => string | null;
}

function parserOf({ comment, blockComment, styleOf }: Language): StreamParser<TokenState> {
  return {
    startState: () => ({ inComment: false }),
    token(stream, state) {
      if (state.inComment || (blockComment && stream.match(blockComment[0]))) {
        state.inComment = !stream.match(new RegExp(`^.*?${escaped(blockComment![1])}`));
        if (state.inComment) stream.skipToEnd();
        return 'comment';
      }
      if (stream.eatSpace()) return null;
      if (comment && stream.match(comment)) return 'comment';
      if (stream.match(/^@(?:cost|nofence|luck|timeout|choice)\b/)) return 'annotation';
      if (stream.match(/^(?:0[xX][\da-fA-F]+|\d+)/)) return 'number';
      const word = stream.match(/^[A-Za-z_][\w'′]*/);
      if (word && word !== true) return styleOf(word[0]);
      if (stream.match(/^[-+*/%&|^=!<>~←:]+/)) return 'operator';
      stream.next();
      return null;
    },
  };
}

const escaped = (text: string): string => text.replaceAll(/[*()/]/g, String.raw`\$&`);

const amongst = (words: readonly string[]) => {
  const known = new Set(words);
  return (word: string): string | null => (known.has(word) ? 'keyword' : null);
};

const languages: Readonly<Record<WebFormat, Language>> = {
  native: {
    comment: /^\/\/.*/,
    blockComment: ['/*', '*/'],
    styleOf: (word) => {
      const about = keywords.get(word) ?? builtins.get(word);
      return about ? styles[about.use] : null;
    },
  },
  litmus: {
    comment: /^\/\/.*/,
    blockComment: ['(*', '*)'],
    styleOf: amongst('X86 X86_64 C exists forall locations filter MOV MFENCE XCHG LOCK'.split(' ')),
  },
  trencher: { comment: /^#.*/, styleOf: amongst([...lineWords, ...instructionWords]) },
  memorax: { blockComment: ['/*', '*/'], styleOf: amongst(memoraxWords) },
};

/** Returns the colours of a format. */
export function highlighting(format: WebFormat): StreamLanguage<TokenState> {
  return StreamLanguage.define(parserOf(languages[format]));
}
