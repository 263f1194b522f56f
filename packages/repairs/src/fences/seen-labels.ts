import { hasPart } from '@fencewright/model/program/expression.js';
import type { LocationId, ThreadId } from '@fencewright/model/program/ids.js';
import type { Program, Property, StateLeaf } from '@fencewright/model/program/program.js';
import { textThread } from './text-thread.js';

/**
 * Returns a function that says whether a property observes a location of a thread's text, by `t @
 * l`. A fence at an observed location is placed before the location: a thread at the label has
 * passed the fence.
 */
export function seenLabels(
  program: Program,
  properties: readonly Property[],
): (thread: ThreadId, location: LocationId) => boolean {
  const seen = new Set<string>();
  for (const { condition } of properties)
    hasPart<StateLeaf>(condition, (part) => {
      if (part.kind === 'at') seen.add(`${textThread(program, part.thread)} ${part.location}`);
      return false;
    });
  return (thread, location) => seen.has(`${textThread(program, thread)} ${location}`);
}
