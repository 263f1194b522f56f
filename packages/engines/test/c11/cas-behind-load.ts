import { SeededRandom } from '@fencewright/ground/base/random.js';
import type { MemoryOrder } from '@fencewright/model/program/memory-order.js';
import type { ProgramSketch, Sketch } from './sketch.js';

const successes: readonly MemoryOrder[] = ['relaxed', 'relaxed', 'release', 'acquire', 'acq_rel'];
const failures: readonly MemoryOrder[] = ['acquire', 'acquire', 'seq_cst', 'relaxed'];

/**
 * Returns a random program of two threads. The first loads `x` relaxed, executes a `cas`, and
 * stores to `y`. Most `cas` acquire on failure only, and wait for the load: they access the same
 * cell, or follow a store that waits. The second thread answers the store to `y` by one or two
 * stores to `x`, some of which let the `cas` succeed.
 */
export function casBehindLoad(seed: number): ProgramSketch {
  const random = new SeededRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[random.below(list.length)]!;
  const chance = (percent: number): boolean => random.below(100) < percent;
  const value = (): number => random.below(3);
  const cas = (cell: string): Sketch => ({
    ...{ kind: 'cas', cell, expected: value(), value: chance(15) ? 'r' : value() },
    ...{ order: pick(successes), failure: pick(failures), waits: false },
  });
  const store = (cell: string, by: number | 'r', order: MemoryOrder = 'relaxed'): Sketch => {
    return { kind: 'store', cell, value: by, order };
  };
  const load = (cell: string): Sketch => {
    return { kind: 'load', cell, order: chance(85) ? 'relaxed' : 'acquire' };
  };
  const late: Sketch = chance(80)
    ? load('x')
    : chance(50)
      ? { kind: 'fetch_add', cell: 'x', value: 1, order: 'relaxed' }
      : cas('x');
  const between: readonly Sketch[] = pick<() => readonly Sketch[]>([
    () => [cas('x')],
    () => [cas('x')],
    () => [cas('x'), cas('x')],
    () => [store('x', value()), cas('x')],
    () => [store('z', chance(50) ? 'r' : value(), 'release'), cas('z')],
    () => [cas('z')],
  ])();
  const first = chance(15) ? [store('x', 1 + random.below(2))] : [];
  const second = chance(30) ? [store('x', value())] : [];
  const third: readonly Sketch[] = chance(25) ? [store(pick(['x', 'z']), value())] : [];
  return {
    cells: ['x', 'y', 'z'],
    threads: [
      [...first, late, ...between, store('y', 1)],
      [load('y'), store('x', chance(60) ? 'r' : value()), ...second],
      ...(third.length > 0 ? [third] : []),
    ],
  };
}
