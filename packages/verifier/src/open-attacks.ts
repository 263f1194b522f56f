import { draining, type Thread } from './automata.js';

/**
 * Returns the loads, by transition, that control flow reaches from a store without emptying the
 * buffer. A load outside this set forms no attack with the store ([BDM13] Def. 1).
 */
export function loadsBehind({ transitions }: Thread, store: number): ReadonlySet<number> {
  const start = transitions[store];
  const loads = new Set<number>();
  const reached = new Set(start?.instruction.kind === 'store' ? [start.to] : []);
  // The set grows during the loop.
  for (const location of reached)
    for (const [id, { from, to, instruction }] of transitions.entries()) {
      if (from !== location || draining.has(instruction.kind)) continue;
      if (instruction.kind === 'load') loads.add(id);
      reached.add(to);
    }
  return loads;
}

/**
 * Returns the attacks of a thread that control flow allows: for each store, the loads that can
 * overtake the store.
 */
export function openAttacks(thread: Thread): ReadonlyMap<number, ReadonlySet<number>> {
  const all = thread.transitions.map((_, id) => [id, loadsBehind(thread, id)] as const);
  return new Map(all.filter(([, loads]) => loads.size > 0));
}
