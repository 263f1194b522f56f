import { quoteName, countOf } from '@fencewright/core';

/** The line at the bottom of a terminal that shows the number of jobs begun, and the latest job. */
export class ProgressCounts {
  readonly #stream: NodeJS.WriteStream;
  #begun = 0;
  #file = '';
  #shown = false;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  /** Shows the start of a job, or the number of states of the job's search. */
  show({ file, states }: { readonly file: string; readonly states?: number }): void {
    if (file !== '') {
      this.#begun++;
      this.#file = file;
    }
    if (!this.#stream.isTTY) return;
    const searched = states === undefined ? '' : `, ${countOf(states, 'state')}`;
    const text = `${this.#begun} begun${searched}  ${quoteName(this.#file)}`;
    this.#stream.write(`\r\u001b[K${text.slice(0, (this.#stream.columns || 80) - 1)}`);
    this.#shown = true;
  }

  /** Removes the progress line. */
  clear(): void {
    if (this.#shown) this.#stream.write('\r\u001b[K');
    this.#shown = false;
  }
}
