import { type Span, spanAt } from '@fencewright/ground/source/span.js';
import { patternOf, type Token, Tokens } from '@fencewright/ground/source/tokens.js';

/** Matches words: the text between blanks. */
const words = patternOf({ name: /[^ \t\v\f]+/, blanks: /[ \t\v\f]+/ });

/** The words of a line, as tokens. */
export class LineTokens extends Tokens {
  readonly #text: string;
  readonly #line: number;

  constructor(text: string, line: number) {
    const places = { spanOf: (start: number, end: number) => spanAt(line, start, end - start) };
    super(text, { start: 0, end: text.length }, places, words);
    this.#text = text;
    this.#line = line;
  }

  /** Returns the span from the start of `first` to the end of the line's last word. */
  override spanFrom(first: Token): Span {
    const { column } = first.span.start;
    let end = this.#text.length;
    while (end > column && ' \t\v\f'.includes(this.#text.charAt(end - 1))) end -= 1;
    return spanAt(this.#line, column, end - column);
  }
}
