import type { Position, Span } from '@fencewright/ground/source/span.js';

/** An error of the lexer or the parser. */
export interface SyntaxProblem {
  /**
   * The offset where the error is noticed, in UTF-16 units; at the end of the file, the end of the
   * last token.
   */
  readonly offset: number;
  /** The length of the token at the error, in UTF-16 units; 0 at the end of the file. */
  readonly length: number;
  readonly span: Span;
  /** The offset of the end of the token before the error. */
  readonly previousEnd: number;
  readonly behindPrevious: Position;
  /** The text that the parser expected, in words; absent if there is a `message`. */
  readonly expected?: string;
  readonly message?: string;
  readonly hint?: string;
}
