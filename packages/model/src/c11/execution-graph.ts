import type { ThreadId, TransitionId } from '../program/ids.js';
import type { MemoryOrder } from '../program/memory-order.js';

/** The order of an event; accesses of plain variables have none. */
export type EventOrder = MemoryOrder | 'plain';

/** An event of an execution graph: an access of memory, or a fence. */
export interface GraphEvent {
  readonly kind: 'read' | 'write' | 'update' | 'fence';
  /** The thread of the event; absent for initial stores. */
  readonly thread?: ThreadId;
  /** The transition that the event belongs to; absent for initial stores. */
  readonly transition?: TransitionId;
  readonly order: EventOrder;
  /** The address of the cell; absent for fences. */
  readonly address?: number;
  /** The value that a read or an update reads. */
  readonly read?: number;
  /** The value that a write or an update writes. */
  readonly written?: number;
  /** The index of the store that a read or an update reads from. */
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
