import { wordAt } from '@fencewright/ground/base/at.js';
const chunkBits = 18;
const chunkSize = 1 << chunkBits;

function grown(old: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(old.length * 2);
  larger.set(old);
  return larger;
}

/**
 * A set of states, each a vector of 32-bit integers of any length; trailing zeros are
 * insignificant. States are numbered from 0 in order of arrival; for each, the state and the move
 * that first led there are kept.
 */
export class StateStore {
  readonly #chunks: Int32Array[] = [];
  #chunkEnd = chunkSize;
  #offsets = new Int32Array(1024);
  #lengths = new Int32Array(1024);
  #parents = new Int32Array(1024);
  #moves = new Int32Array(1024);
  #table = new Int32Array(4096).fill(-1);
  #count = 0;

  /** The number of states in the store. */
  get count(): number {
    return this.#count;
  }

  /** The total size of all tables of the store, in bytes. */
  get bytes(): number {
    return this.#chunks.length * chunkSize * 4 + this.#offsets.length * 16 + this.#table.length * 4;
  }

  /**
   * Adds the first `length` entries of `vector`; returns the new state's number, or -1 if the state
   * is known.
   */
  add(vector: Int32Array, length: number, parent: number, move: number): number {
    let end = length;
    while (end > 0 && vector[end - 1] === 0) end--;
    let slot = this.#hash(vector, end) & (this.#table.length - 1);
    for (;;) {
      const state = wordAt(this.#table, slot);
      if (state < 0) break;
      if (this.#equals(state, vector, end)) return -1;
      slot = (slot + 1) & (this.#table.length - 1);
    }
    const state = this.#append(vector, end, parent, move);
    this.#table[slot] = state;
    if (this.#count * 2 > this.#table.length) this.#rehash();
    return state;
  }

  /** Copies a state into `target`, padded with zeros up to `length`. */
  read(state: number, target: Int32Array, length: number): void {
    const offset = wordAt(this.#offsets, state);
    const end = wordAt(this.#lengths, state);
    const chunk = this.#chunks[offset >>> chunkBits];
    const start = offset & (chunkSize - 1);
    if (chunk) for (let i = 0; i < end; i++) target[i] = wordAt(chunk, start + i);
    target.fill(0, end, length);
  }

  /** Returns the state from which `state` was first reached; -1 for an initial state. */
  parentOf(state: number): number {
    return wordAt(this.#parents, state);
  }

  /** Returns the move by which `state` was first reached. */
  moveOf(state: number): number {
    return wordAt(this.#moves, state);
  }

  #append(vector: Int32Array, length: number, parent: number, move: number): number {
    if (this.#chunkEnd + length > chunkSize) {
      this.#chunks.push(new Int32Array(chunkSize));
      this.#chunkEnd = 0;
    }
    const chunk = this.#chunks.at(-1);
    for (let i = 0; i < length; i++) if (chunk) chunk[this.#chunkEnd + i] = wordAt(vector, i);
    const state = this.#count++;
    if (state >= this.#offsets.length) {
      this.#offsets = grown(this.#offsets);
      this.#lengths = grown(this.#lengths);
      this.#parents = grown(this.#parents);
      this.#moves = grown(this.#moves);
    }
    this.#offsets[state] = (this.#chunks.length - 1) * chunkSize + this.#chunkEnd;
    this.#lengths[state] = length;
    this.#parents[state] = parent;
    this.#moves[state] = move;
    this.#chunkEnd += length;
    return state;
  }

  #hash(vector: Int32Array, length: number): number {
    let hash = length;
    for (let i = 0; i < length; i++) {
      hash = Math.imul(hash ^ wordAt(vector, i), 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    return hash;
  }

  #equals(state: number, vector: Int32Array, length: number): boolean {
    if (this.#lengths[state] !== length) return false;
    const offset = wordAt(this.#offsets, state);
    const chunk = this.#chunks[offset >>> chunkBits];
    const start = offset & (chunkSize - 1);
    for (let i = 0; i < length; i++) if (chunk?.[start + i] !== vector[i]) return false;
    return true;
  }

  #rehash(): void {
    const size = this.#table.length * 2;
    this.#table = new Int32Array(size).fill(-1);
    for (let state = 0; state < this.#count; state++) {
      const offset = wordAt(this.#offsets, state);
      const start = offset & (chunkSize - 1);
      const chunk = this.#chunks[offset >>> chunkBits];
      const length = wordAt(this.#lengths, state);
      if (!chunk) continue;
      let slot = this.#hash(chunk.subarray(start, start + length), length) & (size - 1);
      while (wordAt(this.#table, slot) >= 0) slot = (slot + 1) & (size - 1);
      this.#table[slot] = state;
    }
  }
}
