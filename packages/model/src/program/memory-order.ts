/**
 * The memory orders of C11, from weak to strong; `acquire` and `release` are not comparable. TSO
 * ignores orders: an access is the same instruction of x86 in every order.
 */
export type MemoryOrder = 'relaxed' | 'acquire' | 'release' | 'acq_rel' | 'seq_cst';

/** The memory orders of a fence for which x86 needs no instruction. */
export type WeakFenceOrder = Exclude<FenceOrder, 'seq_cst'>;

/** The possible orders of a load, and of a failing read-modify-write. */
export const loadOrders = ['relaxed', 'acquire', 'seq_cst'] as const;

/** The orders that a store may have. */
export const storeOrders = ['relaxed', 'release', 'seq_cst'] as const;

/** The orders that a read-modify-write may have. */
export const rmwOrders = ['relaxed', 'acquire', 'release', 'acq_rel', 'seq_cst'] as const;

/** The orders that a fence may have. */
export const fenceOrders = ['acquire', 'release', 'acq_rel', 'seq_cst'] as const;

export type FenceOrder = (typeof fenceOrders)[number];
