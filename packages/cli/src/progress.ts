import { formatBytes, type Progress, quoteName, countOf } from '@fencewright/core';

/** The line at the bottom of a terminal with the progress of a search. */
export class ProgressLine {
  readonly #stream: NodeJS.WriteStream;
  #shown = false;
  #known = '';

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  /** Whether there is a terminal to write to. */
  get isSeen(): boolean {
    return this.#stream.isTTY;
  }

  /** Shows from now on, before the progress, the part of the answer that is known already. */
  note(known: string): void {
    this.#known = `${known}; `;
  }

  /** Shows the progress of the search on `file`; writes nothing without a terminal. */
  show(file: string, { states, memory, milliseconds }: Progress): void {
    if (!this.isSeen) return;
    const seconds = (milliseconds / 1000).toFixed(1);
    const text = `${this.#known}${countOf(states, 'state')}, ${formatBytes(memory)}, ${seconds} s  ${quoteName(file)}`;
    // A wrapped line could not be cleared.
    const line = text.slice(0, (this.#stream.columns || 80) - 1);
    this.#stream.write(`\r\u001b[K${line}`);
    this.#shown = true;
  }

  /** Removes the progress line, to make room for other output. */
  clear(): void {
    if (this.#shown) this.#stream.write('\r\u001b[K');
    this.#shown = false;
    this.#known = '';
  }
}
