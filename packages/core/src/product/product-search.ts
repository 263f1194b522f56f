import { InternalError } from '../base/unreachable.js';
import { createLayout, fits, type Field, type Layout } from './layout.js';
import { maxTableStates, StateTable } from './state-table.js';
import { actionRecord, goalNode, nodeRecord, outcomeSize, type ProductTables } from './tables.js';

/** A global state: a node for each component, a value id for each cell; cells beyond the end hold 0. */
export interface ProductState {
  readonly nodes: readonly number[];
  readonly values: readonly number[];
}

/** Why `run` returned: all states expanded, as many as allowed expanded, goal found, or no room for more states. */
export type RunResult = 'done' | 'limit' | 'goal' | 'full';

export interface ProductOptions {
  /** Indexed by component: its automaton. */
  readonly automata: readonly number[];
  /** Groups of components with the same automaton, whose nodes are kept sorted; empty for no symmetry reduction. */
  readonly groups: readonly (readonly number[])[];
  /** Makes the fields as narrow as they can be, so that layouts have to grow all the time (for tests). */
  readonly tightLayout?: boolean;
}

/** What an interpreter of the tables leaves to the caller. */
type Interruption = 'goal' | 'missing' | 'full' | undefined;

/**
 * Breadth-first search through a product of tabulated automata over shared cells. States are packed into words; the layout grows
 * with the ids that occur.
 */
export class ProductSearch {
  readonly table: StateTable;
  /** The next state to expand. */
  cursor = 0;
  /** The state from which the goal was reached. */
  goalFrom = -1;
  layout: Layout;
  readonly #tables: ProductTables;
  readonly #options: ProductOptions;
  #version = -1;
  #scratch: Int32Array[] = [];
  #sorted = new Int32Array(0);

  constructor(tables: ProductTables, options: ProductOptions) {
    this.#tables = tables;
    this.#options = options;
    this.layout = this.#createLayout();
    this.table = new StateTable(this.layout.words);
    this.#makeScratch();
  }

  get components(): number {
    return this.#options.automata.length;
  }

