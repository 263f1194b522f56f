import { SeededRandom } from '@fencewright/ground/base/random.js';
import type { MemoryOrder } from '@fencewright/model/program/memory-order.js';
import type { ProgramSketch, Sketch, SketchValue } from './sketch.js';

const weak: readonly MemoryOrder[] = ['relaxed', 'relaxed', 'acquire'];
const rmws: readonly MemoryOrder[] = ['relaxed', 'acquire', 'release', 'acq_rel', 'seq_cst'];

/**
 * Returns a random program in which a thread has a read-modify-write between a load and a store,
 * and another thread answers the store by a store to the load's cell.
 */
export function bufferingAcrossRmw(seed: number): ProgramSketch {
  const random = new SeededRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[random.below(list.length)]!;
  const chance = (percent: number): boolean => random.below(100) < percent;
  const value = (): SketchValue => (chance(15) ? 'r' : 1 + random.below(2));
  const update = (cell: string): Sketch =>
    chance(65)
      ? {
          ...{ kind: 'cas', cell, expected: random.below(3), value: value() },
          ...{ order: pick(rmws), failure: pick(weak), waits: false },
        }
      : { kind: pick(['xchg', 'fetch_add'] as const), cell, value: value(), order: pick(rmws) };
  const load = (cell: string): Sketch =>
    chance(80) ? { kind: 'load', cell, order: pick(weak) } : update(cell);
  const store = (cell: string, stored: SketchValue): Sketch => ({
    ...{ kind: 'store', cell, value: stored },
    order: chance(75) ? 'relaxed' : 'release',
  });
  const between = [update(chance(75) ? 'z' : 'x'), ...(chance(20) ? [update('z')] : [])];
  const third: readonly Sketch[] = chance(60)
    ? [chance(50) ? { kind: 'load', cell: 'z', order: pick(weak) } : store('z', 1)]
    : [];
  return {
    cells: ['x', 'y', 'z'],
    threads: [
      [load('x'), ...between, store('y', 1)],
      [load('y'), store('x', chance(50) ? 'r' : 1)],
      ...(third.length > 0 ? [third] : []),
    ],
  };
}
