/**
 * What is known of a cell after the attack's last load: its access level on the happens-before path ([BDM13] Sect. 5.2), or that it
 * is the target, the address of the first delayed store. The target has no level: its first access on the path ends the search.
 */
export const mark = { none: 0, load: 1, store: 2, target: 3 } as const;
export type Mark = (typeof mark)[keyof typeof mark];

/** Pairs of a value id and a mark as dense ids, for each cell; 0 is the initial value without a mark. */
export class MarkedCells {
  /** Indexed by cell, then by pair. */
  readonly #ids: (number | undefined)[][] = [];
  readonly #pairs: number[][] = [];

  id(cell: number, value: number, itsMark: Mark): number {
    while (this.#ids.length <= cell) {
      this.#ids.push([0]);
      this.#pairs.push([0]);
    }
    const pair = value * 4 + itsMark;
    const known = this.#ids[cell]?.[pair];
    if (known !== undefined) return known;
    const id = (this.#pairs[cell]?.push(pair) ?? 1) - 1;
    const ids = this.#ids[cell];
    if (ids) ids[pair] = id;
    return id;
  }

  value(cell: number, id: number): number {
    return (this.#pairs[cell]?.[id] ?? 0) >>> 2;
  }

  mark(cell: number, id: number): Mark {
    return ((this.#pairs[cell]?.[id] ?? 0) & 3) as Mark;
  }
}
