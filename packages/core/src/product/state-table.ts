const indexBits = 26;
const indexMask = (1 << indexBits) - 1;

/** The largest number of states that one table holds. */
export const maxTableStates = indexMask - 1;

/** The hash of a packed state; the kernels compute the same. */
export function hashWords(states: Int32Array, at: number, words: number): number {
  let hash = 0;
  for (let w = 0; w < words; w++) {
    hash = Math.imul(hash ^ (states[at + w] ?? 0), 0x2c1b3c6d);
    hash ^= hash >>> 15;
  }
  hash = Math.imul(hash, 0x297a2d39);
  return hash ^ (hash >>> 15);
}

/** The arrays of a state table, as the interpreters use them. */
export interface StateArrays {
  /** `words` entries for each state, in the order of arrival. */
  states: Int32Array;
  /** The state that first led to each state; negative for initial ones. */
  parents: Int32Array;
  /** Open addressing: -1, or the state's number below a tag of five bits of its hash. */
  slots: Int32Array;
}

/** The tag of a hash, in place. */
export function tagOf(hash: number): number {
  return hash & ~indexMask & 0x7fffffff;
}

/** The entry of a slot for a state. */
export function slotEntry(hash: number, state: number): number {
  return tagOf(hash) | state;
}

/**
 * A set of packed states that remembers the order of their arrival. The last ones can be taken out again: in the reverse order of
 * their arrival, this leaves the slots as they were.
 */
export class StateTable {
  words: number;
  count = 0;
  arrays: StateArrays;

  constructor(words: number) {
    this.words = words;
    this.arrays = {
      states: new Int32Array(256 * words),
      parents: new Int32Array(256),
      slots: new Int32Array(512).fill(-1),
    };
  }

  /** Number of states that fit before the arrays have to grow. */
  get capacity(): number {
    return Math.min(this.arrays.parents.length, this.arrays.slots.length >>> 1);
  }

  get bytes(): number {
    const { states, parents, slots } = this.arrays;
    return 4 * (states.length + parents.length + slots.length);
  }

  /** Makes room for at least one more state. */
  grow(): void {
    const { states, parents, slots } = this.arrays;
    if (this.count >= parents.length) {
      // Half again: the arrays are most of the memory of a large search.
      const length = Math.ceil(parents.length * 1.5);
      this.arrays.states = new Int32Array(length * this.words);
      this.arrays.states.set(states);
      this.arrays.parents = new Int32Array(length);
      this.arrays.parents.set(parents);
    }
    if (this.count >= slots.length >>> 1) this.#rebuild(slots.length * 2);
  }

  /** Adds the state in `source` (at offset 0); its number, or -1 if it is there. */
  add(source: Int32Array, parent: number): number {
    const { words } = this;
    const hash = hashWords(source, 0, words);
    const slot = this.#find(source, hash);
    if ((this.arrays.slots[slot] ?? -1) >= 0) return -1;
    if (this.count >= this.capacity) {
      this.grow();
      return this.add(source, parent);
    }
    const state = this.count++;
    this.arrays.slots[slot] = slotEntry(hash, state);
    for (let w = 0; w < words; w++) this.arrays.states[state * words + w] = source[w] ?? 0;
    this.arrays.parents[state] = parent;
    return state;
  }

  /** Takes out all states from number `count` on. */
  truncate(count: number): void {
    const { slots, states } = this.arrays;
    const mask = slots.length - 1;
    while (this.count > count) {
      const state = --this.count;
      let slot = hashWords(states, state * this.words, this.words) & mask;
      while (((slots[slot] ?? -1) & indexMask) !== state || (slots[slot] ?? -1) < 0)
        slot = (slot + 1) & mask;
      slots[slot] = -1;
    }
  }

  /** Replaces every state by `repack(old, new)`, which reads words from an offset in the first array and writes to one in the second. */
  repack(
    words: number,
    convert: (from: Int32Array, fromAt: number, to: Int32Array, toAt: number) => void,
  ): void {
    const old = this.arrays.states;
    const states = new Int32Array(this.arrays.parents.length * words);
    for (let state = 0; state < this.count; state++)
      convert(old, state * this.words, states, state * words);
    this.arrays.states = states;
    this.words = words;
    this.#rebuild(this.arrays.slots.length);
  }

  #find(source: Int32Array, hash: number): number {
    const { slots, states } = this.arrays;
    const { words } = this;
    const mask = slots.length - 1;
    const tag = tagOf(hash);
    let slot = hash & mask;
    for (;;) {
      const entry = slots[slot] ?? -1;
      if (entry < 0) return slot;
      if ((entry & ~indexMask) === tag) {
        const at = (entry & indexMask) * words;
        let w = 0;
        while (w < words && states[at + w] === source[w]) w++;
        if (w === words) return slot;
      }
      slot = (slot + 1) & mask;
    }
  }

  #rebuild(size: number): void {
    const slots = new Int32Array(size).fill(-1);
    const { states } = this.arrays;
    for (let state = 0; state < this.count; state++) {
      const hash = hashWords(states, state * this.words, this.words);
      let slot = hash & (size - 1);
      while ((slots[slot] ?? -1) >= 0) slot = (slot + 1) & (size - 1);
      slots[slot] = slotEntry(hash, state);
    }
    this.arrays.slots = slots;
  }
}
