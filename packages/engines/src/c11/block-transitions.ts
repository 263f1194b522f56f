import type { LocationId } from '@fencewright/model/program/ids.js';
import type { Transition } from '@fencewright/model/program/program.js';

/**
 * Returns the transitions of the lock block that begins at the location `begin`, up to and
 * including each `unlock`. Callers may represent a transition by an object of their own: `leaving`
 * returns the objects for the transitions that leave a location, `transitionOf` the transition of
 * an object.
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
