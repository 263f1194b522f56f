import type { ThreadId } from '../program/ids.js';
import type { Computation } from './computation.js';

/**
 * Returns the number of delays of a computation ([BDM13x] App. B): for each store that reaches
 * memory, the actions of its thread between issue and store, stores included.
 */
export function countDelays(computation: Computation): number {
  const waiting = new Map<ThreadId, number>();
  let delays = 0;
  for (const { kind, thread } of computation) {
    const stores = waiting.get(thread) ?? 0;
    // A store that reaches memory does not count for itself; an issued store waits only afterwards.
    delays += kind === 'store' ? stores - 1 : stores;
    if (kind === 'issue') waiting.set(thread, stores + 1);
    if (kind === 'store') waiting.set(thread, stores - 1);
  }
  return delays;
}
