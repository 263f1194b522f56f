import type { MessagePort } from 'node:worker_threads';
import type { Progress } from '@fencewright/core';

/** A piece of work for a thread of the pool. */
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
  | { readonly kind: 'known'; readonly wire: string };
