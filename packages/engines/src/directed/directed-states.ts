import { wordAt } from '@fencewright/ground/base/at.js';
import { RowTable } from '@fencewright/ground/base/row-table.js';

/** A step from a state of the search to the next state: a thread, an action, and an outcome. */
export interface DirectedMove {
  readonly thread: number;
  readonly action: number;
  readonly outcome: number;
}

/** The phases of an attack: 1 SC, 2 the attacker delays stores, 3 the happens-before path. */
export type AttackPhase = 1 | 2 | 3;

const fields = { parent: 0, thread: 1, action: 2, outcome: 3, depth: 4, size: 5 } as const;

/**
 * The maximum number of states of a search; the keys of the queue reserve room for numbers below
 * it.
 */
const mostStates = 1 << 20;
/** The maximum depth that the order of states distinguishes. */
const mostDepth = 127;

/**
 * The states of a directed search. A table without duplicates holds each state with the last move
 * to the state; a queue holds the states to be expanded.
 */
export class DirectedStates {
  /** The state for the next `add`: the phase, the nodes of all threads, the values of all cells. */
  readonly row: Int32Array;
  readonly threads: number;
  readonly #rows: RowTable;
  #fields = new Int32Array(64 * fields.size);
  /**
   * A binary heap of the states to be expanded. An entry is one number, which combines the rank,
   * the depth and the number of a state.
   */
  readonly #queue: number[] = [];

  constructor(threads: number, cells: number) {
    this.threads = threads;
    this.row = new Int32Array(1 + threads + cells);
    this.#rows = new RowTable(this.row.length, 64);
  }

  get count(): number {
    return this.#rows.size;
  }

  /** The number of cells whose values each state holds. */
  get cells(): number {
    return this.row.length - 1 - this.threads;
  }

  /**
   * Adds the state in `row`; returns the state's number, or -1 if the state is known or the table
   * is full.
   */
  add(parent: number, { thread, action, outcome }: DirectedMove): number {
    if (this.count >= mostStates) return -1;
    const { index: state, isNew } = this.#rows.add(this.row);
    if (!isNew) return -1;
    if (this.#fields.length < this.count * fields.size) {
      const larger = new Int32Array(2 * this.#fields.length);
      larger.set(this.#fields);
      this.#fields = larger;
    }
    const depth = parent < 0 ? 0 : this.depth(parent) + 1;
    this.#fields.set([parent, thread, action, outcome, depth], state * fields.size);
    return state;
  }

  /** Copies the state with number `state` into `row`. */
  load(state: number): void {
    this.#rows.copyTo(this.row, state);
  }

  phase(state: number): AttackPhase {
    return this.#rows.word(state, 0) as AttackPhase;
  }

  node(state: number, thread: number): number {
    return this.#rows.word(state, 1 + thread);
  }

  /** Returns the id of a cell's value in a state; cells not yet known hold the initial value. */
  value(state: number, cell: number): number {
    if (cell >= this.cells) return 0;
    return this.#rows.word(state, 1 + this.threads + cell);
  }

  /** Returns the number of the state before a state; -1 for initial states. */
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

  /**
   * Puts a state into the queue. States leave the queue in the order of their ranks, and at equal
   * rank in the order of their depths, then of their numbers.
   */
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

  /** Removes the first state from the queue and returns its number; -1 if the queue is empty. */
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
}
