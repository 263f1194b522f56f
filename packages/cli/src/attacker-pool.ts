import type { AttackerPool } from '@fencewright/core';
import type { SearchThreads } from './search-in-workers.js';

/**
 * Creates a pool of `jobs` threads for a search, this thread included. The pool starts when the
 * search first hands over work, after `handOverAfter` milliseconds.
 */
export function createAttackerPool(
  jobs: number,
  handOverAfter: number,
  script?: URL,
): AttackerPool & { readonly close: () => Promise<void> } {
  const threads = jobs - 1;
  let started: Promise<SearchThreads> | undefined;
  const start = async (): Promise<SearchThreads> => {
    const { startSearchThreads } = await import('./search-in-workers.js');
    return startSearchThreads(threads, script);
  };
  return {
    threads,
    isDue: (milliseconds) => milliseconds >= handOverAfter,
    search: async (part, limits) => (await (started ??= start())).search(part, limits),
    close: async () => (await started)?.close(),
  };
}
