import { at } from '@fencewright/ground/base/at.js';
import type { LocationId } from '@fencewright/model/program/ids.js';
import type { C11Code } from './c11-steps.js';
import { addressesOf, type C11Cells } from './cells.js';

/** Returns the cells that a thread may still store to, by thread and location. */
export function computeLaterStores(
  code: C11Code,
  cells: C11Cells,
): readonly (readonly ReadonlySet<number>[])[] {
  return code.program.threads.map((thread, id) => {
    const stored = (location: LocationId): number[] =>
      at(at(code.steps, id), location)
        .filter(({ kind }) => kind !== 'load' && kind !== 'fence')
        .flatMap((step) => addressesOf(code, id, step))
        .map((address) => cells.indexOf.get(address) ?? -1);
    const later = thread.locations.map((_, location) => new Set(stored(location)));
    for (let isChanged = true; isChanged;) {
      isChanged = false;
      for (const { from, to } of thread.transitions)
        for (const cell of at(later, to)) {
          if (at(later, from).has(cell)) continue;
          at(later, from).add(cell);
          isChanged = true;
        }
    }
    return later;
  });
}
