import type { Moment } from './machine.js';
import type { OwnItems } from './repair.js';

/**
 * Whether a computation remains one of the program when all the items of `own` (by thread) are
 * there at once. Written `c`, of a program `P`:
 *
 * - A fence before what leaves a location is passed when the buffer is empty at some moment between
 *   arrival and departure; as the buffer only shrinks in between, at the last one.
 * - A fence of the program that stays: the buffer is empty when it is executed.
 * - An exchange in place of a store (or that stays): the store finds an empty buffer, and the
 *   thread does nothing until it is in memory. Then it may as well be executed where it reaches
 *   memory, as one step.
 *
 * **Why clauses are necessary.** Let `c` survive all items outside a clause `C`, and let `R` be any
 * set of items with none of `C`. Then `R` is among those that `c` survives, each condition above
 * speaks of one item alone, so `c` is, up to the moments of exchanges' stores, a computation of `P`
 * with `R`. Happens-before of it there has every edge that it has in `P`: fences are no nodes,
 * orders and values are the same, and an exchange is a store that reads as well, which adds edges
 * and takes none away, in either notion. So if it is cyclic in `P`, `P` with `R` is not robust,
 * whatever else `R`'s exchanges do. Hence every set that makes `P` robust has an item of every
 * clause, and costs at least what the cheapest set does that has. No attacker, delay or monotony is
 * needed: that a cycle hangs on stores that `C` forbids to delay is just what survival says.
 */
export function survives(moments: readonly Moment[], own: readonly OwnItems[]): boolean {
  return moments.every(({ action: { thread, kind, transition }, before }, at) => {
    if (kind === 'store') return true;
    const { fences, transitions } = own[thread]!;
    const from = before.locations[thread]!;
    const isEmpty = before.buffers[thread]!.length === 0;
    if (!isEmpty && (fences.has(from) || transitions.has(transition))) return false;
    if (kind !== 'issue' || !transitions.has(transition)) return true;
    const next = moments.slice(at + 1).find(({ action }) => action.thread === thread);
    return next?.action.kind === 'store';
  });
}
