import { at, wordAt } from '../base/at.js';
/** The number of the node in an outcome that means that the search has reached its goal. */
export const goalNode = -1;

/**
 * A possible result of an action: the new value of the action's cell, as an id, and the new node of
 * the acting component.
 */
export interface Outcome {
  readonly value: number;
  readonly node: number;
  /** Whether the same component must move next, so that the state in between is not stored. */
  readonly transient: boolean;
}

/**
 * An automaton that acts on shared cells. Nodes and the values of a cell are dense ids; 0 is a
 * cell's initial value. The tables call the methods only for nodes and values that a search
 * reaches, once each.
 */
export interface AutomatonSource {
  /** Returns the cells of the node's actions, in a fixed order; -1 for an action without a cell. */
  readonly actionCells: (node: number) => readonly number[];
  /**
   * Whether the action's outcomes are independent of its cell's value; then `outcomes` is called
   * for value 0 only.
   */
  readonly isBlind?: (node: number, action: number) => boolean;
  /** Whether no other component may act while a component of this automaton is at the node. */
  readonly isExclusive: (node: number) => boolean;
  /**
   * Returns the outcomes of an action of a node when the action's cell holds `value` (0 without a
   * cell); none if the action is blocked.
   */
  readonly outcomes: (node: number, action: number, value: number) => readonly Outcome[];
}

interface NodeTable {
  readonly source: AutomatonSource;
  offset: number;
  capacity: number;
  /** The largest node id of the automaton that a search has reached so far. */
  maxNode: number;
}

/** The offsets of the parts of a node's record in the tables. */
export const nodeRecord = { exclusive: 0, count: 1, actions: 2, actionSize: 3 } as const;
/** The offsets of the parts of an action, within the record of the action's node. */
export const actionRecord = { cell: 0, row: 1, rowCapacity: 2 } as const;
/**
 * The row capacity of an action whose outcomes do not depend on the value of its cell: the row has
 * a single entry.
 */
export const blindRow = -1;
/**
 * The length of `memory` from which the tables grow by a quarter; smaller tables grow by doubling.
 */
const largeTables = 1 << 20;

/**
 * The number of integers for one outcome: its value, node and transience. A list of outcomes begins
 * with their count.
 */
export const outcomeSize = 3;

/**
 * Automata as tables in one array of integers, filled on demand and walked by interpreters. Offset
 * 0 means "not yet filled". Several searches may share the tables of their automata.
 *
 * `memory[nodeTable + node]` is the node's record: whether the node is exclusive, the number of its
 * actions, and for each action its cell, the offset of its row and the row's capacity; `memory[row
 * + value]` is a list of outcomes.
 */
export class ProductTables {
  memory = new Int32Array(4096);
  /**
   * A list of what has grown, in order: the number `-1 - automaton` for an automaton with a new
   * node, and the number of a cell that is new or has a new value. Searches read the list to check
   * whether their layout is still large enough.
   */
  readonly grown: number[] = [];
  /**
   * The offsets of changes in the used part of `memory`, in order; for code that keeps a copy of
   * `memory`.
   */
  readonly changes: number[] = [];
  readonly #automata: NodeTable[] = [];
  readonly #maxValues: number[] = [];
  #top = 1;

  /** The number of bytes of the tables that are in use. */
  get bytes(): number {
    return (this.memory.length + this.changes.length + this.grown.length) * 4;
  }

  /** A number that grows with every new node, value or cell in the tables. */
  get version(): number {
    return this.grown.length;
  }

  /** The number of integers of `memory` that are in use. */
  get used(): number {
    return this.#top;
  }

  /** The number of cells that the tables know so far. */
  get cells(): number {
    return this.#maxValues.length;
  }

