import type { MessagePort } from 'node:worker_threads';
import type { Progress } from '@fencewright/core';
import type { FileVerb } from './run-on-file.js';
import type { Settings } from './settings.js';

/** What a thread of the pool is given to do. */
export interface WorkerTask {
  readonly verb: FileVerb;
  readonly file: string;
  readonly settings: Settings;
  /** Takes what `FromWorker` says, and passes on what `ToWorker` does, while the task runs. */
  readonly port: MessagePort;
}

/** The user wants to stop: report what is known. */
export type ToWorker = 'cancel';

export type FromWorker = Progress;
