import { SeededRandom } from '@fencewright/ground/base/random.js';
import type { MemoryOrder } from '@fencewright/model/program/memory-order.js';
import type { ProgramSketch, Sketch } from './sketch.js';

/**
 * Returns a random program in which threads store to a cell of their own, mostly with an order
 * weaker than `seq_cst`, load this cell, and then load cells of other threads. A processor may
 * forward the store to the first load.
 */
export function forwardingSketch(seed: number): ProgramSketch {
  const random = new SeededRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[random.below(list.length)]!;
  const chance = (percent: number): boolean => random.below(100) < percent;
  const all = ['x', 'y', 'z'];
  const cells = all.slice(0, chance(75) ? 2 : 3);
  const loads: readonly MemoryOrder[] = ['seq_cst', 'seq_cst', 'seq_cst', 'acquire', 'relaxed'];
  const load = (cell: string): Sketch => ({ kind: 'load', cell, order: pick(loads) });
  const store = (cell: string, weak: number): Sketch => {
    const order = chance(weak) ? pick(['release', 'relaxed'] as const) : 'seq_cst';
    return { kind: 'store', cell, value: pick([1, 2]), order };
  };
  const fence: Sketch = { kind: 'fence', order: pick(['seq_cst', 'acq_rel']) };
  const thread = (own: number): readonly Sketch[] => {
    const cell = cells[own]!;
    const other = pick(cells.filter((one) => one !== cell));
    return [
      store(cell, own === 0 ? 90 : 30),
      ...(chance(own === 0 ? 85 : 30) ? [load(cell)] : []),
      ...(chance(8) ? [fence] : []),
      load(other),
      ...(chance(15) ? [load(pick(cells))] : []),
    ];
  };
  return { cells, threads: cells.map((_, own) => thread(own)) };
}
