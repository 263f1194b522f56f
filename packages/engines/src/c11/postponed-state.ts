import type { RegisterId, ThreadId } from '@fencewright/model/program/ids.js';
import type { EventOrder } from '@fencewright/model/c11/execution-graph.js';
import type { C11Step } from './c11-steps.js';
import type { MonitorEvent } from './monitor-steps.js';
import type { PartlyKnown } from './settle-unknown.js';

/** A store that waits for the same thread's postponed load. */
export interface WaitingStore {
  /** The stored value; absent if unknown. */
  readonly written?: number | undefined;
  /** The order of a store; absent for the store of a read-modify-write. */
  readonly order?: EventOrder;
}

/** A step of an execution with a postponed load. */
export interface PostponedEvent extends MonitorEvent {
  /**
   * For a store: whether the store is executed after the postponed load. For a load: whether the
   * load gets, by forwarding, the value of the thread's newest late store to the cell.
   */
  readonly isLate?: true;
}

/** A postponed load of a thread, and the later accesses executed before the load. */
export interface Postponed {
  readonly thread: ThreadId;
  readonly step: C11Step;
  readonly cell: number;
  /** The values of the thread's registers before the postponed load. */
  readonly registers: readonly number[];
  /** By cell, the newest store of the thread that waits for the load. */
  readonly waiting: ReadonlyMap<number, WaitingStore>;
  /**
   * A read-modify-write of the load's cell that acquires on failure, if the thread has already
   * executed steps after it. These steps are possible only if the read-modify-write stores when it
   * reads the value of the load.
   */
  readonly mustStore?: { readonly step: C11Step; readonly place: PartlyKnown };
  /**
   * Whether a `seq_cst` access of the thread waits for the postponed load, so that later `seq_cst`
   * accesses wait as well.
   */
  readonly holdsSeqCst: boolean;
  /** Whether the thread has executed a store that follows the load in program order. */
  readonly hasStored: boolean;
  /**
   * Whether the execution contains a case that the search does not follow to the end:
   *
   * - a read-modify-write whose load is executed before the postponed load, and whose store is not;
   * - a read-modify-write, or a `seq_cst` load, that gets the value of a waiting store of the
   *   thread;
   * - a load that gets the value of a waiting read-modify-write.
   */
  readonly isDoubtful: boolean;
  /**
   * The threads whose next steps follow, in every SC order, a store executed by the load's thread
   * before the load.
   */
  readonly threads: ReadonlySet<ThreadId>;
  /**
   * The cells whose last stores follow, in every SC order, a store executed by the load's thread
   * before the load.
   */
  readonly stores: ReadonlySet<number>;
  /**
   * The cells whose last stores, or reads of the last stores, follow, in every SC order, a store
   * executed by the load's thread before the load.
   */
  readonly readers: ReadonlySet<number>;
}

/**
 * A state of the search for load buffering: the state of the program, the knowledge of threads
 * about stores, and the postponed load.
 */
export interface PostponedState {
  /**
   * The state of the program and the knowledge of threads about stores, as in `MonitoredProgram`.
   */
  readonly monitored: Int32Array;
  /** The registers without a known value, of the thread whose load is postponed. */
  readonly unknown: ReadonlySet<RegisterId>;
  readonly postponed?: Postponed;
  /** The events of the execution that lead to the state, as a linked list. */
  readonly way?: Way;
}

/**
 * A linked list of events, and of exchanges of threads with equal code. It begins with the last
 * entry.
 */
export interface Way {
  readonly before?: Way | undefined;
  /** `postponed` marks the load's place in program order; absent for an exchange of threads. */
  readonly event?: PostponedEvent | 'postponed';
  /**
   * For each thread of the sorted state, the thread that held the thread's words before the
   * exchange; absent for an event.
   */
  readonly moved?: readonly ThreadId[];
}

/** Returns a load that is postponed, before any later access. */
export function postponedAt(
  thread: ThreadId,
  step: C11Step,
  cell: number,
  registers: readonly number[],
): Postponed {
  return {
    ...{ thread, step, cell, registers, waiting: new Map() },
    ...{ holdsSeqCst: false, hasStored: false, isDoubtful: false },
    ...{ threads: new Set(), stores: new Set(), readers: new Set() },
  };
}

/**
 * Whether later accesses of the thread cannot access the cell `other` before the postponed load,
 * because the load or a waiting store is of this cell.
 */
export function isHeld({ cell, waiting }: Postponed, other: number): boolean {
  return other === cell || waiting.has(other);
}

const sorted = (set: ReadonlySet<number>): string => [...set].sort((a, b) => a - b).join();

const sortedEntries = (map: ReadonlyMap<number, WaitingStore>): string =>
  [...map]
    .sort(([a], [b]) => a - b)
    .map(([cell, { written, order }]) => `${cell}:${written}:${order}`)
    .join();

const keyOfStep = ({ step, place }: NonNullable<Postponed['mustStore']>): string =>
  [step.code.id, place.registers.join(), sorted(place.unknown)].join(':');

/**
 * Returns a key of the state; executions can continue from states with equal keys in the same ways.
 */
export function postponedKey({ monitored, unknown, postponed: p }: PostponedState): string {
  if (!p) return monitored.join();
  return [
    ...[monitored.join(), sorted(unknown), p.thread, p.step.code.id, p.cell, p.registers.join()],
    ...[sortedEntries(p.waiting), p.mustStore && keyOfStep(p.mustStore)],
    ...[p.holdsSeqCst, p.hasStored, p.isDoubtful],
    ...[sorted(p.threads), sorted(p.stores), sorted(p.readers)],
  ].join(';');
}

export function withItem(set: ReadonlySet<number>, item: number): ReadonlySet<number> {
  return set.has(item) ? set : new Set([...set, item]);
}

function withoutItem(set: ReadonlySet<number>, item: number): ReadonlySet<number> {
  return set.has(item) ? new Set([...set].filter((one) => one !== item)) : set;
}

/**
 * Returns the postponed load after an event of any thread. The result records the threads, stores
 * and readers that now follow, in every SC order, a store of the load's thread.
 */
export function behindEvent(postponed: Postponed, { thread, kind, cell }: MonitorEvent): Postponed {
  if (cell === undefined) return postponed;
  const isOwn = postponed.thread === thread;
  const hasStored = postponed.hasStored || (isOwn && kind !== 'read');
  if (!hasStored) return postponed;
  const { threads, stores, readers } = postponed;
  const isReached = isOwn || threads.has(thread) || stores.has(cell);
  if (kind === 'read') {
    if (!isReached) return { ...postponed, hasStored };
    return {
      ...{ ...postponed, hasStored },
      threads: withItem(threads, thread),
      readers: withItem(readers, cell),
    };
  }
  if (isReached || readers.has(cell))
    return {
      ...{ ...postponed, hasStored },
      threads: withItem(threads, thread),
      stores: withItem(stores, cell),
      readers: withItem(readers, cell),
    };
  return { ...{ ...postponed, hasStored }, stores: withoutItem(stores, cell) };
}
