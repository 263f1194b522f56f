import type { MemoryOrder } from '../program/memory-order.js';

/** The order of a load or store whose program names none. */
export const defaultAccessOrder: MemoryOrder = 'relaxed';

/** The order of a read-modify-write whose program names none. */
export const defaultRmwOrder: MemoryOrder = 'seq_cst';

/**
 * Returns the order of a failed read-modify-write without an explicit order: the order of success
 * without the release part.
 */
export function failureOrderOf(order: MemoryOrder): MemoryOrder {
  if (order === 'acq_rel') return 'acquire';
  return order === 'release' ? 'relaxed' : order;
}
