import type { MessagePort } from 'node:worker_threads';
import type { Progress } from '@fencewright/core';
import type { Wire } from './wire.js';

/** A piece of work for a worker thread, with the port for messages to and from the main thread. */
export interface PoolOrder {
  /**
   * The port through which the thread sends `FromWorker` messages and receives `ToWorker` messages.
   */
  readonly port: MessagePort;
}

/** The request that the thread stops and reports partial results. */
export type ToWorker = 'cancel';

export type FromWorker =
  | { readonly kind: 'progress'; readonly progress: Progress }
  /** A `KnownAnswer`, encoded by `toWire`. */
  | { readonly kind: 'known'; readonly wire: Wire };
