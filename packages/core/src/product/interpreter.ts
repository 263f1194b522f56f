import { fieldOf, type Field, type Layout } from './layout.js';
import type { StateTable } from './state-table.js';
import { settle, type Neighbours } from './symmetric-groups.js';
import {
  actionRecord,
  blindRow,
  goalNode,
  nodeRecord,
  outcomeSize,
  type ProductTables,
} from './tables.js';

/** What an interpreter of the tables leaves to the caller; after `missing` the entry is there and the state is to be expanded again. */
export type Interruption = 'goal' | 'missing' | undefined;

function withId(word: number, { shift, mask }: Field, id: number): number {
  return (word & ~(mask << shift)) | (id << shift);
}

/** Expands states by walking the tables; it handles everything, also what the kernel does not. */
export class Interpreter {
  readonly #tables: ProductTables;
  readonly #automata: readonly number[];
  readonly #neighbours: Neighbours;
  readonly #table: StateTable;
  #layout: Layout = { words: 2, components: [], cells: [] };
  /** The words of the state being expanded, and of the states that are not stored on the way from it. */
  #scratch: Int32Array[] = [];
  readonly #nodeTables: Int32Array;

  constructor(
    tables: ProductTables,
    automata: readonly number[],
    neighbours: Neighbours,
    table: StateTable,
  ) {
    this.#tables = tables;
    this.#automata = automata;
    this.#neighbours = neighbours;
    this.#table = table;
    this.#nodeTables = new Int32Array(automata.length);
  }

  /** To be called with the current layout whenever the tables have a new version. */
  prepare(layout: Layout): void {
    if (layout.words !== this.#layout.words) this.#scratch = [];
    this.#layout = layout;
    for (let c = 0; c < this.#automata.length; c++)
      this.#nodeTables[c] = this.#tables.nodeTable(this.#automata[c] ?? 0);
  }

  /** Adds the successors of a state. May throw `TableFull`. */
  expand(state: number): Interruption {
    const { components } = this.#layout;
    const { memory } = this.#tables;
    const current = this.#scratchAt(0);
    this.#table.copyWords(state, current);
    for (let c = 0; c < components.length; c++) {
      const { word, shift, mask } = fieldOf(components, c);
      const node = ((current[word] ?? 0) >>> shift) & mask;
      const record = memory[(this.#nodeTables[c] ?? 0) + node] ?? 0;
      if (record === 0) {
        this.#tables.node(this.#automata[c] ?? 0, node);
        return 'missing';
      }
      if (memory[record + nodeRecord.exclusive] === 1) return this.#step(state, c, 0);
    }
    for (let c = 0; c < components.length; c++) {
      const interruption = this.#step(state, c, 0);
      if (interruption) return interruption;
    }
    return undefined;
  }

  #scratchAt(depth: number): Int32Array {
    return (this.#scratch[depth] ??= new Int32Array(this.#layout.words));
  }

  /** All moves of one component from the words at `depth`. */
  #step(state: number, component: number, depth: number): Interruption {
    const { components, cells } = this.#layout;
    const { memory } = this.#tables;
    const current = this.#scratchAt(depth);
    const field = fieldOf(components, component);
    const node = ((current[field.word] ?? 0) >>> field.shift) & field.mask;
    const record = memory[(this.#nodeTables[component] ?? 0) + node] ?? 0;
    const automaton = this.#automata[component] ?? 0;
    if (record === 0) {
      this.#tables.node(automaton, node);
      return 'missing';
    }
    const count = memory[record + nodeRecord.count] ?? 0;
    for (let action = 0; action < count; action++) {
      const at = record + nodeRecord.actions + nodeRecord.actionSize * action;
      const cell = memory[at + actionRecord.cell] ?? -1;
      const cellField = cell < 0 ? undefined : cells[cell];
      if (cell >= 0 && !cellField) return 'missing';
      const value = cellField
        ? ((current[cellField.word] ?? 0) >>> cellField.shift) & cellField.mask
        : 0;
      const capacity = memory[at + actionRecord.rowCapacity] ?? 0;
      const entryAt = capacity === blindRow ? 0 : value;
      const list =
        entryAt < capacity || capacity === blindRow
          ? (memory[(memory[at + actionRecord.row] ?? 0) + entryAt] ?? 0)
          : 0;
      if (list === 0) {
        this.#tables.outcomes(automaton, node, action, value);
        return 'missing';
      }
      const end = list + 1 + outcomeSize * (memory[list] ?? 0);
      for (let entry = list + 1; entry < end; entry += outcomeSize) {
        const newNode = memory[entry + 1] ?? 0;
        if (newNode === goalNode) return 'goal';
        const next = this.#scratchAt(depth + 1);
        for (let w = 0; w < current.length; w++) next[w] = current[w] ?? 0;
        next[field.word] = withId(next[field.word] ?? 0, field, newNode);
        if (cellField)
          next[cellField.word] = withId(next[cellField.word] ?? 0, cellField, memory[entry] ?? 0);
        if (memory[entry + 2] === 1) {
          const interruption = this.#step(state, component, depth + 1);
          if (interruption) return interruption;
        } else {
          settle(next, this.#layout, this.#neighbours, component);
          this.#table.add(next, state);
        }
      }
    }
    return undefined;
  }
}
