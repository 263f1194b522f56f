import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Progress } from '@fencewright/core';
import type { FromJobProcess, JobSettings, ToJobProcess } from './job-messages.js';
import type { BatchResult } from './job-result.js';
import type { JobOrder } from './plan-job.js';

/** The outcome of a job that a process was given. */
export type JobEnd =
  | { readonly kind: 'done'; readonly result: BatchResult }
  /** The process died during its job, for the given reason. */
  | { readonly kind: 'died'; readonly why: string };

/**
 * The maximum number of characters kept of a process's last output: enough for V8's message and the
 * stack after it.
 */
const lastWords = 16_000;
/** The maximum number of characters of a process's last output that the user sees. */
const toldWords = 200;
/** The number of milliseconds for a process to stop on request before the process is killed. */
const graceAfterCancel = 4000;

/** Thrown if a process cannot start; no job is to blame. */
export class NoJobProcess extends Error {}

/** Returns in words why a process ended. */
function whyGone(code: number | null, signal: NodeJS.Signals | null, output: string): string {
  const how =
    signal === null
      ? `its process ended with exit code ${code}`
      : `its process was ended by ${signal}`;
  // V8 prints the stack after the message.
  const [message = ''] = /FATAL ERROR: .*|.*[Ee]rror: .*/.exec(output) ?? [];
  return message === '' ? how : `${how}: ${message.trim().slice(0, toldWords)}`;
}

/** A job running on a process. */
interface Running {
  readonly key: string;
  readonly settle: (end: JobEnd) => void;
}

/**
 * A process that does jobs in sequence. The process is started for the first job, and restarted
 * after its death.
 */
export class JobChild {
  readonly #script: URL;
  readonly #environment: NodeJS.ProcessEnv | undefined;
  readonly #onProgress: (progress: Progress) => void;
  #child: ChildProcess | undefined;
  /** The settings that were last sent to the process. */
  #settings: JobSettings | undefined;
  #running: Running | undefined;
  /** The last part of what the process has printed during the current job. */
  #lastOutput = '';

  /**
   * Prepares a process; `environment` is the process's environment, by default the environment of
   * this process.
   */
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
    this.#lastOutput = '';
    child.stderr?.on('data', (text: Buffer) => {
      this.#lastOutput = (this.#lastOutput + text.toString()).slice(-lastWords);
    });
    await new Promise<void>((resolve, reject) => {
      child.once('message', () => resolve());
      child.once('error', (error) => reject(new NoJobProcess(error.message)));
      child.once('close', (code, signal) =>
        reject(new NoJobProcess(whyGone(code, signal, this.#lastOutput))),
      );
    });
    child.on('error', () => undefined);
    child.on('message', (message: FromJobProcess) => this.#hear(message));
    // Also for an idle process. At `close` the process's last output has arrived.
    child.once('close', (code, signal) => {
      if (this.#child !== child) return;
      this.#child = undefined;
      this.#running?.settle({ kind: 'died', why: whyGone(code, signal, this.#lastOutput) });
    });
    return child;
  }

  /**
   * Starts the process if needed, and sends the settings for jobs. Throws `NoJobProcess` if no
   * process can start.
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

  /** Makes the process do a job, after `prepare`; returns how the job ended. */
  async run(order: JobOrder, signal: AbortSignal): Promise<JobEnd> {
    const child = this.#child;
    if (!child) return { kind: 'died', why: 'the process of the job ended before the job began' };
    this.#lastOutput = '';
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

  /** Disconnects from the process, which then ends. */
  close(): void {
    if (this.#child?.connected) this.#child.disconnect();
    this.#child = undefined;
  }
}
