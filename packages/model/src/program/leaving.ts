import type { LocationId } from './ids.js';
import type { Thread, Transition } from './program.js';

type Table<I> = readonly (readonly Transition<I>[])[];

type Tables = WeakMap<object, Table<unknown>>;

/**
 * The outgoing and incoming transitions by location, cached by thread, as threads are immutable.
 */
const leavingTables: Tables = new WeakMap();
const enteringTables: Tables = new WeakMap();

function tableOf<I>(tables: Tables, thread: Thread<I>, end: 'from' | 'to'): Table<I> {
  const known = tables.get(thread);
  if (known) return known as Table<I>;
  const table: Transition<I>[][] = thread.locations.map(() => []);
  for (const transition of thread.transitions) table[transition[end]]?.push(transition);
  tables.set(thread, table);
  return table;
}

/** The outgoing transitions of a location, in the order of the thread. */
export function transitionsFrom<I>(
  thread: Thread<I>,
  location: LocationId,
): readonly Transition<I>[] {
  return tableOf(leavingTables, thread, 'from')[location] ?? [];
}

/** The incoming transitions of a location, in the order of the thread. */
export function transitionsTo<I>(
  thread: Thread<I>,
  location: LocationId,
): readonly Transition<I>[] {
  return tableOf(enteringTables, thread, 'to')[location] ?? [];
}
