import type { LocationId } from './ids.js';
import type { Thread } from './program.js';

/**
 * Whether the thread has been created, in a state with the thread at the location and with the
 * memory. A thread that is never created neither ends nor waits: it does not exist.
 */
export function isCreated(
  { created, initial }: Pick<Thread, 'created' | 'initial'>,
  location: LocationId,
  memory: Pick<ReadonlyMap<number, number>, 'get'>,
): boolean {
  return created === undefined || location !== initial || (memory.get(created) ?? 0) !== 0;
}
