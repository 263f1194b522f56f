import type { LocationId } from '@fencewright/model/program/ids.js';
import type { Transition } from '@fencewright/model/program/program.js';

/**
 * Returns the transitions of the lock block that begins at the location `begin`, up to and
 * including each `unlock`. `leaving` returns the elements at a location, each with one transition;
 * `transitionOf` returns the transition of an element.
 */
export function transitionsOfBlock<T>(
  begin: LocationId,
  leaving: (location: LocationId) => readonly T[],
  transitionOf: (one: T) => Transition,
): readonly T[] {
  const reached = new Set([begin]);
  const found: T[] = [];
  for (const location of reached)
    for (const one of leaving(location)) {
      found.push(one);
      const { instruction, to } = transitionOf(one);
      if (instruction.kind !== 'unlock') reached.add(to);
    }
  return found;
}
