import type { Position, Span } from './span.js';
import { linesOf } from './text-edit.js';

/** Turns zero-based offsets of a text, in UTF-16 units, into places. */
export class LineIndex {
  /** Offset at which each line starts. */
  readonly #starts: readonly number[];

  constructor(text: string) {
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

  /** The place from `start` to before `end`. */
  spanOf(start: number, end: number): Span {
    return { start: this.positionOf(start), end: this.positionOf(end) };
  }

  /** The offset at which a line, counted from 0, starts. */
  startOf(line: number): number {
    return this.#starts[line] ?? 0;
  }
}
