import { wordAt } from './at.js';

/** A set of rows of equal length, numbered in the order of their arrival. */
export class RowTable {
  readonly #width: number;
  #data: Int32Array;
  #slots: Int32Array;
  #size = 0;

  /**
   * Creates a table of rows with `width` words each, with room for `rows` rows, a power of two; the
   * table grows when full.
   */
  constructor(width: number, rows = 1024) {
    this.#width = width;
    this.#data = new Int32Array(width * rows);
    this.#slots = new Int32Array(4 * rows);
  }

  get size(): number {
    return this.#size;
  }

  /** The size of the table in bytes. */
  get bytes(): number {
    return this.#data.byteLength + this.#slots.byteLength;
  }

  /** Returns the word (a 32-bit number) at index `place` of row `index`. */
  get(index: number): Int32Array {
    return this.#data.slice(index * this.#width, (index + 1) * this.#width);
  }

  /** Returns word `place` of row `index`. */
  word(index: number, place: number): number {
    return wordAt(this.#data, index * this.#width + place);
  }

  /** Copies row `index` into `row`. */
  copyTo(row: Int32Array, index: number): void {
    row.set(this.#data.subarray(index * this.#width, (index + 1) * this.#width));
  }

  /** Returns the number of the row, and whether it is new; new rows are added. */
  add(row: Int32Array): { readonly index: number; readonly isNew: boolean } {
    const slot = this.#slotOf(row);
    const known = this.#slots[slot]!;
    if (known !== 0) return { index: known - 1, isNew: false };
    if ((this.#size + 1) * this.#width > this.#data.length) {
      const data = new Int32Array(this.#data.length * 2);
      data.set(this.#data);
      this.#data = data;
    }
    this.#data.set(row, this.#size * this.#width);
    this.#size += 1;
    this.#slots[slot] = this.#size;
    if (this.#size * 2 > this.#slots.length) this.#rehash();
    return { index: this.#size - 1, isNew: true };
  }

  has(row: Int32Array): boolean {
    return this.#slots[this.#slotOf(row)] !== 0;
  }

  #slotOf(row: Int32Array): number {
    let hash = 0x811c9dc5;
    for (const word of row) hash = Math.imul(hash ^ word, 0x01000193) ^ (hash >>> 15);
    const mask = this.#slots.length - 1;
    for (let slot = (hash ^ (hash >>> 13)) & mask; ; slot = (slot + 1) & mask) {
      const known = this.#slots[slot]!;
      if (known === 0 || this.#isAt(known - 1, row)) return slot;
    }
  }

  #isAt(index: number, row: Int32Array): boolean {
    const start = index * this.#width;
    for (let i = 0; i < row.length; i++) if (this.#data[start + i] !== row[i]) return false;
    return true;
  }

  #rehash(): void {
    this.#slots = new Int32Array(this.#slots.length * 2);
    for (let index = 0; index < this.#size; index++)
      this.#slots[this.#slotOf(this.get(index))] = index + 1;
  }
}
