import type { Position } from '@fencewright/ground/source/span.js';

/** Text ignored by the grammar, allowed between any two tokens. */
export interface Trivia {
  /**
   * `unreadable` are characters without meaning; an `open-comment` is unclosed, and extends to the
   * end of the text.
   */
  readonly kind: 'blank' | 'comment' | 'open-comment' | 'unreadable';
  readonly text: string;
  /** The start, in UTF-16 units from the start of the text. */
  readonly offset: number;
  readonly start: Position;
}

/** A keyword or sign, a name, a number, or the end of the file, always within one line. */
export interface Token {
  readonly kind: TokenKind;
  /** The text; empty at the end of the file. */
  readonly text: string;
  /** The token's index among all tokens. */
  readonly index: number;
  /** The start, in UTF-16 units from the start of the text. */
  readonly offset: number;
  readonly start: Position;
  /** The text between the previous token and this token. */
  readonly trivia: readonly Trivia[];
}

/** `NAME`, `NUMBER` or `EOF`; each keyword or sign is a separate kind. */
export type TokenKind = string;

/** Returns the end of the token, in UTF-16 units from the start of the text. */
export function endOfToken(token: Token): number {
  return token.offset + token.text.length;
}

/** Returns the position behind the token. */
export function positionBehind({ start, text }: Token): Position {
  return { line: start.line, column: start.column + text.length };
}

/** Whether a line break precedes the token. */
export function startsLine({ trivia }: Token): boolean {
  return trivia.some(({ text }) => /[\n\r]/.test(text));
}
