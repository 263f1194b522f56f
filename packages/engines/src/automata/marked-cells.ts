import { at } from '@fencewright/ground/base/at.js';
import type { Mark } from './access-levels.js';

/** Numbers pairs of a value id and a mark, for each cell; 0 is the initial value without a mark. */
export class MarkedCells {
  /**
   * The number of each pair of a value id and a mark, indexed by cell, then by mark, then by value.
   */
  readonly #ids: (number | undefined)[][][] = [];
  /**
   * The value and the mark of each pair of a value and a mark, indexed by cell, then by number of
   * the pair.
   */
  readonly #values: number[][] = [];
  readonly #marks: Mark[][] = [];

  id(cell: number, value: number, cellMark: Mark): number {
    const known = this.#ids[cell]?.[cellMark]?.[value];
    return known ?? this.#add(cell, value, cellMark);
  }

  value(cell: number, id: number): number {
    return id === 0 ? 0 : at(at(this.#values, cell), id);
  }

  mark(cell: number, id: number): Mark {
    return id === 0 ? 0 : at(at(this.#marks, cell), id);
  }

  #add(cell: number, value: number, cellMark: Mark): number {
    while (this.#ids.length <= cell) {
      this.#ids.push([[0]]);
      this.#values.push([0]);
      this.#marks.push([0]);
    }
    if (value === 0 && cellMark === 0) return 0;
    const id = at(this.#values, cell).push(value) - 1;
    at(this.#marks, cell).push(cellMark);
    (at(this.#ids, cell)[cellMark] ??= [])[value] = id;
    return id;
  }
}
