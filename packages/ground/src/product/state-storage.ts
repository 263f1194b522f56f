import { pageLength, type LinearMemory } from './web-assembly.js';

/** Thrown if no memory is left for further states. */
export class TableFull extends Error {}

/** The memory of a state table. */
export interface StateStorage {
  /**
   * The words of each state, followed by the number of its parent, in the order in which states
   * were added.
   */
  readonly records: Int32Array;
  /**
   * A hash table with open addressing: a slot holds -1, or the number of a state below a tag of
   * five bits of the state's hash.
   */
  readonly slots: Int32Array;
  readonly bytes: number;
  /**
   * The factor by which the capacity for records grows when it is full; large if growing copies the
   * records.
   */
  readonly growth: number;
  /**
   * Makes room for at least `records` integers in the records, whose content is kept, and for
   * exactly `slots` slots, whose content is lost if their number changes. Throws a `RangeError` and
   * changes nothing if memory is lacking.
   */
  readonly resize: (records: number, slots: number) => void;
}

/** A memory of a state table in two arrays, which are copied to grow. */
export class ArrayStorage implements StateStorage {
  records = new Int32Array(0);
  slots = new Int32Array(0);
  readonly growth = 1.5;

  get bytes(): number {
    return 4 * (this.records.length + this.slots.length);
  }

  resize(records: number, slots: number): void {
    const larger = records > this.records.length ? new Int32Array(records) : this.records;
    if (slots !== this.slots.length) this.slots = new Int32Array(slots);
    if (larger === this.records) return;
    larger.set(this.records);
    this.records = larger;
  }
}

/** The length of the head, the first part of linear memory, in integers. */
const headLength = 2048;

/**
 * A storage of one linear memory that grows in place. Integers: a head of 2048, a copy of automata
 * tables, slots, records to the end. When a part grows, all later parts move up.
 */
export class LinearStorage implements StateStorage {
  readonly memory: LinearMemory;
  head = new Int32Array(0);
  tables = new Int32Array(0);
  slots = new Int32Array(0);
  records = new Int32Array(0);
  readonly growth = 1.0625;

  constructor(memory: LinearMemory) {
    this.memory = memory;
    this.#place(0, 0);
  }

  get bytes(): number {
    return this.memory.buffer.byteLength;
  }

  resize(records: number, slots: number, tables = this.tables.length): void {
    const slotsTo = headLength + tables;
    const recordsTo = slotsTo + slots;
    // Growing the memory detaches the old views.
    const { byteOffset: slotsFrom, length: oldSlots } = this.slots;
    const { byteOffset: recordsFrom, length: oldRecords } = this.records;
    const pages = Math.ceil((recordsTo + Math.max(records, oldRecords)) / pageLength);
    const present = this.memory.buffer.byteLength / (4 * pageLength);
    if (pages > present) this.memory.grow(pages - present);
    const all = new Int32Array(this.memory.buffer);
    // The last part first, as parts move up and may overlap their old places.
    if (recordsTo !== recordsFrom / 4)
      all.copyWithin(recordsTo, recordsFrom / 4, recordsFrom / 4 + oldRecords);
    if (slots === oldSlots && slotsTo !== slotsFrom / 4)
      all.copyWithin(slotsTo, slotsFrom / 4, slotsFrom / 4 + slots);
    this.#place(tables, slots);
  }

  #place(tables: number, slots: number): void {
    const { buffer } = this.memory;
    const slotsAt = headLength + tables;
    this.head = new Int32Array(buffer, 0, headLength);
    this.tables = new Int32Array(buffer, 4 * headLength, tables);
    this.slots = new Int32Array(buffer, 4 * slotsAt, slots);
    this.records = new Int32Array(buffer, 4 * (slotsAt + slots));
  }
}
