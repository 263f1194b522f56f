import type { Span } from '../../source/span.js';
import { spanAt } from '../../source/span.js';

/** A word of a line with its place. */
export interface Token {
  readonly text: string;
  readonly span: Span;
}

/** The words of one line, read one after the other; a line is split only as far as it is read. */
export class LineTokens {
  readonly #text: string;
  readonly #line: number;
  readonly #word = /[^ \t\v\f]+/g;
  #peeked: Token | undefined;

  constructor(text: string, line: number) {
    this.#text = text;
    this.#line = line;
  }

  /** The next word, which stays the next one; absent at the end of the line. */
  peek(): Token | undefined {
    this.#peeked ??= this.#scan();
    return this.#peeked;
  }

  /** Takes the next word; absent at the end of the line. */
  next(): Token | undefined {
    const token = this.peek();
    this.#peeked = undefined;
    return token;
  }

  /** The place from the start of `first` to the last word of the line. */
  spanFrom(first: Token): Span {
    const { column } = first.span.start;
    let end = this.#text.length;
    while (end > column && ' \t\v\f'.includes(this.#text.charAt(end - 1))) end -= 1;
    return spanAt(this.#line, column, end - column);
  }

  #scan(): Token | undefined {
    const match = this.#word.exec(this.#text);
    if (!match) {
      // A failed search would start over from the beginning.
      this.#word.lastIndex = this.#text.length;
      return undefined;
    }
    return {
      text: match[0],
      span: spanAt(this.#line, match.index, match[0].length),
    };
  }
}
