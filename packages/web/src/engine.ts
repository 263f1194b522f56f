import type { TextQuestion, WorkerOrder, ResultPart, Report } from './messages.js';

/** The required parts of a `Worker`. */
export interface WorkerThread {
  postMessage: (order: WorkerOrder) => void;
  terminate: () => void;
  onmessage: ((event: { readonly data: Report }) => void) | null;
  onerror: ((event: { readonly message: string }) => void) | null;
}

/** Milliseconds for a cancelled search to end by itself. */
const grace = 400;

/**
 * Runs checks of texts on a thread. Reports of earlier runs are dropped, so that nothing shown is
 * older than the text.
 */
export class CheckRunner {
  #thread: WorkerThread | undefined;
  /** The number of the latest run. */
  #run = 0;
  /** The number of the latest run reported as ended by the thread. */
  #ended = 0;
  /** The question of the latest run, while an answer is awaited. */
  #asked: TextQuestion | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly start: () => WorkerThread,
    private readonly tell: (part: ResultPart) => void,
  ) {}

  get isRunning(): boolean {
    return this.#asked !== undefined;
  }

  /** Cancels the current run, silently, and starts a new run. */
  ask(asked: TextQuestion): void {
    this.forget();
    this.#run += 1;
    this.#asked = asked;
    this.#open().postMessage({ kind: 'ask', run: this.#run, asked });
  }

  /** Cancels the current run; reports `ended` within half a second. */
  stop(): void {
    if (this.#asked) this.#giveUp();
  }

  /** Cancels the current run, silently, as the text has changed. */
  forget(): void {
    if (!this.#asked) return;
    this.#asked = undefined;
    this.#giveUp();
  }

  #giveUp(): void {
    const thread = this.#thread;
    const run = this.#run;
    thread?.postMessage({ kind: 'stop', run });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#ended >= run || this.#thread !== thread) return;
      thread?.terminate();
      this.#thread = undefined;
      if (!this.#asked) return;
      // A later question waits in the ended thread.
      if (this.#run !== run)
        this.#open().postMessage({ kind: 'ask', run: this.#run, asked: this.#asked });
      else this.#conclude({ kind: 'ended', by: 'stopped' });
    }, grace);
  }

  #conclude(part: ResultPart): void {
    this.#asked = undefined;
    this.tell(part);
  }

  #open(): WorkerThread {
    if (this.#thread) return this.#thread;
    const thread = this.start();
    thread.onmessage = ({ data: { run, part } }) => {
      const isLast = part.kind === 'ended' || part.kind === 'failed';
      if (isLast) this.#ended = Math.max(this.#ended, run);
      if (run !== this.#run || !this.#asked || thread !== this.#thread) return;
      if (isLast) this.#conclude(part);
      else this.tell(part);
    };
    thread.onerror = ({ message }) => {
      if (thread !== this.#thread) return;
      this.#thread = undefined;
      const why = message || 'the engines cannot be loaded';
      if (this.#asked) this.#conclude({ kind: 'failed', message: why });
    };
    this.#thread = thread;
    return thread;
  }
}
