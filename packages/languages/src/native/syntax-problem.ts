import type { Position, Span } from '@fencewright/ground/source/span.js';

/** An error of the lexer or the parser. */
export interface SyntaxProblem {
  /** Where it is noticed, in UTF-16 units; at the end of the file, where the last token ends. */
  readonly offset: number;
  /** 0 at the end of the file. */
  readonly length: number;
  readonly span: Span;
  /** The end of the token before. */
  readonly previousEnd: number;
  readonly behindPrevious: Position;
  /** In words; absent where there is a message. */
  readonly expected?: string;
  readonly message?: string;
  readonly hint?: string;
}