  /** Adds a state; its number, or -1 if it is there. */
  add(state: ProductState, parent: number): number {
    state.nodes.forEach((node, c) => this.#tables.noteNode(this.#options.automata[c] ?? 0, node));
    state.values.forEach((value, cell) => this.#tables.noteValue(cell, value));
    this.#fitLayout();
    const words = this.#pack(state);
    return this.#insert(words, parent);
  }

  /** The layout for everything that has occurred, to pack a state for `addPacked`; valid until the tables grow. */
  currentLayout(): Layout {
    this.#fitLayout();
    return this.layout;
  }

  /** Adds a state that was packed in the current layout; its number, or -1 if it is there. */
  addPacked(words: Int32Array, parent: number): number {
    return this.#insert(words, parent);
  }

  node(state: number, component: number): number {
    return this.#read(state, this.layout.components[component]);
  }

  value(state: number, cell: number): number {
    return this.#read(state, this.layout.cells[cell]);
  }

  /** A state unpacked. */
  state(state: number): ProductState {
    return {
      nodes: this.layout.components.map((field) => this.#read(state, field)),
      values: this.layout.cells.map((field) => this.#read(state, field)),
    };
  }

  /** Expands states in the order of their arrival until none is left, or `limit` states are stored. */
  run(limit: number): RunResult {
    for (;;) {
      this.#fitLayout();
      if (this.cursor >= this.table.count) return 'done';
      if (this.table.count >= limit) return 'limit';
      if (this.table.count >= maxTableStates) return 'full';
      const interruption = this.#expand(this.cursor);
      if (interruption === 'goal') {
        this.goalFrom = this.cursor;
        return 'goal';
      }
      if (interruption === undefined) this.cursor++;
    }
  }

  #read(state: number, field: Field | undefined): number {
    if (!field) return 0;
    const word = this.table.arrays.states[state * this.layout.words + field.word] ?? 0;
    return (word >>> field.shift) & field.mask;
  }

  #createLayout(): Layout {
    const cells = Array.from({ length: this.#tables.cells }, (_, cell) =>
      this.#tables.maxValue(cell),
    );
    const nodes = this.#options.automata.map((automaton) => this.#tables.maxNode(automaton));
    return createLayout(nodes, cells, this.#options.tightLayout !== true);
  }

  #makeScratch(): void {
    this.#scratch = [];
    this.#sorted = new Int32Array(this.layout.words);
  }

  #scratchAt(depth: number): Int32Array {
    const known = this.#scratch[depth];
    if (known) return known;
    const fresh = new Int32Array(this.layout.words);
    this.#scratch[depth] = fresh;
    return fresh;
  }

  /** Repacks all states if some id that has occurred does not fit any more. */
  #fitLayout(): void {
    if (this.#version === this.#tables.version) return;
    this.#version = this.#tables.version;
    const { components, cells } = this.layout;
    const allFit =
      cells.length === this.#tables.cells &&
      components.every((field, c) =>
        fits(field, this.#tables.maxNode(this.#options.automata[c] ?? 0)),
      ) &&
      cells.every((field, cell) => fits(field, this.#tables.maxValue(cell)));
    if (allFit) return;
    const old = this.layout;
    this.layout = this.#createLayout();
    this.#makeScratch();
    const pairs = [
      ...old.components.map((from, i) => [from, this.layout.components[i]] as const),
      ...old.cells.map((from, i) => [from, this.layout.cells[i]] as const),
    ];
    this.table.repack(this.layout.words, (from, fromAt, to, toAt) => {
      for (const [source, target] of pairs) {
        if (!target) throw new InternalError('a layout lost a field');
        const value = ((from[fromAt + source.word] ?? 0) >>> source.shift) & source.mask;
        to[toAt + target.word] = (to[toAt + target.word] ?? 0) | (value << target.shift);
      }
    });
  }

  #pack({ nodes, values }: ProductState): Int32Array {
    const words = new Int32Array(this.layout.words);
    const put = (field: Field | undefined, id: number): void => {
      if (!field) throw new InternalError('an id without a field');
      words[field.word] = (words[field.word] ?? 0) | (id << field.shift);
    };
    nodes.forEach((node, c) => put(this.layout.components[c], node));
    values.forEach((value, cell) => put(this.layout.cells[cell], value));
    return words;
  }

  /** The words with the nodes of every symmetric group in ascending order. */
  #sort(words: Int32Array): Int32Array {
    if (this.#options.groups.length === 0) return words;
    const sorted = this.#sorted;
    sorted.set(words);
    for (const group of this.#options.groups) {
      // Insertion sort over the fields.
      for (let i = 1; i < group.length; i++)
        for (let j = i; j > 0; j--) {
          const left = this.layout.components[group[j - 1] ?? 0];
          const right = this.layout.components[group[j] ?? 0];
          if (!left || !right) break;
          const a = ((sorted[left.word] ?? 0) >>> left.shift) & left.mask;
          const b = ((sorted[right.word] ?? 0) >>> right.shift) & right.mask;
          if (a <= b) break;
          sorted[left.word] =
            ((sorted[left.word] ?? 0) & ~(left.mask << left.shift)) | (b << left.shift);
          sorted[right.word] =
            ((sorted[right.word] ?? 0) & ~(right.mask << right.shift)) | (a << right.shift);
        }
    }
    return sorted;
  }

  #insert(words: Int32Array, parent: number): number {
    return this.table.add(this.#sort(words), parent);
  }

  #expand(state: number): Interruption {
    const { words, components } = this.layout;
    const current = this.#scratchAt(0);
    const { states } = this.table.arrays;
    for (let w = 0; w < words; w++) current[w] = states[state * words + w] ?? 0;
    const tables = this.#tables;
    const { automata } = this.#options;
    for (let c = 0; c < automata.length; c++) {
      const field = components[c];
      if (!field) continue;
      const node = ((current[field.word] ?? 0) >>> field.shift) & field.mask;
      const record = tables.memory[tables.nodeTable(automata[c] ?? 0) + node] ?? 0;
      if (record === 0) {
        tables.node(automata[c] ?? 0, node);
        return 'missing';
      }
      if (tables.memory[record + nodeRecord.exclusive] === 1) return this.#step(state, c, 0);
    }
    for (let c = 0; c < automata.length; c++) {
      const interruption = this.#step(state, c, 0);
      if (interruption) return interruption;
    }
    return undefined;
  }

  /** All moves of one component from the words at `depth`. */
  #step(state: number, component: number, depth: number): Interruption {
    const tables = this.#tables;
    const { words, components, cells } = this.layout;
    const current = this.#scratchAt(depth);
    const field = components[component];
    if (!field) return undefined;
    const automaton = this.#options.automata[component] ?? 0;
    const node = ((current[field.word] ?? 0) >>> field.shift) & field.mask;
    const record = tables.memory[tables.nodeTable(automaton) + node] ?? 0;
    if (record === 0) {
      tables.node(automaton, node);
      return 'missing';
    }
    const count = tables.memory[record + nodeRecord.count] ?? 0;
    for (let action = 0; action < count; action++) {
      const at = record + nodeRecord.actions + nodeRecord.actionSize * action;
      const cell = tables.memory[at + actionRecord.cell] ?? -1;
      const cellField = cell < 0 ? undefined : cells[cell];
      if (cell >= 0 && !cellField) return 'missing';
      const value = cellField
        ? ((current[cellField.word] ?? 0) >>> cellField.shift) & cellField.mask
        : 0;
      const list =
        value < (tables.memory[at + actionRecord.rowCapacity] ?? 0)
          ? (tables.memory[(tables.memory[at + actionRecord.row] ?? 0) + value] ?? 0)
          : 0;
      if (list === 0) {
        tables.outcomes(automaton, node, action, value);
        return 'missing';
      }
      const outcomes = tables.memory[list] ?? 0;
      for (let i = 0; i < outcomes; i++) {
        const entry = list + 1 + outcomeSize * i;
        const newNode = tables.memory[entry + 1] ?? 0;
        if (newNode === goalNode) return 'goal';
        const next = this.#scratchAt(depth + 1);
        for (let w = 0; w < words; w++) next[w] = current[w] ?? 0;
        next[field.word] =
          ((next[field.word] ?? 0) & ~(field.mask << field.shift)) | (newNode << field.shift);
        if (cellField) {
          const newValue = tables.memory[entry] ?? 0;
          next[cellField.word] =
            ((next[cellField.word] ?? 0) & ~(cellField.mask << cellField.shift)) |
            (newValue << cellField.shift);
        }
        if (tables.memory[entry + 2] === 1) {
          const interruption = this.#step(state, component, depth + 1);
          if (interruption) return interruption;
        } else this.#insert(next, state);
      }
    }
    return undefined;
  }
}
