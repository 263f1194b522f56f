import { transitionsFrom, transitionsTo } from './leaving.js';
import type { LocationId } from './ids.js';
import type { Thread, Transition } from './program.js';

/** Whether control can reach the location in more than one way. */
export function isJoint(thread: Thread, location: LocationId): boolean {
  const entries = transitionsTo(thread, location).length;
  return entries + (location === thread.initial ? 1 : 0) > 1;
}

/**
 * The only transition behind the given transition, if no further transition leads to its source.
 */
export function onlyNext(thread: Thread, { to }: Transition): Transition | undefined {
  if (isJoint(thread, to)) return undefined;
  const [next, other] = transitionsFrom(thread, to);
  return other ? undefined : next;
}
