import { MessageChannel } from 'node:worker_threads';
import { fileURLToPath } from 'node:url';
import type { Limits } from '@fencewright/core';
import { Piscina } from 'piscina';
import type { FromWorker, ToWorker } from './worker-messages.js';

/** Creates a pool of threads that run the worker script. */
export function createPool(threads: number): Piscina {
  const pool = new Piscina({
    minThreads: threads,
    maxThreads: threads,
    // A thread waiting for a task must still react to other messages.
    atomics: 'disabled',
  });
  // The pool reports threads that die between tasks, and replaces them.
  pool.on('error', () => undefined);
  return pool;
}

/**
 * Runs the function `name` of the worker script on a thread of the pool, with arguments, and with a
 * port for progress and for the request to stop. Rejects if the function throws or the thread dies,
 * for instance of lack of memory.
 */
export async function runOnThread<T>(
  { pool, script, name }: { readonly pool: Piscina; readonly script: URL; readonly name: string },
  order: object,
  { signal, onProgress }: Pick<Limits, 'signal' | 'onProgress'>,
): Promise<T> {
  const { port1, port2 } = new MessageChannel();
  const send = (message: ToWorker): void => port1.postMessage(message);
  const cancel = (): void => send('cancel');
  port1.on('message', (said: FromWorker) => {
    if (said.kind === 'progress') onProgress?.(said.progress);
  });
  signal?.addEventListener('abort', cancel);
  // An earlier abort had no listener.
  if (signal?.aborted) cancel();
  try {
    const options = { filename: fileURLToPath(script), name, transferList: [port2] };
    return (await pool.run({ ...order, port: port2 }, options)) as T;
  } finally {
    signal?.removeEventListener('abort', cancel);
    port1.close();
  }
}
