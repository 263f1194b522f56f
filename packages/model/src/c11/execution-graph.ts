import type { ThreadId, TransitionId } from '../program/ids.js';
import type { MemoryOrder } from '../program/memory-order.js';

/** The memory order of an event; `plain` for accesses of plain variables, which have none. */
export type EventOrder = MemoryOrder | 'plain';

/** An event of an execution graph: an access of memory, or a fence. */
export interface GraphEvent {
  readonly kind: 'read' | 'write' | 'update' | 'fence';
  /** The thread that does the event; absent for initial stores. */
  readonly thread?: ThreadId;
  /** The transition of the program that caused the event; absent for initial stores. */
  readonly transition?: TransitionId;
  readonly order: EventOrder;
  /** The address of the cell that the event accesses; absent for fences. */
  readonly address?: number;
  /** The value that the event reads; absent if it is neither a read nor an update. */
  readonly read?: number;
  /** The value that the event writes; absent if it is neither a write nor an update. */
  readonly written?: number;
  /** The index of the store from which a read or an update reads. */
  readonly from?: number;
}

/**
 * An execution of a program under C11. The events of one thread stand in program order. Plain data.
 */
export interface ExecutionGraph {
  readonly events: readonly GraphEvent[];
  /**
   * The modification order of each accessed cell: the indices of all writes and updates of the
   * cell, the initial store first.
   */
  readonly modification: readonly (readonly number[])[];
}

/** The memory model for `seq_cst` accesses: `ra` treats them as `acq_rel`. */
export type C11Model = 'c11' | 'ra';
