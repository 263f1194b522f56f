import { wordAt } from '../base/at.js';
import { fieldOf, type Field } from './layout.js';
import { ArrayStorage, TableFull, type StateStorage } from './state-storage.js';

const indexBits = 26;
const indexMask = (1 << indexBits) - 1;
const smallest = { states: 256, slots: 512 };

/**
 * Returns the maximum number of states for the given number of slots. A table of a million states
 * then takes 19 to 26 bytes per state.
 */
function roomIn(slots: number): number {
  return (slots >>> 3) * 5;
}

/** The maximum number of states in one table. */
const maxTableStates = indexMask - 1;

/** Returns the hash of a packed state; the kernel uses an identical function. */
function hashWords(words: Int32Array, at: number, count: number): number {
  let hash = 0;
  for (let w = 0; w < count; w++) {
    hash = Math.imul(hash ^ wordAt(words, at + w), 0x2c1b3c6d);
    hash ^= hash >>> 15;
  }
  hash = Math.imul(hash, 0x297a2d39);
  return hash ^ (hash >>> 15);
}

/** Returns the part of a hash that slots store as a tag, at its position in a slot. */
function tagOf(hash: number): number {
  return hash & ~indexMask & 0x7fffffff;
}

/**
 * Fast versions of the operations of a state table on all its states at once, for states of two
 * words in linear memory.
 */
export interface BulkWorker {
  /** Enters the numbers of the first `count` states into the hash slots, which must be empty. */
  readonly enter: (count: number) => void;
  /** Moves the numbers in the fields `from` of the first `count` states to the fields `to`. */
  readonly repack: (count: number, from: readonly Field[], to: readonly Field[]) => void;
}

/**
 * A set of packed states that remembers the order in which they were added. The last states can be
 * removed again; removal restores the slots.
 */
export class StateTable {
  words: number;
  count = 0;
  #storage: StateStorage = new ArrayStorage();
  #worker: BulkWorker | undefined;
  /** The number of states that the table can hold before its storage has to grow. */
  #capacity = 0;

  constructor(words: number) {
    this.words = words;
    this.#resize(smallest.states, smallest.slots);
    this.#rebuild();
  }

  get storage(): StateStorage {
    return this.#storage;
  }

  /** The number of states that the table can hold before the storage has to grow. */
  get capacity(): number {
    const { records, slots } = this.#storage;
    const room = Math.floor(records.length / (this.words + 1));
    return Math.min(room, roomIn(slots.length), maxTableStates);
  }

  get bytes(): number {
    return this.#storage.bytes;
  }

  /** Returns by how many bytes the table grows if `more` states are added. */
  growthFor(more: number): number {
    const wanted = this.#wanted(this.count + more);
    const { records, slots } = this.#storage;
    return 4 * (wanted.records - records.length + wanted.slots - slots.length);
  }