  /** Returns the largest value id of a cell that has occurred so far. */
  maxValue(cell: number): number {
    return at(this.#maxValues, cell);
  }

  maxNode(automaton: number): number {
    return at(this.#automata, automaton).maxNode;
  }

  nodeTable(automaton: number): number {
    return at(this.#automata, automaton).offset;
  }

  /** Adds an automaton to the tables; returns its number. */
  add(source: AutomatonSource): number {
    const capacity = 16;
    this.#automata.push({ source, offset: this.#allocate(capacity), capacity, maxNode: 0 });
    return this.#automata.length - 1;
  }

  /** Records that a node of an automaton occurs, in an initial state for example. */
  noteNode(automaton: number, node: number): void {
    const table = this.#automata[automaton];
    if (!table || node <= table.maxNode) return;
    table.maxNode = node;
    this.grown.push(-1 - automaton);
    if (node < table.capacity) return;
    let capacity = table.capacity * 2;
    while (node >= capacity) capacity *= 2;
    const offset = this.#allocate(capacity);
    this.memory.copyWithin(offset, table.offset, table.offset + table.capacity);
    table.offset = offset;
    table.capacity = capacity;
  }

  /** Records that a cell may hold a value. */
  noteValue(cell: number, value: number): void {
    if (cell < 0) return;
    while (this.#maxValues.length <= cell) {
      this.grown.push(this.#maxValues.length);
      this.#maxValues.push(0);
    }
    if (value <= at(this.#maxValues, cell)) return;
    this.#maxValues[cell] = value;
    this.grown.push(cell);
  }

  /** Returns the offset of the node's record, created if necessary. */
  node(automaton: number, node: number): number {
    const table = this.#automata[automaton];
    if (!table) return 0;
    this.noteNode(automaton, node);
    const known = wordAt(this.memory, table.offset + node);
    if (known !== 0) return known;
    const cells = table.source.actionCells(node);
    const record = this.#allocate(nodeRecord.actions + nodeRecord.actionSize * cells.length);
    this.memory[record + nodeRecord.exclusive] = table.source.isExclusive(node) ? 1 : 0;
    this.memory[record + nodeRecord.count] = cells.length;
    cells.forEach((cell, action) => {
      this.noteValue(cell, 0);
      const at = record + nodeRecord.actions + nodeRecord.actionSize * action;
      const blind = table.source.isBlind?.(node, action) === true;
      const capacity = cell < 0 || blind ? 1 : 4;
      // Allocate first: the allocation may replace `memory`.
      const row = this.#allocate(capacity);
      this.memory[at + actionRecord.cell] = cell;
      this.memory[at + actionRecord.row] = row;
      this.memory[at + actionRecord.rowCapacity] = blind ? blindRow : capacity;
    });
    this.#change(table.offset + node, record);
    return record;
  }

  /**
   * Returns the offset of the list of outcomes for an action whose cell holds the value `seen`; the
   * list is created if necessary.
   */
  outcomes(automaton: number, node: number, action: number, seen: number): number {
    const record = this.node(automaton, node);
    const at = record + nodeRecord.actions + nodeRecord.actionSize * action;
    const value = this.memory[at + actionRecord.rowCapacity] === blindRow ? 0 : seen;
    if (value > 0) this.#growRow(at, value);
    const slot = wordAt(this.memory, at + actionRecord.row) + value;
    const known = wordAt(this.memory, slot);
    if (known !== 0) return known;
    const cell = wordAt(this.memory, at + actionRecord.cell);
    const outcomes = this.#automata[automaton]?.source.outcomes(node, action, value) ?? [];
    const list = this.#allocate(1 + outcomeSize * outcomes.length);
    this.memory[list] = outcomes.length;
    outcomes.forEach((outcome, i) => {
      const entry = list + 1 + outcomeSize * i;
      this.memory[entry] = outcome.value;
      this.memory[entry + 1] = outcome.node;
      this.memory[entry + 2] = outcome.transient ? 1 : 0;
    });
    for (const outcome of outcomes) {
      this.noteValue(cell, outcome.value);
      if (outcome.node >= 0) this.noteNode(automaton, outcome.node);
    }
    this.#change(slot, list);
    return list;
  }

  #growRow(at: number, value: number): void {
    const old = wordAt(this.memory, at + actionRecord.rowCapacity);
    if (value < old) return;
    let capacity = old * 2;
    while (value >= capacity) capacity *= 2;
    const row = this.#allocate(capacity);
    const from = wordAt(this.memory, at + actionRecord.row);
    this.memory.copyWithin(row, from, from + old);
    this.#change(at + actionRecord.row, row);
    this.#change(at + actionRecord.rowCapacity, capacity);
  }

  #change(offset: number, value: number): void {
    this.memory[offset] = value;
    this.changes.push(offset);
  }

  #allocate(size: number): number {
    const offset = this.#top;
    this.#top += size;
    if (this.#top > this.memory.length) {
      // Large tables grow by a quarter, so that a limit on memory can be kept.
      const length = this.memory.length * (this.memory.length < largeTables ? 2 : 1.25);
      const larger = new Int32Array(Math.max(Math.ceil(length), this.#top));
      larger.set(this.memory);
      this.memory = larger;
    }
    return offset;
  }
}
