import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { ThreadClasses } from '../automata/thread-classes.js';

/**
 * Yields the sets of `size` threads that contain the attacker, except for sets that differ only in
 * threads with equal code: a set with `n` threads of some code contains the first `n` of them. Sets
 * are in ascending order.
 */
export function* threadSets(
  classes: ThreadClasses,
  attacker: ThreadId,
  size: number,
): Generator<readonly ThreadId[]> {
  const helpers = classes.map((members) => members.filter((member) => member !== attacker));
  for (const set of choose(helpers, size - 1)) yield [attacker, ...set].sort((a, b) => a - b);
}

/**
 * Yields the choices of `count` threads among the given classes, always the first threads of each
 * class.
 */
function* choose(
  [members, ...others]: ThreadClasses,
  count: number,
): Generator<readonly ThreadId[]> {
  if (count === 0) yield [];
  if (count === 0 || !members) return;
  for (let taken = Math.min(count, members.length); taken >= 0; taken--)
    for (const rest of choose(others, count - taken)) yield [...members.slice(0, taken), ...rest];
}
