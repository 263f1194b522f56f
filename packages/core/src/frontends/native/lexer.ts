import { keywords, signs } from './keywords.js';
import type { Token, TokenKind, Trivia } from './token.js';

const escapedSigns = signs.map((sign) => sign.replaceAll(/[$()*+./?[\\\]^{|}]/g, '\\$&'));

/** Each kind of piece in a group of its own; whatever fits nothing else is unreadable. */
const piece = new RegExp(
  [
    '(?<blank>\\s+)',
    '(?<comment>//[^\\n\\r]*|/\\*[^]*?\\*/)',
    '(?<open>/\\*[^]*)',
    "(?<word>[_a-zA-Z][_a-zA-Z0-9'′]*)",
    '(?<number>[0-9][_a-zA-Z0-9]*)',
    `(?<sign>${escapedSigns.join('|')})`,
    '(?<unreadable>[^-\\s\\w←!%&()*+,./:;<=>@[\\]^{|}~]+)',
  ].join('|'),
  'y',
);

/** How lines end, also in reports and edits. */
const lineBreak = /\r\n|\n|\r/g;

function triviaKind(groups: Partial<Record<string, string>>): Trivia['kind'] | undefined {
  if (groups.blank !== undefined) return 'blank';
  if (groups.comment !== undefined) return 'comment';
  if (groups.open !== undefined) return 'open-comment';
  return groups.unreadable === undefined ? undefined : 'unreadable';
}

function tokenKind(groups: Partial<Record<string, string>>, text: string): TokenKind {
  if (groups.number !== undefined) return 'NUMBER';
  return groups.word === undefined || keywords.has(text) ? text : 'NAME';
}

/** All tokens of a text in its order, the end of the file last; together with their trivia they are the text. Takes linear time. */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let trivia: Trivia[] = [];
  let line = 0;
  let lineStart = 0;
  const add = (kind: TokenKind, image: string, offset: number): void => {
    const start = { line, column: offset - lineStart };
    tokens.push({ kind, text: image, index: tokens.length, offset, start, trivia });
    trivia = [];
  };
  for (let offset = 0; offset < text.length;) {
    piece.lastIndex = offset;
    const match = piece.exec(text)!;
    const [image] = match;
    const kind = triviaKind(match.groups!);
    if (kind === undefined) add(tokenKind(match.groups!, image), image, offset);
    else {
      trivia.push({ kind, text: image, offset, start: { line, column: offset - lineStart } });
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
