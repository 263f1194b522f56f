import type { C11Code } from './c11-steps.js';
import { addressesOf, type C11Cells } from './cells.js';

/**
 * Returns, for each thread, the watched cells that the thread loads by `seq_cst`, and stores to
 * with a weaker order. A processor forwards the weaker store to the load before other threads see
 * the store. So the load may be executed before `seq_cst` loads of an older store by other threads.
 * The text of C++20 ([atomics.order]) places the load after these loads of other threads; the
 * defect report LWG 3941 is about this difference.
 */
export function forwardedCells(code: C11Code, cells: C11Cells): readonly ReadonlySet<number>[] {
  return code.steps.map((locations, thread) => {
    const [loaded, stored] = [new Set<number>(), new Set<number>()];
    for (const step of locations.flat())
      for (const address of addressesOf(code, thread, step)) {
        const cell = cells.watchedAt[cells.indexOf.get(address)!]!;
        const isOfSC = step.order === 'seq_cst';
        if (cell < 0 || step.kind === 'fence') continue;
        if (step.kind !== 'load' && !isOfSC) stored.add(cell);
        if (step.kind !== 'store' && (isOfSC || step.failureOrder === 'seq_cst')) loaded.add(cell);
      }
    return new Set([...loaded].filter((cell) => stored.has(cell)));
  });
}
