import type { Exhaustion } from '@fencewright/ground/base/budget.js';
import type { ProductSearch } from '@fencewright/ground/product/product-search.js';
import type { Allowance } from './allowance.js';

const statesPerCheckpoint = 4096;

/**
 * Explores the first phase, the states under SC, until it is complete or has `stage` states.
 * Returns the limit that was reached; `undefined` if none was.
 */
export async function growFirstPhase(
  sequential: ProductSearch,
  { stage, budget, usage }: Allowance,
): Promise<Exhaustion | undefined> {
  const { table } = sequential;
  for (;;) {
    const more = Math.min(statesPerCheckpoint, budget.room(usage.states));
    const full = budget.exceededBy(usage.states, usage.bytes, table.growthFor(more));
    if (full) return full;
    const result = sequential.run(Math.min(stage, table.count + more));
    if (result === 'full') return 'memory';
    const exhausted = await budget.checkpoint(usage.states, usage.bytes);
    if (exhausted) return exhausted;
    if (result === 'done' || table.count >= stage) return undefined;
  }
}
