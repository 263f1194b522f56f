import type { MessagePort } from 'node:worker_threads';
import type { Progress } from '@fencewright/core';

/** What a thread of the pool works through. */
export interface Order {
  /** Takes what `FromWorker` says, and passes on what `ToWorker` does, while the task runs. */
  readonly port: MessagePort;
}

/** The user wants to stop: report what is known. */
export type ToWorker = 'cancel';

export type FromWorker =
  | { readonly kind: 'progress'; readonly progress: Progress }
  /** A `KnownAnswer`, as the text that threads send. */
  | { readonly kind: 'known'; readonly wire: string };
