import type { Mark } from './access-levels.js';

/** Pairs of a value id and a mark as dense ids, for each cell; 0 is the initial value without a mark. */
export class MarkedCells {
  /** Indexed by cell, then by mark, then by value. */
  readonly #ids: (number | undefined)[][][] = [];
  /** Indexed by cell, then by pair. */
  readonly #values: number[][] = [];
  readonly #marks: Mark[][] = [];

  id(cell: number, value: number, itsMark: Mark): number {
    const known = this.#ids[cell]?.[itsMark]?.[value];
    return known ?? this.#add(cell, value, itsMark);
  }

  value(cell: number, id: number): number {
    return this.#values[cell]?.[id] ?? 0;
  }

  mark(cell: number, id: number): Mark {
    return this.#marks[cell]?.[id] ?? 0;
  }

  #add(cell: number, value: number, itsMark: Mark): number {
    while (this.#ids.length <= cell) {
      this.#ids.push([[0]]);
      this.#values.push([0]);
      this.#marks.push([0]);
    }
    if (value === 0 && itsMark === 0) return 0;
    const id = (this.#values[cell]?.push(value) ?? 1) - 1;
    this.#marks[cell]?.push(itsMark);
    const ids = this.#ids[cell];
    if (ids) (ids[itsMark] ??= [])[value] = id;
    return id;
  }
}
