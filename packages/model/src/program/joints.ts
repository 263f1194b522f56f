import { transitionsFrom, transitionsTo } from './leaving.js';
import type { LocationId } from './ids.js';
import type { Thread, Transition } from './program.js';

/**
 * Whether control can reach the location in more than one way: by several transitions, or at the
 * start of the thread and by a transition.
 */
export function isJoint(thread: Thread, location: LocationId): boolean {
  const entries = transitionsTo(thread, location).length;
  return entries + (location === thread.initial ? 1 : 0) > 1;
}

/**
 * Returns the only transition that leaves the target of the given transition; `undefined` if
 * several or none leave it, or if control can reach it in another way as well.
 */
export function onlyNext(thread: Thread, { to }: Transition): Transition | undefined {
  if (isJoint(thread, to)) return undefined;
  const [next, other] = transitionsFrom(thread, to);
  return other ? undefined : next;
}
