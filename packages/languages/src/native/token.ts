import type { Position } from '@fencewright/ground/source/span.js';

/** What no rule of the grammar mentions: it may stand between any two tokens. */
export interface Trivia {
  /**
   * `unreadable` are characters without meaning; an `open-comment` has no end, and goes on to that
   * of the text.
   */
  readonly kind: 'blank' | 'comment' | 'open-comment' | 'unreadable';
  readonly text: string;
  /** Where it starts, in UTF-16 units from the start of the text. */
  readonly offset: number;
  readonly start: Position;
}

/** A keyword or sign, a name, a number, or the end of the file. It does not go beyond its line. */
export interface Token {
  readonly kind: TokenKind;
  /** Empty at the end of the file. */
  readonly text: string;
  /** Its place among all tokens. */
  readonly index: number;
  /** Where it starts, in UTF-16 units from the start of the text. */
  readonly offset: number;
  readonly start: Position;
  /** What stands between it and the token before. */
  readonly trivia: readonly Trivia[];
}

/** `NAME`, `NUMBER` or `EOF`; keywords and signs are kinds of their own. */
export type TokenKind = string;

/** Where the token ends, in UTF-16 units from the start of the text. */
export function endOfToken(token: Token): number {
  return token.offset + token.text.length;
}

/** The position behind the token. */
export function positionBehind({ start, text }: Token): Position {
  return { line: start.line, column: start.column + text.length };
}

/** Whether a line break stands before the token. */
export function startsLine({ trivia }: Token): boolean {
  return trivia.some(({ text }) => /[\n\r]/.test(text));
}
