import type { LocationId } from '../program/ids.js';
import { drainsBuffer } from '../program/instruction.js';
import type { Program, Thread } from '../program/program.js';
import type { Attack } from '../verdict/attack.js';

/** Every attack: each pair of a store and a load of one thread, in the order of the program ([BDM13] Def. 1). Rmws are neither. */
export function enumerateAttacks(program: Program): Attack[] {
  return program.threads.flatMap((thread, t) =>
    thread.transitions.flatMap((s, store) =>
      s.instruction.kind !== 'store'
        ? []
        : thread.transitions.flatMap((l, load) =>
            l.instruction.kind === 'load' ? [{ thread: t, store, load }] : [],
          ),
    ),
  );
}

/** The locations of `thread` that can be reached from `start` without an instruction that drains the store buffer; `start` included. */
export function locationsBeforeDrain(thread: Thread, start: LocationId): ReadonlySet<LocationId> {
  const reached = new Set<LocationId>([start]);
  // A Set is iterated in the order of insertion, additions during the iteration included.
  for (const location of reached)
    for (const { from, to, instruction } of thread.transitions)
      if (from === location && !drainsBuffer(instruction)) reached.add(to);
  return reached;
}

/** Whether every control-flow path from the store to the load drains the store buffer: such an attack is infeasible, no search is needed. */
export function isInfeasibleByControlFlow(program: Program, attack: Attack): boolean {
  const thread = program.threads[attack.thread];
  const store = thread?.transitions[attack.store];
  const load = thread?.transitions[attack.load];
  if (!thread || !store || !load) return true;
  return !locationsBeforeDrain(thread, store.to).has(load.from);
}
