import type { AttackerPart, Limits, PartOutcome } from '@fencewright/core';
import { createPool, runOnThread } from './run-on-thread.js';
import { workerScript } from './worker-script.js';

/** Threads that each search for the attacks of a part of a program's threads. */
export interface SearchThreads {
  readonly search: (part: AttackerPart, limits: Limits) => Promise<PartOutcome>;
  readonly close: () => Promise<void>;
}

/** Starts threads that search for attacks. */
export function startSearchThreads(threads: number, script = workerScript): SearchThreads {
  const pool = createPool(threads);
  return {
    search: (part, { signal, onProgress, ...limits }) =>
      runOnThread(
        { pool, script, name: 'searchPartInWorker' },
        { part, limits },
        { ...(signal && { signal }), ...(onProgress && { onProgress }) },
      ),
    close: () => pool.destroy(),
  };
}
