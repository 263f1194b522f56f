import { threadCellName } from '@fencewright/model/program/thread-cells.js';
import type { Image } from './image.js';

/** The library's variable that holds, by number of a sleeping thread, the futex slept on. */
const sleepers = '__fencewright_sleeps_on';

/** The size in bytes of an entry of `__fencewright_sleeps_on`, a pointer. */
const entrySize = 8;

/**
 * The names, by address, of the cells in which the library keeps the futex on which a thread
 * sleeps. `threads` are the names of threads, by their numbers.
 */
export function sleeperCells(
  { memory }: Image,
  threads: ReadonlyMap<number, string>,
): readonly (readonly [number, string])[] {
  const object = memory.objects.find(({ name }) => name === sleepers);
  if (!object) return [];
  return [...threads].map(
    ([id, name]) => [object.address + entrySize * id, threadCellName('sleep', name)] as const,
  );
}
