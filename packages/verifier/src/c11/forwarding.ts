import type { Access } from './thread-steps.js';

/**
 * Returns the addresses that a thread with these accesses loads by `seq_cst`, and stores to with a
 * weaker order. A processor forwards such a store to the load before other threads see the store:
 * the load may be executed before `seq_cst` loads of other threads that read an older store,
 * although C++20 orders it after them (LWG 3941).
 */
export function forwardedAddresses(steps: readonly Access[]): ReadonlySet<number> {
  const [loaded, stored] = [new Set<number>(), new Set<number>()];
  for (const { kind, address, order, failureOrder } of steps) {
    if (kind !== 'store' && [order, failureOrder].includes('seq_cst')) loaded.add(address);
    if (kind !== 'load' && order !== 'seq_cst') stored.add(address);
  }
  return new Set([...loaded].filter((address) => stored.has(address)));
}
