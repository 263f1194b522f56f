import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { fileURLToPath } from 'node:url';
import type { Exhaustion, Limits } from '@fencewright/core';
import { mebibyte } from './options/values.js';
import type { FromWorker, ToWorker } from './worker-messages.js';

/**
 * What became of work on a thread: done, or ended from outside since it would not keep to its
 * limits.
 */
export type Ended<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'overrun'; readonly reason: Exclude<Exhaustion, 'states'> };

/** Milliseconds beyond the limit in which a search can still say what it knows. */
const grace = 400;
/** Milliseconds after Ctrl-C in which it can. */
const usualGraceAfterCancel = 8000;
/** Milliseconds between looks at the memory. */
const lookEvery = 25;
/**
 * Bytes that the process may take beyond the limit, which is about tables: programs, reports,
 * garbage.
 */
const memorySlack = 64 * mebibyte;
/**
 * MiB: how deep programs may be nested depends on it, and a front end calls itself for each level.
 */
const stackMegabytes = 64;

/** What a thread does: it calls functions of a script, and sends back what they give. */
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

type Answer = { readonly value: unknown } | { readonly error: Error };

export interface Watch {
  readonly limits: Pick<Limits, 'maxMemory' | 'timeout'>;
  readonly signal: AbortSignal;
  readonly onProgress?: Limits['onProgress'];
  /** Told what the work says that is known; all of it also where the thread dies right behind. */
  readonly onKnown?: (wire: string) => void;
  /** Milliseconds of the time limit that are gone already. */
  readonly spent?: number;
  /** Milliseconds after the wish to stop in which a search can say what it knows. */
  readonly graceAfterCancel?: number;
}

/**
 * A thread for work that may be busy for long without looking at its limits: whatever it does, in a
 * loop of its own or in a library, it is ended when time or memory are used up, and started anew
 * for the next piece of work.
 */
export class WorkThread {
  readonly #script: URL;
  readonly #stdin: boolean;
  #worker: Worker | undefined;

  /** With `stdin`, what the process is given goes to the thread. */
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
   * Has the thread call the function `name` of its script. Rejects if that throws or the thread
   * dies of something else.
   */
  async run<T>(name: string, order: object, watch: Watch): Promise<Ended<T>> {
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
      return await new Promise<Ended<T>>((resolve, reject) => {
        /** What was said before the end comes by another way, and may be here later. */
        const hearRest = (): void => {
          for (let last = receiveMessageOnPort(port1); last; last = receiveMessageOnPort(port1))
            hear(last.message as FromWorker);
        };
        const leave = (): void => {
          this.#worker = undefined;
          hearRest();
        };
        const stop = (reason: Exclude<Exhaustion, 'states'>): void => {
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
        // Nobody has listened before.
        if (signal.aborted) onAbort();
        worker.once('message', (answer: Answer) => {
          hearRest();
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

  /** Ends a thread that is let go, with the programs that it has started. */
  async #end(worker: Worker): Promise<void> {
    if (this.#stdin) {
      process.stdin.unpipe();
      process.stdin.pause();
    }
    const { threadId } = worker;
    await worker.terminate();
    // They know nothing of its end.
    if (threadId > 0) (await import('@fencewright/core/node')).killHelpersOf(threadId);
  }

  /** Lets the thread end, and waits until what it has printed is there. */
  async close(): Promise<void> {
    const worker = this.#worker;
    if (!worker) return;
    this.#worker = undefined;
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    worker.postMessage({});
    // Something may keep it alive.
    const timer = setTimeout(() => void worker.terminate(), 1000);
    await ended;
    clearTimeout(timer);
  }
}
