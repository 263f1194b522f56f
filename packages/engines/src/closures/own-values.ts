import { at } from '@fencewright/ground/base/at.js';

/**
 * The number, in `OwnValues`, of a list of values of cells; 0 if all cells have their initial
 * values.
 */
export type OwnId = number;

/**
 * Numbered lists of the values of a thread's own cells (cells that only this thread writes). A
 * local state of the thread contains the number of such a list.
 */
export class OwnValues {
  /** The value id of each cell, indexed by number, then by cell; absent for initial values. */
  readonly #values: (readonly number[])[] = [[]];
  readonly #numbers = new Map<string, OwnId>([['', 0]]);

  value(own: OwnId, cell: number): number {
    return at(this.#values, own)[cell] ?? 0;
  }

  with(own: OwnId, cell: number, value: number): OwnId {
    const old = at(this.#values, own);
    if ((old[cell] ?? 0) === value) return own;
    const values: number[] = [];
    old.forEach((held, other) => (values[other] = held));
    if (value === 0) Reflect.deleteProperty(values, cell);
    else values[cell] = value;
    return this.#number(values);
  }

  /** Returns the number of the list restricted to cells for which `keeps` is true. */
  restricted(own: OwnId, keeps: (cell: number) => boolean): OwnId {
    const values: number[] = [];
    at(this.#values, own).forEach((held, cell) => {
      if (keeps(cell)) values[cell] = held;
    });
    return this.#number(values);
  }

  /**
   * Returns the cells whose values differ from the initial values, ascending, with the ids of the
   * values.
   */
  entries(own: OwnId): readonly (readonly [cell: number, value: number])[] {
    const entries: (readonly [number, number])[] = [];
    at(this.#values, own).forEach((value, cell) => entries.push([cell, value]));
    return entries;
  }

  #number(values: readonly number[]): OwnId {
    let name = '';
    values.forEach((value, cell) => (name += `${cell}=${value};`));
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const number = this.#values.push(values) - 1;
    this.#numbers.set(name, number);
    return number;
  }
}
