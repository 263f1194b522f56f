import { at } from '../base/at.js';
import { type Position, type Source, type Span, spanAt } from './span.js';
import { linesOf } from './text-edit.js';

/** Converts offsets of a text, zero-based and in UTF-16 units, into lines and columns. */
export class LineIndex {
  /** The offset of the start of each line, indexed by line. */
  readonly #starts: readonly number[];

  /** Prepares conversions in a text; `source` is the file of the text, if not the main file. */
  constructor(
    text: string,
    readonly source?: Source,
  ) {
    this.#starts = linesOf(text).map(({ start }) => start);
  }

  positionOf(offset: number): Position {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low, column: offset - this.#starts[low]! };
  }

  /** Returns the span, in lines and columns, of the text from offset `start` to before `end`. */
  spanOf(start: number, end: number): Span {
    const span = { start: this.positionOf(start), end: this.positionOf(end) };
    return this.source ? { ...span, source: this.source } : span;
  }

  /** The offset of the start of a line, counted from 0. */
  startOf(line: number): number {
    return at(this.#starts, line);
  }
}

/**
 * Converts offsets of a text into lines and columns, from front to back, without a table of lines.
 * Only a line feed ends a line.
 */
export class LineCounter {
  readonly #text: string;
  #line = 0;
  #lineStart = 0;
  /** The offset of the end of the line that was reached. */
  #lineEnd: number;

  constructor(text: string) {
    this.#text = text;
    this.#lineEnd = this.#endFrom(0);
  }

  /**
   * Returns the place of the text from `start` to before `end`, which has to be on one line. Calls
   * must go from front to back: no place lies before the place returned last.
   */
  spanOf(start: number, end: number): Span {
    while (this.#lineEnd < start) {
      this.#line += 1;
      this.#lineStart = this.#lineEnd + 1;
      this.#lineEnd = this.#endFrom(this.#lineStart);
    }
    return spanAt(this.#line, start - this.#lineStart, end - start);
  }

  #endFrom(offset: number): number {
    const found = this.#text.indexOf('\n', offset);
    return found < 0 ? this.#text.length : found;
  }
}