  /** Returns the number that a field of the packed state holds. */
  read(state: number, { word, shift, mask }: Field): number {
    return (wordAt(this.#storage.records, state * (this.words + 1) + word) >>> shift) & mask;
  }

  /**
   * Returns the number of the state from which `state` was first reached; negative for initial
   * states.
   */
  parent(state: number): number {
    return wordAt(this.#storage.records, state * (this.words + 1) + this.words);
  }

  /** Copies the words of a state to the start of `to`. */
  copyWords(state: number, to: Int32Array): void {
    const { records } = this.#storage;
    const at = state * (this.words + 1);
    for (let w = 0; w < this.words; w++) to[w] = wordAt(records, at + w);
  }

  /** Moves all states to an empty storage; from then on `worker` performs bulk operations there. */
  moveTo(storage: StateStorage, worker?: BulkWorker): void {
    const { records, slots } = this.#storage;
    const used = this.count * (this.words + 1);
    storage.resize(used, slots.length);
    storage.records.set(records.subarray(0, used));
    storage.slots.set(slots);
    this.#storage = storage;
    this.#worker = worker;
    this.#capacity = this.capacity;
  }

  /**
   * Adds the state in `source` (at offset 0) with its parent; returns its number, or -1 if the
   * state is known. Throws `TableFull`.
   */
  add(source: Int32Array, parent: number): number {
    const { words } = this;
    const hash = hashWords(source, 0, words);
    let slot = this.#find(source, hash);
    if (slot < 0) return -1;
    if (this.count >= this.#capacity) {
      this.#grow();
      slot = this.#find(source, hash);
    }
    const { records, slots } = this.#storage;
    const state = this.count++;
    slots[slot] = tagOf(hash) | state;
    const at = state * (words + 1);
    for (let w = 0; w < words; w++) records[at + w] = wordAt(source, w);
    records[at + words] = parent;
    return state;
  }

  /** Returns the number of the state in `source` (at offset 0), or -1 if the state is unknown. */
  numberOf(source: Int32Array): number {
    const { slots, records } = this.#storage;
    const { words } = this;
    const hash = hashWords(source, 0, words);
    const mask = slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const entry = wordAt(slots, slot);
      if (entry < 0) return -1;
      if ((entry & ~indexMask) !== tagOf(hash)) continue;
      const state = entry & indexMask;
      const at = state * (words + 1);
      let w = 0;
      while (w < words && records[at + w] === source[w]) w++;
      if (w === words) return state;
    }
  }

  /** Removes all states whose number is at least `count`. */
  truncate(count: number): void {
    const { slots, records } = this.#storage;
    const mask = slots.length - 1;
    while (this.count > count) {
      const state = --this.count;
      let slot = hashWords(records, state * (this.words + 1), this.words) & mask;
      while ((wordAt(slots, slot) & indexMask) !== state || wordAt(slots, slot) < 0)
        slot = (slot + 1) & mask;
      slots[slot] = -1;
    }
  }

  /** Moves the numbers in the fields `from` of every state to the fields `to`, in `words` words. */
  repack(words: number, from: readonly Field[], to: readonly Field[]): void {
    this.#reserve(this.count * (words + 1));
    if (this.#worker && this.words === 2 && words === 2) this.#worker.repack(this.count, from, to);
    else this.#moveFields(words, from, to);
    this.words = words;
    this.#capacity = this.capacity;
    this.#rebuild();
  }

  /** Appends words that are 0 to every state. */
  widen(words: number): void {
    const { count, words: oldWords } = this;
    this.#reserve(count * (words + 1));
    const { records } = this.#storage;
    for (let state = count - 1; state >= 0; state--) {
      const from = state * (oldWords + 1);
      const to = state * (words + 1);
      const parent = wordAt(records, from + oldWords);
      records.copyWithin(to, from, from + oldWords);
      records.fill(0, to + oldWords, to + words);
      records[to + words] = parent;
    }
    this.words = words;
    this.#capacity = this.capacity;
    this.#rebuild();
  }

  #moveFields(words: number, from: readonly Field[], to: readonly Field[]): void {
    const { count, words: oldWords } = this;
    const { records } = this.#storage;
    const target = new Int32Array(words + 1);
    // In place: the last state first if states get larger.
    for (let i = 0; i < count; i++) {
      const state = words > oldWords ? count - 1 - i : i;
      const at = state * (oldWords + 1);
      target.fill(0);
      target[words] = wordAt(records, at + oldWords);
      for (let f = 0; f < from.length; f++) {
        const { word, shift, mask } = fieldOf(from, f);
        const put = fieldOf(to, f);
        const id = (wordAt(records, at + word) >>> shift) & mask;
        target[put.word] = wordAt(target, put.word) | (id << put.shift);
      }
      records.set(target, state * (words + 1));
    }
  }

  /** Returns the index of the empty hash slot for a new state, or -1 if the state is known. */
  #find(source: Int32Array, hash: number): number {
    const { slots, records } = this.#storage;
    const { words } = this;
    const mask = slots.length - 1;
    const tag = tagOf(hash);
    let slot = hash & mask;
    for (;;) {
      const entry = wordAt(slots, slot);
      if (entry < 0) return slot;
      if ((entry & ~indexMask) === tag) {
        const at = (entry & indexMask) * (words + 1);
        let w = 0;
        while (w < words && records[at + w] === source[w]) w++;
        if (w === words) return -1;
      }
      slot = (slot + 1) & mask;
    }
  }

  /** Makes room in the storage for at least one more state. */
  #grow(): void {
    if (this.count >= maxTableStates) throw new TableFull();
    const before = this.#storage.slots.length;
    const { records, slots } = this.#wanted(this.count + 1);
    this.#resize(Math.ceil(records / (this.words + 1)), slots);
    if (slots > before) this.#rebuild();
  }

  /**
   * Returns sizes of the storage that fit `count` states: the current sizes, or much larger ones.
   */
  #wanted(count: number): { readonly records: number; readonly slots: number } {
    const { slots, records, growth } = this.#storage;
    const length = count * (this.words + 1);
    return {
      records: length <= records.length ? records.length : Math.ceil(length * growth),
      slots: slots.length * (count > roomIn(slots.length) ? 2 : 1),
    };
  }

  #resize(states: number, slots: number): void {
    this.#reserve(states * (this.words + 1), slots);
    this.#capacity = this.capacity;
  }

  #reserve(records: number, slots = this.#storage.slots.length): void {
    try {
      this.#storage.resize(records, slots);
    } catch (error) {
      throw error instanceof RangeError ? new TableFull() : error;
    }
  }

  /** Enters all states into the hash slots again. */
  #rebuild(): void {
    const { slots, records } = this.#storage;
    const mask = slots.length - 1;
    slots.fill(-1);
    if (this.#worker && this.words === 2) {
      this.#worker.enter(this.count);
      return;
    }
    for (let state = 0; state < this.count; state++) {
      const hash = hashWords(records, state * (this.words + 1), this.words);
      let slot = hash & mask;
      while (wordAt(slots, slot) >= 0) slot = (slot + 1) & mask;
      slots[slot] = tagOf(hash) | state;
    }
  }
}
