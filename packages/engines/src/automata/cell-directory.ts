import { at } from '@fencewright/ground/base/at.js';
import type { Program } from '@fencewright/model/program/program.js';

/**
 * Numbers memory cells and the values of each cell, from 0 on; value id 0 is a cell's initial
 * value.
 */
export class CellDirectory {
  readonly #cells = new Map<number, number>();
  readonly #addresses: number[] = [];
  readonly #ids: Map<number, number>[] = [];
  readonly #values: number[][] = [];
  readonly #initial = new Map<number, number>();

  constructor(program: Program) {
    for (const symbol of program.symbols)
      symbol.initial.forEach((value, offset) => this.#initial.set(symbol.base + offset, value));
  }

  /** Returns the number of the cell at an address, assigned at the first call. */
  cell(address: number): number {
    const known = this.#cells.get(address);
    if (known !== undefined) return known;
    const cell = this.#addresses.length;
    const initial = this.#initial.get(address) ?? 0;
    this.#cells.set(address, cell);
    this.#addresses.push(address);
    this.#ids.push(new Map([[initial, 0]]));
    this.#values.push([initial]);
    return cell;
  }

  address(cell: number): number {
    return at(this.#addresses, cell);
  }

  /** Returns the id of a value in a cell, assigned at the first call. */
  id(cell: number, value: number): number {
    const ids = at(this.#ids, cell);
    const known = ids.get(value);
    if (known !== undefined) return known;
    const id = at(this.#values, cell).push(value) - 1;
    ids.set(value, id);
    return id;
  }

  /** Returns the ids of several values in a cell, ascending. */
  ids(cell: number, values: readonly number[]): readonly number[] {
    return values.map((value) => this.id(cell, value)).sort((a, b) => a - b);
  }

  value(cell: number, id: number): number {
    return at(at(this.#values, cell), id);
  }
}
