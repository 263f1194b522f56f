import type { LocationId } from './ids.js';
import type { Thread, Transition } from './program.js';

type Table = readonly (readonly Transition[])[];

/** Threads do not change, so that their tables can be kept. */
const leavingTables = new WeakMap<Thread, Table>();
const enteringTables = new WeakMap<Thread, Table>();

function tableOf(tables: WeakMap<Thread, Table>, thread: Thread, end: 'from' | 'to'): Table {
  const known = tables.get(thread);
  if (known) return known;
  const table: Transition[][] = thread.locations.map(() => []);
  for (const transition of thread.transitions) table[transition[end]]?.push(transition);
  tables.set(thread, table);
  return table;
}

/** The transitions that leave a location, in the order of the thread. */
export function transitionsFrom(thread: Thread, location: LocationId): readonly Transition[] {
  return tableOf(leavingTables, thread, 'from')[location] ?? [];
}

/** The transitions that lead to a location, in the order of the thread. */
export function transitionsTo(thread: Thread, location: LocationId): readonly Transition[] {
  return tableOf(enteringTables, thread, 'to')[location] ?? [];
}
