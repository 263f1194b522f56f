import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { fileURLToPath } from 'node:url';
import type { Exhaustion, Limits } from '@fencewright/core';
import { mebibyte } from './options/values.js';
import type { Wire } from './wire.js';
import type { FromWorker, ToWorker } from './worker-messages.js';

/** The end of work on a thread: the result, or the reason why the thread was ended from outside. */
export type WorkEnd<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'overrun'; readonly reason: Exclude<Exhaustion, 'states' | 'work'> };

/**
 * The number of milliseconds beyond the time limit in which a search can report partial results.
 */
const grace = 400;
/** The number of milliseconds after Ctrl-C in which a search can report partial results. */
const usualGraceAfterCancel = 8000;
/** The number of milliseconds between two measurements of the memory. */
const lookEvery = 25;
/**
 * The number of bytes that the process may take in addition to the memory limit of searches, for
 * programs, reports and garbage.
 */
const memorySlack = 64 * mebibyte;
/**
 * The size of the stack of a thread, in MiB; it limits how deeply programs can be nested, as front
 * ends recurse for each level.
 */
const stackMegabytes = 64;

/**
 * The program that a thread runs: calls functions of a given script, and sends back the results.
 */
const loop = `
  const { parentPort, workerData } = require('node:worker_threads');
  const functions = require(workerData);
  parentPort.on('message', async ({ name, order }) => {
    if (name === undefined) return parentPort.close();
    try {
      parentPort.postMessage({ value: await functions[name](order) });
    } catch (error) {
      parentPort.postMessage({ error });
    }
  });`;

type WorkerReply = { readonly value: unknown } | { readonly error: Error };

export interface Watch {
  readonly limits: Pick<Limits, 'maxMemory' | 'timeout'>;
  readonly signal: AbortSignal;
  readonly onProgress?: Limits['onProgress'];
  /**
   * Called with each known part of an answer that the work sends; all parts arrive even if the
   * thread dies right after sending.
   */
  readonly onKnown?: (wire: Wire) => void;
  /** The number of milliseconds of the time limit that were used before the thread got the work. */
  readonly spent?: number;
  /** The number of milliseconds after Ctrl-C in which the work can report partial results. */
  readonly graceAfterCancel?: number;
}

/**
 * A thread for work that may run long without checking limits. The thread is ended when time or
 * memory are used up, and restarted for the next piece of work.
 */
export class WorkThread {
  readonly #script: URL;
  readonly #stdin: boolean;
  #worker: Worker | undefined;

  /**
   * Prepares a thread for the functions of a script; with `stdin`, the thread can read the standard
   * input of the process.
   */
  constructor(script: URL, stdin = false) {
    this.#script = script;
    this.#stdin = stdin;
  }

  #start({ maxMemory }: Watch['limits']): Worker {
    const worker = new Worker(loop, {
      eval: true,
      workerData: fileURLToPath(this.#script),
      stdin: this.#stdin,
      resourceLimits: {
        stackSizeMb: stackMegabytes,
        ...(maxMemory !== undefined && {
          maxOldGenerationSizeMb: Math.ceil((maxMemory + memorySlack) / mebibyte),
        }),
      },
    });
    if (worker.stdin) process.stdin.pipe(worker.stdin);
    return worker;
  }

  /**
   * Makes the thread call the function `name` of the script; resolves to the result, or to the
   * reason for ending the thread. Rejects if the function throws or the thread dies of another
   * cause.
   */
  async run<T>(name: string, order: object, watch: Watch): Promise<WorkEnd<T>> {
    const { limits, signal, spent = 0 } = watch;
    const { graceAfterCancel = usualGraceAfterCancel } = watch;
    const begun = performance.now();
    const before = process.memoryUsage.rss();
    const worker = (this.#worker ??= this.#start(limits));
    const { port1, port2 } = new MessageChannel();
    const timers: NodeJS.Timeout[] = [];
    const send = (message: ToWorker): void => port1.postMessage(message);
    const hear = (said: FromWorker): void => {
      if (said.kind === 'progress') watch.onProgress?.(said.progress);
      else watch.onKnown?.(said.wire);
    };
    let onAbort: () => void = () => undefined;
    try {
      return await new Promise<WorkEnd<T>>((resolve, reject) => {
        // The messages on the thread's two ports may arrive out of order.
        const hearTheRest = (): void => {
          for (let last = receiveMessageOnPort(port1); last; last = receiveMessageOnPort(port1))
            hear(last.message as FromWorker);
        };
        const leave = (): void => {
          this.#worker = undefined;
          hearTheRest();
        };
        const stop = (reason: Exclude<Exhaustion, 'states' | 'work'>): void => {
          leave();
          resolve({ kind: 'overrun', reason });
        };
        const die = (error: Error & { code?: string }): void => {
          if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') stop('memory');
          else {
            leave();
            reject(error);
          }
        };
        const { maxMemory = Infinity, timeout = Infinity } = limits;
        const look = (): void => {
          if (process.memoryUsage.rss() - before > maxMemory + memorySlack) stop('memory');
          else if (performance.now() - begun > Math.max(0, timeout - spent) + grace) stop('time');
        };
        onAbort = (): void => {
          send('cancel');
          timers.push(setTimeout(stop, graceAfterCancel, 'cancelled'));
        };
        timers.push(setInterval(look, lookEvery));
        port1.on('message', hear);
        signal.addEventListener('abort', onAbort);
        // An earlier abort had no listener.
        if (signal.aborted) onAbort();
        worker.once('message', (answer: WorkerReply) => {
          hearTheRest();
          if ('error' in answer) reject(answer.error);
          else resolve({ kind: 'done', value: answer.value as T });
        });
        worker.once('error', die);
        worker.once('exit', (code) => die(new Error(`worker exited with code: ${code}`)));
        worker.postMessage({ name, order: { ...order, port: port2 } }, [port2]);
      });
    } finally {
      for (const timer of timers) clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      port1.close();
      worker.removeAllListeners('message').removeAllListeners('error').removeAllListeners('exit');
      worker.on('error', () => undefined);
      if (this.#worker === undefined) await this.#end(worker);
    }
  }

  /** Ends a thread, together with all programs started by the thread. */
  async #end(worker: Worker): Promise<void> {
    if (this.#stdin) {
      process.stdin.unpipe();
      process.stdin.pause();
    }
    const { threadId } = worker;
    await worker.terminate();
    // The programs do not notice the end of the thread.
    if (threadId > 0) (await import('@fencewright/core/node')).killHelpersOf(threadId);
  }

  /** Lets the thread end, and waits until all its output has arrived. */
  async close(): Promise<void> {
    const worker = this.#worker;
    if (!worker) return;
    this.#worker = undefined;
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    worker.postMessage({});
    // An open handle may keep the thread alive.
    const timer = setTimeout(() => void worker.terminate(), 1000);
    await ended;
    clearTimeout(timer);
  }
}
