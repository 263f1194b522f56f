import type { MessagePort } from 'node:worker_threads';
import type { Progress } from '@fencewright/core';

/** A piece of work for a thread of the pool. */
export interface Order {
  /** The port that carries messages `FromWorker` out and `ToWorker` in while the task runs. */
  readonly port: MessagePort;
}

/** The user's wish to stop: the worker is to report partial results. */
export type ToWorker = 'cancel';

export type FromWorker =
  | { readonly kind: 'progress'; readonly progress: Progress }
  /** A `KnownAnswer`, as the text for sending between threads. */
  | { readonly kind: 'known'; readonly wire: string };
