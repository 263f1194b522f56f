/**
 * A token of C or C++ before preprocessing: a word, a literal, a symbol or a directive. Offsets are
 * zero-based, in UTF-16 units.
 */
export interface CToken {
  readonly kind: 'word' | 'number' | 'literal' | 'symbol' | 'directive';
  /** The text of the token, with digraphs replaced by the usual symbols. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const blanks = /(?:\s|\\\r?\n)+/y;
const lineComment = /\/\/(?:[^\\\n]|\\\r?\n|\\)*/y;
const blockComment = /\/\*[^]*?(?:\*\/|$)/y;
/**
 * Matches a preprocessor directive, up to the end of the line; a comment or a backslash may extend
 * the directive to further lines.
 */
const directive =
  /#(?:\/\*[^]*?(?:\*\/|$)|\/\/(?:[^\\\n]|\\\r?\n|\\)*|\\\r?\n|"(?:[^"\\\n]|\\.)*"|[^\n])*/y;
const literal =
  /(?:u8|[uUL])?(?:R"(?<mark>[^()\\\s]{0,16})\([^]*?\)\k<mark>"|"(?:[^"\\\n]|\\[^])*"?|'(?:[^'\\\n]|\\[^])*'?)/y;
const word = /[\p{ID_Start}_$][\p{ID_Continue}$]*/uy;
const number = /\.?[0-9](?:[eEpP][-+]|'?[\w.])*/y;
const symbol = /::|->|&&|\|\||<<=?|>>=?|[-+*/%&|^=!<>]=|<%|%>|<:|:>|[^]/uy;

const digraphs: ReadonlyMap<string, string> = new Map([
  ['<%', '{'],
  ['%>', '}'],
  ['<:', '['],
  [':>', ']'],
]);

/** Returns the match of the pattern at an offset; `undefined` if there is none. */
function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

/**
 * Returns the tokens of a text, without comments; a directive is one token. Any text is accepted:
 * text outside of C becomes symbols.
 */
export function scanC(text: string): readonly CToken[] {
  const tokens: CToken[] = [];
  let isLineStart = true;
  let at = 0;
  while (at < text.length) {
    const blank = matchAt(blanks, text, at);
    if (blank !== undefined) {
      if (blank.replaceAll(/\\\r?\n/g, '').includes('\n')) isLineStart = true;
      at += blank.length;
      continue;
    }
    const comment = matchAt(lineComment, text, at) ?? matchAt(blockComment, text, at);
    if (comment !== undefined) {
      at += comment.length;
      continue;
    }
    const token = tokenAt(text, at, isLineStart);
    tokens.push(token);
    isLineStart = false;
    at = token.end;
  }
  return tokens;
}

function tokenAt(text: string, at: number, isLineStart: boolean): CToken {
  const make = (kind: CToken['kind'], found: string): CToken => {
    return { kind, text: digraphs.get(found) ?? found, start: at, end: at + found.length };
  };
  const line = isLineStart ? matchAt(directive, text, at) : undefined;
  if (line !== undefined) return make('directive', line);
  for (const [kind, pattern] of [
    ['literal', literal],
    ['word', word],
    ['number', number],
  ] as const) {
    const found = matchAt(pattern, text, at);
    if (found !== undefined) return make(kind, found);
  }
  return make('symbol', matchAt(symbol, text, at) ?? text[at]!);
}
