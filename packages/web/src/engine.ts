import type { TextQuestion, WorkerOrder, ResultPart, Report } from './messages.js';

/**
 * The first run of checks, with number 1, which a thread has begun before the page asked; with the
 * reports so far.
 */
export interface BegunRun {
  readonly asked: TextQuestion;
  readonly reports: readonly Report[];
}

/** The members of a `Worker` that the page uses, and the run that the thread has begun. */
export interface WorkerThread {
  readonly begun?: BegunRun;
  postMessage: (order: WorkerOrder) => void;
  terminate: () => void;
  onmessage: ((event: { readonly data: Report }) => void) | null;
  onerror: ((event: { readonly message: string }) => void) | null;
}

/** The number of milliseconds for a cancelled search to end by itself. */
const grace = 400;

/** Whether two questions are the same. */
function isSame(a: TextQuestion, b: TextQuestion): boolean {
  return a.text === b.text && a.format === b.format && a.file === b.file && a.timeout === b.timeout;
}

/**
 * Runs checks of texts on a thread. Reports of earlier runs are dropped, so that nothing shown is
 * older than the text.
 */
export class CheckRunner {
  #thread: WorkerThread | undefined;
  /** The number of the latest run of checks. */
  #run = 0;
  /** The number of the latest run that the thread has reported as ended. */
  #ended = 0;
  /** The question of the latest run of checks, while an answer is awaited. */
  #asked: TextQuestion | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly start: () => WorkerThread,
    private readonly tell: (part: ResultPart) => void,
  ) {}

  get isRunning(): boolean {
    return this.#asked !== undefined;
  }

  /**
   * Starts a run for a question, and cancels the current run without a report. The run that the
   * first thread has begun is taken over if it is about the same question.
   */
  ask(asked: TextQuestion): void {
    this.forget();
    const isFirst = this.#run === 0;
    const thread = this.#open();
    const begun = isFirst ? thread.begun : undefined;
    const isBegun = begun !== undefined && isSame(begun.asked, asked);
    this.#run += begun && !isBegun ? 2 : 1;
    this.#asked = asked;
    if (!isBegun) thread.postMessage({ kind: 'ask', run: this.#run, asked });
    else for (const data of begun.reports) thread.onmessage?.({ data });
  }

  /** Cancels the current run; reports `ended` within half a second. */
  stop(): void {
    if (this.#asked) this.#giveUp();
  }

  /** Cancels the current run of checks without a report, as the text has changed. */
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
