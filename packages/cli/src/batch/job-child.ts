import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Progress } from '@fencewright/core';
import type { FromJobProcess, JobSettings, ToJobProcess } from './job-messages.js';
import type { BatchResult } from './job-result.js';
import type { JobOrder } from './plan-job.js';

/** The end of a job on a process. */
export type JobEnd =
  | { readonly kind: 'done'; readonly result: BatchResult }
  /** The process died. */
  | { readonly kind: 'died'; readonly why: string };

/** Characters kept of the process's last output: V8 prints the stack after the message. */
const lastWords = 16_000;
/** Characters of the last output shown to the user. */
const toldWords = 200;
/** Milliseconds for a process to stop on request. */
const graceAfterCancel = 4000;

/** Thrown if a process cannot start, for which no job is to blame. */
export class NoJobProcess extends Error {}

/** Returns the reason for the end of a process, in words. */
function whyGone(code: number | null, signal: NodeJS.Signals | null, said: string): string {
  const how =
    signal === null
      ? `its process ended with exit code ${code}`
      : `its process was ended by ${signal}`;
  // V8 tells a stack after the message.
  const [message = ''] = /FATAL ERROR: .*|.*[Ee]rror: .*/.exec(said) ?? [];
  return message === '' ? how : `${how}: ${message.trim().slice(0, toldWords)}`;
}

/** A job running on a process. */
interface Running {
  readonly key: string;
  readonly settle: (end: JobEnd) => void;
}

/**
 * A process that does jobs, one at a time; started for the first job, and restarted after a death.
 */
export class JobChild {
  readonly #script: URL;
  readonly #environment: NodeJS.ProcessEnv | undefined;
  readonly #onProgress: (progress: Progress) => void;
  #child: ChildProcess | undefined;
  /** The settings last sent to the process. */
  #settings: JobSettings | undefined;
  #running: Running | undefined;
  /** The end of the process's output during the job. */
  #said = '';

  /** `environment`: the environment of the process, if other than this process's. */
  constructor(
    script: URL,
    onProgress: (progress: Progress) => void,
    environment?: NodeJS.ProcessEnv,
  ) {
    this.#script = script;
    this.#onProgress = onProgress;
    this.#environment = environment;
  }

  #hear(message: FromJobProcess): void {
    if (message.kind === 'progress') this.#onProgress(message.progress);
    else if (message.kind === 'result' && message.key === this.#running?.key)
      this.#running.settle({ kind: 'done', result: message.result });
  }

  async #begin(): Promise<ChildProcess> {
    const child = fork(fileURLToPath(this.#script), [], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      ...(this.#environment && { env: this.#environment }),
    });
    this.#said = '';
    child.stderr?.on('data', (text: Buffer) => {
      this.#said = (this.#said + text.toString()).slice(-lastWords);
    });
    await new Promise<void>((resolve, reject) => {
      child.once('message', () => resolve());
      child.once('error', (error) => reject(new NoJobProcess(error.message)));
      child.once('close', (code, signal) =>
        reject(new NoJobProcess(whyGone(code, signal, this.#said))),
      );
    });
    child.on('error', () => undefined);
    child.on('message', (message: FromJobProcess) => this.#hear(message));
    // Also for an idle process. At `close` the process's last output has arrived.
    child.once('close', (code, signal) => {
      if (this.#child !== child) return;
      this.#child = undefined;
      this.#running?.settle({ kind: 'died', why: whyGone(code, signal, this.#said) });
    });
    return child;
  }

  /**
   * Makes a process ready for jobs with given settings. Throws `NoJobProcess` if no process can
   * start.
   */
  async prepare(settings: JobSettings): Promise<void> {
    if (!this.#child?.connected) {
      this.#child = await this.#begin();
      this.#settings = undefined;
    }
    if (this.#settings === settings) return;
    this.#settings = settings;
    this.#tell({ kind: 'settings', settings });
  }

  #tell(message: ToJobProcess): void {
    this.#child?.send(message, () => undefined);
  }

  /** Does a job on the process made ready by `prepare`. */
  async run(order: JobOrder, signal: AbortSignal): Promise<JobEnd> {
    const child = this.#child;
    if (!child) return { kind: 'died', why: 'the process of the job ended before the job began' };
    this.#said = '';
    let timer: NodeJS.Timeout | undefined;
    const onAbort = (): void => {
      this.#tell({ kind: 'cancel' });
      timer = setTimeout(() => child.kill('SIGKILL'), graceAfterCancel);
    };
    signal.addEventListener('abort', onAbort);
    try {
      return await new Promise<JobEnd>((settle) => {
        this.#running = { key: order.key, settle };
        this.#tell({ kind: 'job', order });
        if (signal.aborted) onAbort();
      });
    } finally {
      this.#running = undefined;
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Disconnects from the process. */
  close(): void {
    if (this.#child?.connected) this.#child.disconnect();
    this.#child = undefined;
  }
}
