import { wordAt } from '@fencewright/ground/base/at.js';

/** How a search gets from a state to the next one: a thread, an action, and an outcome. */
export interface DirectedMove {
  readonly thread: number;
  readonly action: number;
  readonly outcome: number;
}

/** The phases of an attack: SC, the attacker delays stores, the happens-before path. */
export type Phase = 1 | 2 | 3;

const fields = {
  phase: 0,
  parent: 1,
  thread: 2,
  action: 3,
  outcome: 4,
  depth: 5,
  size: 6,
} as const;

/** The most states of a search, and so the room for a state's number in a key. */
const mostStates = 1 << 20;
/** The greatest depth that the order of states distinguishes. */
const mostDepth = 127;

/**
 * The states of a directed search, each with the move that led to it, in a table without
 * duplicates, and a queue of the states to be expanded.
 */
export class DirectedStates {
  count = 0;
  /** The next state to be added: its phase, the nodes of all threads, the values of all cells. */
  readonly row: Int32Array;
  readonly threads: number;
  #rows: Int32Array<ArrayBuffer>;
  #fields = new Int32Array(64 * fields.size);
  #slots = new Int32Array(256).fill(-1);
  /** A binary heap of ranks and states in one number. */
  readonly #queue: number[] = [];

  constructor(threads: number, cells: number) {
    this.threads = threads;
    this.row = new Int32Array(1 + threads + cells);
    this.#rows = new Int32Array(64 * this.row.length);
  }

  /** The number of cells for which states have room. */
  get cells(): number {
    return this.row.length - 1 - this.threads;
  }

  /** Adds the state in `row`; returns its number, or -1 if it is known or the table is full. */
  add(parent: number, { thread, action, outcome }: DirectedMove): number {
    if (2 * this.count >= this.#slots.length) this.#rehash();
    const slot = this.#slotOf(this.row);
    if (this.#slots[slot]! >= 0 || this.count >= mostStates) return -1;
    const state = this.count++;
    this.#slots[slot] = state;
    if (this.#rows.length < this.count * this.row.length) this.#rows = twice(this.#rows);
    if (this.#fields.length < this.count * fields.size) this.#fields = twice(this.#fields);
    this.#rows.set(this.row, state * this.row.length);
    const depth = parent < 0 ? 0 : this.depth(parent) + 1;
    this.#fields.set([this.row[0]!, parent, thread, action, outcome, depth], state * fields.size);
    return state;
  }

  /** Copies a state into `row`. */
  load(state: number): void {
    const { length } = this.row;
    this.row.set(this.#rows.subarray(state * length, (state + 1) * length));
  }

  phase(state: number): Phase {
    return wordAt(this.#rows, state * this.row.length) as Phase;
  }

  node(state: number, thread: number): number {
    return wordAt(this.#rows, state * this.row.length + 1 + thread);
  }

  /** The id of a cell's value; cells that are not yet known hold their initial value. */
  value(state: number, cell: number): number {
    if (cell >= this.cells) return 0;
    return wordAt(this.#rows, state * this.row.length + 1 + this.threads + cell);
  }

  /** -1 for initial states. */
  parent(state: number): number {
    return wordAt(this.#fields, state * fields.size + fields.parent);
  }

  depth(state: number): number {
    return wordAt(this.#fields, state * fields.size + fields.depth);
  }

  move(state: number): DirectedMove {
    const at = state * fields.size;
    return {
      thread: this.#fields[at + fields.thread]!,
      action: this.#fields[at + fields.action]!,
      outcome: this.#fields[at + fields.outcome]!,
    };
  }

  /** Queues a state; states with smaller ranks come first, then less deep, then earlier ones. */
  push(state: number, rank: number): void {
    const depth = Math.min(this.depth(state), mostDepth);
    const key = (rank * (mostDepth + 1) + depth) * mostStates + state;
    const queue = this.#queue;
    let place = queue.push(key) - 1;
    while (place > 0) {
      const above = (place - 1) >> 1;
      if (queue[above]! <= key) break;
      queue[place] = queue[above]!;
      place = above;
    }
    queue[place] = key;
  }

  /** Takes the first state out of the queue; -1 if there is none. */
  pop(): number {
    const queue = this.#queue;
    const [first] = queue;
    const key = queue.pop();
    if (first === undefined || key === undefined) return -1;
    if (queue.length > 0) {
      let place = 0;
      for (;;) {
        let below = 2 * place + 1;
        if (below >= queue.length) break;
        if (below + 1 < queue.length && queue[below + 1]! < queue[below]!) below++;
        if (queue[below]! >= key) break;
        queue[place] = queue[below]!;
        place = below;
      }
      queue[place] = key;
    }
    return first % mostStates;
  }

  #slotOf(row: Int32Array): number {
    let hash = 0;
    for (const word of row) hash = Math.imul(hash ^ word, 0x9e3779b1) ^ (hash >>> 15);
    const mask = this.#slots.length - 1;
    let slot = (hash ^ (hash >>> 13)) & mask;
    for (; this.#slots[slot]! >= 0; slot = (slot + 1) & mask)
      if (this.#equals(this.#slots[slot]!, row)) break;
    return slot;
  }

  #equals(state: number, row: Int32Array): boolean {
    const from = state * this.row.length;
    for (let i = 0; i < row.length; i++) if (this.#rows[from + i] !== row[i]) return false;
    return true;
  }

  #rehash(): void {
    const { length } = this.row;
    this.#slots = new Int32Array(2 * this.#slots.length).fill(-1);
    for (let state = 0; state < this.count; state++) {
      const slot = this.#slotOf(this.#rows.subarray(state * length, (state + 1) * length));
      this.#slots[slot] = state;
    }
  }
}

function twice(words: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * words.length);
  larger.set(words);
  return larger;
}
