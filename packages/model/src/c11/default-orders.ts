import type { MemoryOrder } from '../program/memory-order.js';

/** The memory order of a load or store for which the program specifies none. */
export const defaultAccessOrder: MemoryOrder = 'relaxed';

/** The memory order of a read-modify-write for which the program specifies none. */
export const defaultRmwOrder: MemoryOrder = 'seq_cst';

/**
 * Returns the order of a failed read-modify-write without an explicit order: the order of success
 * without the release part.
 */
export function failureOrderOf(order: MemoryOrder): MemoryOrder {
  if (order === 'acq_rel') return 'acquire';
  return order === 'release' ? 'relaxed' : order;
}
