import { keywords, signs } from './keywords.js';
import type { NativeToken, TokenKind, Trivia } from './token.js';

const escapedSigns = signs.map((sign) => sign.replaceAll(/[$()*+./?[\\\]^{|}]/g, '\\$&'));

/**
 * Matches the next piece of a text: blanks, a comment (also without an end), a word, a number, a
 * sign, or any unmatched character.
 */
const piece = new RegExp(
  [
    '\\s+',
    '//[^\\n\\r]*',
    '/\\*[^]*?\\*/',
    '/\\*[^]*',
    "[_a-zA-Z][_a-zA-Z0-9'′]*",
    '[0-9][_a-zA-Z0-9]*',
    ...escapedSigns,
    '[^-\\s\\w←!%&()*+,./:;<=>@[\\]^{|}~]+',
  ].join('|'),
  'y',
);

/** Matches the ends of lines, as counted in reports and edits. */
const lineBreak = /\r\n|\n|\r/g;

const signSet: ReadonlySet<string> = new Set(signs);

/** Returns the kind of trivia that the piece is; `undefined` if the piece is a token. */
function triviaKind(image: string): Trivia['kind'] | undefined {
  if (/^\s/.test(image)) return 'blank';
  if (image.startsWith('//')) return 'comment';
  if (image.startsWith('/*'))
    return image.length > 3 && image.endsWith('*/') ? 'comment' : 'open-comment';
  return /^\w/.test(image) || signSet.has(image) ? undefined : 'unreadable';
}

function tokenKind(image: string): TokenKind {
  if (/^[0-9]/.test(image)) return 'NUMBER';
  return /^\w/.test(image) && !keywords.has(image) ? 'NAME' : image;
}

const noTrivia: readonly Trivia[] = [];

/**
 * Returns all tokens of a text in order, the end of the file last; tokens and trivia together make
 * up the text. Takes linear time.
 */
export function tokensOf(text: string): readonly NativeToken[] {
  const tokens: NativeToken[] = [];
  let trivia: Trivia[] = [];
  let line = 0;
  let lineStart = 0;
  const add = (kind: TokenKind, image: string, offset: number): void => {
    const start = { line, column: offset - lineStart };
    const before = trivia.length === 0 ? noTrivia : trivia;
    tokens.push({ kind, text: image, index: tokens.length, offset, start, trivia: before });
    if (trivia.length > 0) trivia = [];
  };
  for (let offset = 0; offset < text.length;) {
    piece.lastIndex = offset;
    const [image] = piece.exec(text)!;
    const kind = triviaKind(image);
    if (kind === undefined) add(tokenKind(image), image, offset);
    else {
      trivia.push({ kind, text: image, offset, start: { line, column: offset - lineStart } });
      if (image !== ' ')
        for (const { 0: end, index } of image.matchAll(lineBreak)) {
          line += 1;
          lineStart = offset + index + end.length;
        }
    }
    offset += image.length;
  }
  add('EOF', '', text.length);
  return tokens;
}
