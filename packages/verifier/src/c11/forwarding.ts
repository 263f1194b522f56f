import type { VisibleStep } from './thread-steps.js';

/**
 * Returns the addresses that a thread with these steps loads by `seq_cst`, and stores to with a
 * weaker order. A processor forwards such a store to the load before other threads see the store:
 * the load need not be behind `seq_cst` loads of other threads that read an older store, as the
 * text of C++20 has it (LWG 3941).
 */
export function forwardedAddresses(steps: readonly VisibleStep[]): ReadonlySet<number> {
  const [loaded, stored] = [new Set<number>(), new Set<number>()];
  for (const step of steps) {
    if (step.kind === 'fence') continue;
    const { kind, address, order, failureOrder } = step;
    if (kind !== 'store' && [order, failureOrder].includes('seq_cst')) loaded.add(address);
    if (kind !== 'load' && order !== 'seq_cst') stored.add(address);
  }
  return new Set([...loaded].filter((address) => stored.has(address)));
}
