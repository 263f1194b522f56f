import { fact } from '@fencewright/ground/base/fact.js';
import type { LocationId } from './ids.js';
import type { Thread, Transition } from './program.js';

function tableOf(thread: Thread<unknown>, end: 'from' | 'to') {
  const table: Transition<unknown>[][] = thread.locations.map(() => []);
  for (const transition of thread.transitions) table[transition[end]]?.push(transition);
  return table;
}

const leaving = fact((thread: Thread<unknown>) => tableOf(thread, 'from'));
const entering = fact((thread: Thread<unknown>) => tableOf(thread, 'to'));

/** The outgoing transitions of a location, in the order of the thread. */
export function transitionsFrom<I>(
  thread: Thread<I>,
  location: LocationId,
): readonly Transition<I>[] {
  return (leaving(thread)[location] ?? []) as Transition<I>[];
}

/** The incoming transitions of a location, in the order of the thread. */
export function transitionsTo<I>(
  thread: Thread<I>,
  location: LocationId,
): readonly Transition<I>[] {
  return (entering(thread)[location] ?? []) as Transition<I>[];
}
