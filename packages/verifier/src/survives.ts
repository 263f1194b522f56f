import type { Moment } from './machine.js';
import type { OwnItems } from './repair.js';

/**
 * Whether a computation `c` of a program `P` remains possible when all items of `own` (by thread)
 * are inserted at once. The conditions:
 *
 * - A fence before the transitions that leave a location: the buffer is empty at some moment
 *   between arrival at the location and departure. As the buffer only shrinks in between, the
 *   thread passes the fence at the last such moment.
 * - A fence of the program that stays: the buffer is empty when the fence is executed.
 * - A heavy fence of the program that stays, and is a `skip` in `P`: as heavy fences before the
 *   transitions that leave a location, in place of the `skip`.
 * - Where heavy fences are inserted or stay, local actions of a thread (such as a `skip`) are moved
 *   to any moment between its other actions: no other thread notices this moment.
 * - Heavy fences before the transitions that leave a location, behind a fence there: the first
 *   heavy fence begins at a moment between arrival and departure at which the buffer is empty. A
 *   heavy fence ends when every other buffer has been empty at some moment since its begin, and the
 *   next heavy fence begins. The thread issues nothing in between, so its own buffer stays empty.
 *   Nothing is lost by letting each heavy fence begin as early as possible.
 * - An exchange in place of a store (or an exchange that stays): the store finds an empty buffer,
 *   and the thread does nothing until the store is in memory. Then the store may as well be
 *   executed at the moment of reaching memory, as one step.
 *
 * **Why clauses are necessary.** Let `c` survive all items outside a clause `C`, and let `R` be any
 * set of items with none of `C`. Then `c` survives `R`: fewer heavy fences at a location end
 * earlier, and each other condition above speaks of one item alone. If a buffer is empty in `c`,
 * exchanges leave the buffer empty, so heavy fences of the program and of `R` end no later than in
 * `c`. So `c` is, up to the moments of exchanges' stores, a computation of `P` with `R`.
 * Happens-before of `c` in `P` with `R` has every edge of happens-before of `c` in `P`: fences of
 * both kinds are no nodes, orders and values do not change, and an exchange is a store that also
 * reads, which adds edges and removes none, in either notion of happens-before. So if
 * happens-before is cyclic in `P`, `P` with `R` is not robust, whatever else `R`'s exchanges do.
 * Hence every set that makes `P` robust has an item of every clause, and costs at least as much as
 * the cheapest set with an item of every clause. The argument needs no attacker, delay or monotony:
 * survival says exactly that the cycle depends on stores which `C` forbids to delay.
 */
export function survives(moments: readonly Moment[], own: readonly OwnItems[]): boolean {
  const isHeavy = own.some(({ heavy, heavyKept }) => heavy.size > 0 || heavyKept.size > 0);
  if (isHeavy && !passesHeavyFences(moments, own)) return false;
  return moments.every(({ action: { thread, kind, transition }, before }, at) => {
    if (kind === 'store') return true;
    const { fences, transitions, heavyKept } = own[thread]!;
    const from = before.locations[thread]!;
    const isEmpty = before.buffers[thread]!.length === 0;
    if (heavyKept.has(transition)) return true;
    if (!isEmpty && (fences.has(from) || transitions.has(transition))) return false;
    if (kind !== 'issue' || !transitions.has(transition)) return true;
    const next = moments.slice(at + 1).find(({ action }) => action.thread === thread);
    return next?.action.kind === 'store';
  });
}

/** Whether all threads can pass the heavy fences of `own` between the moments of a computation. */
function passesHeavyFences(moments: readonly Moment[], own: readonly OwnItems[]): boolean {
  /** The first moment from `from` on at which the buffer of the thread is empty. */
  const emptyFrom = (thread: number, from: number): number => {
    const at = moments.findIndex(
      ({ before }, moment) => moment >= from && before.buffers[thread]!.length === 0,
    );
    return at < 0 ? moments.length : at;
  };
  return own.every(({ heavy, heavyKept }, thread) => {
    // The first moment at which the thread is at its present location.
    let arrival = 0;
    return moments.every(({ action, before }, departure) => {
      if (action.thread !== thread || action.kind === 'store') return true;
      // A heavy fence of the program may have kept the thread up to this moment.
      const inFence = moments
        .slice(arrival, departure)
        .findLastIndex((one) => one.before.asked?.has(thread) === true);
      let moment = arrival + inFence + 1;
      const kept = heavyKept.has(action.transition) ? 1 : 0;
      const passed = kept + (heavy.get(before.locations[thread]!) ?? 0);
      for (let left = passed; left > 0; left--) {
        moment = emptyFrom(thread, moment);
        const ends = own.map((_, other) => emptyFrom(other, moment));
        moment = Math.max(...ends);
      }
      const isLocal = action.kind === 'local';
      arrival = isLocal ? moment : departure + 1;
      return isLocal || moment <= departure;
    });
  });
}
