import type { LocationId } from './ids.js';
import type { Thread } from './program.js';

/**
 * Whether the thread has been created, given its location and a function that returns the value in
 * memory at an address. A thread that is never created neither ends nor waits: it does not exist.
 */
export function exists(
  { created, initial }: Pick<Thread, 'created' | 'initial'>,
  location: LocationId,
  valueAt: (address: number) => number,
): boolean {
  return created === undefined || location !== initial || valueAt(created) !== 0;
}
