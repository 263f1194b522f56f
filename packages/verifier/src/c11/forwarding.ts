import type { Access } from './thread-steps.js';

/**
 * Returns the addresses loaded by `seq_cst`, and stored to with a weaker order, in the given
 * accesses of one thread. A processor forwards the weaker store to the `seq_cst` load before other
 * threads see the store. The load may then be executed before `seq_cst` loads of other threads from
 * an older store, although C++20 orders the load after such loads (LWG 3941).
 */
export function forwardedAddresses(steps: readonly Access[]): ReadonlySet<number> {
  const [loaded, stored] = [new Set<number>(), new Set<number>()];
  for (const { kind, address, order, failureOrder } of steps) {
    if (kind !== 'store' && [order, failureOrder].includes('seq_cst')) loaded.add(address);
    if (kind !== 'load' && order !== 'seq_cst') stored.add(address);
  }
  return new Set([...loaded].filter((address) => stored.has(address)));
}
