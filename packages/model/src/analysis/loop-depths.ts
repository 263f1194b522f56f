import { at } from '@fencewright/ground/base/at.js';
import type { EventInstruction } from '../program/event-program.js';
import type { LocationId } from '../program/ids.js';
import type { Thread } from '../program/program.js';
import {
  computeControlFlow,
  computeCycleClosers,
  computeReachableAvoiding,
} from './control-flow.js';

/**
 * Returns the locations of a loop: the head, and the locations that are entered only through the
 * head and from which a jump leads back to the head.
 */
function loopOf(thread: Thread<EventInstruction>, head: LocationId): ReadonlySet<LocationId> {
  const outside = computeReachableAvoiding(
    thread,
    thread.initial,
    ({ from, to }) => from === head || to === head,
  );
  const flow = computeControlFlow(thread);
  const sourcesOf = (location: LocationId): LocationId[] =>
    at(flow.incoming, location).map((id) => at(thread.transitions, id).from);
  const isInside = (location: LocationId): boolean =>
    location === head || outside[location] !== true;
  const found = new Set(sourcesOf(head).filter((source) => isInside(source)));
  // Additions during the iteration are visited too.
  for (const location of found)
    if (location !== head)
      for (const source of sourcesOf(location)) if (source !== head) found.add(source);
  return found.size > 0 ? found.add(head) : found;
}

/** The number of loops that contain each location; indexed by `LocationId`. */
export function computeLoopDepths(thread: Thread<EventInstruction>): readonly number[] {
  const depths = thread.locations.map(() => 0);
  computeCycleClosers(thread).forEach((closes, head) => {
    if (!closes) return;
    for (const location of loopOf(thread, head)) depths[location] = at(depths, location) + 1;
  });
  return depths;
}
