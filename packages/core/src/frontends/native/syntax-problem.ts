/** An error of the lexer or the parser, as offsets into the text. */
export interface SyntaxProblem {
  readonly offset: number;
  /** 0 at the end of the file. */
  readonly length: number;
  /** End of the token before. */
  readonly previousEnd: number;
  /** End of what the parser left out to recover. */
  readonly skippedTo: number;
  /** In words; absent where there is a message. */
  readonly expected?: string;
  readonly message?: string;
  readonly hint?: string;
}
