import type { LocationId } from './ids.js';
import type { Thread, Transition } from './program.js';

/** Whether a thread that stands at a location holds the bus lock; `unknown` if paths differ. */
export type LockStatus = 'free' | 'held' | 'unknown';

/**
 * Returns whether the thread holds the bus lock at each location, indexed by `LocationId`;
 * unreachable locations count as `free`.
 */
export function computeLockStatus(thread: Thread): readonly LockStatus[] {
  // For each location: whether a path arrives without the lock, and with the lock.
  const seen = thread.locations.map(() => [false, false] as [boolean, boolean]);
  const pending: [LocationId, boolean][] = [];
  const visit = (location: LocationId, held: boolean): void => {
    const here = seen[location];
    if (!here || here[held ? 1 : 0]) return;
    here[held ? 1 : 0] = true;
    pending.push([location, held]);
  };
  const outgoing: Transition[][] = thread.locations.map(() => []);
  for (const transition of thread.transitions) outgoing[transition.from]?.push(transition);
  visit(thread.initial, false);
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [at, held] = next;
    for (const { to, instruction } of outgoing[at] ?? []) {
      // A second lock and an unlock without a lock block for ever.
      if (instruction.kind === 'lock') {
        if (!held) visit(to, true);
      } else if (instruction.kind === 'unlock') {
        if (held) visit(to, false);
      } else visit(to, held);
    }
  }
  return seen.map(([free, held]) => (free && held ? 'unknown' : held ? 'held' : 'free'));
}
