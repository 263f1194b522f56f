import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { ThreadClasses } from '../automata/thread-classes.js';

/**
 * Yields the sets of `size` threads that contain the attacker, up to renaming threads with equal
 * code: each set takes the first members of each class. Sets are in ascending order.
 */
export function* threadSets(
  classes: ThreadClasses,
  attacker: ThreadId,
  size: number,
): Generator<readonly ThreadId[]> {
  const helpers = classes.map((members) => members.filter((member) => member !== attacker));
  for (const set of choose(helpers, size - 1)) yield [attacker, ...set].sort((a, b) => a - b);
}

/** Yields the ways to take `count` members, always the first members of a class. */
function* choose(
  [members, ...others]: ThreadClasses,
  count: number,
): Generator<readonly ThreadId[]> {
  if (count === 0) yield [];
  if (count === 0 || !members) return;
  for (let taken = Math.min(count, members.length); taken >= 0; taken--)
    for (const rest of choose(others, count - taken)) yield [...members.slice(0, taken), ...rest];
}
