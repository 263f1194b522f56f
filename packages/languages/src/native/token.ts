import type { Position } from '@fencewright/ground/source/span.js';

/** Text between tokens that the grammar ignores, such as blanks and comments. */
export interface Trivia {
  /**
   * The kind of the text; `unreadable` are characters without meaning, and an `open-comment` has no
   * end, and extends to the end of the text.
   */
  readonly kind: 'blank' | 'comment' | 'open-comment' | 'unreadable';
  readonly text: string;
  /** The offset of the start of the trivia in the text, zero-based, in UTF-16 units. */
  readonly offset: number;
  readonly start: Position;
}

/** A keyword or sign, a name, a number, or the end of the file, always within one line. */
export interface NativeToken {
  readonly kind: TokenKind;
  /** The text of the token; empty at the end of the file. */
  readonly text: string;
  /** The index of the token among all tokens of the text. */
  readonly index: number;
  /** The offset of the token's start, zero-based, in UTF-16 units. */
  readonly offset: number;
  readonly start: Position;
  /** The trivia (blanks and comments, say) between the previous token and this token. */
  readonly trivia: readonly Trivia[];
}

/** The kind of a token: `NAME`, `NUMBER` or `EOF`; each keyword or sign is a kind of its own. */
export type TokenKind = string;

/** Returns the offset of the token's end, in UTF-16 units. */
export function endOfToken(token: NativeToken): number {
  return token.offset + token.text.length;
}

/** Returns the position (line and column) directly after the token. */
export function positionBehind({ start, text }: NativeToken): Position {
  return { line: start.line, column: start.column + text.length };
}

/** Whether a line break is between the previous token and the given one. */
export function startsLine({ trivia }: NativeToken): boolean {
  return trivia.some(({ text }) => /[\n\r]/.test(text));
}
