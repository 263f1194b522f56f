import { at, wordAt } from '../base/at.js';
import { fieldOf, type Field, type PackedLayout } from './layout.js';
import type { StateTable } from './state-table.js';
import { sortGroup, type Neighbours } from './symmetric-groups.js';
import {
  actionRecord,
  blindRow,
  goalNode,
  nodeRecord,
  outcomeSize,
  type ProductTables,
} from './tables.js';

/**
 * The reason why the interpreter returned early. `goal`: the goal was reached; `missing`: a table
 * entry was missing and has been added, and the state must be expanded again.
 */
type Interruption = 'goal' | 'missing' | undefined;

function withId(word: number, { shift, mask }: Field, id: number): number {
  return (word & ~(mask << shift)) | (id << shift);
}

/**
 * Expands states by looking up the tables, in TypeScript; handles all states, including those that
 * the WebAssembly kernel cannot expand.
 */
export class Interpreter {
  readonly #tables: ProductTables;
  readonly #automata: readonly number[];
  readonly #neighbours: Neighbours;
  readonly #table: StateTable;
  #layout: PackedLayout = { words: 2, components: [], cells: [], room: [] };
  /**
   * The words of the state that is expanded, and of the intermediate states, which are not stored.
   */
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

  /** Adapts the interpreter to a layout; to be called whenever the layout has changed. */
  prepare(layout: PackedLayout): void {
    if (layout.words !== this.#layout.words) this.#scratch = [];
    this.#layout = layout;
  }

  /**
   * Reads from the tables the offsets of the records of a component's nodes; to be called whenever
   * the component's automaton has grown.
   */
  findNodes(component: number): void {
    this.#nodeTables[component] = this.#tables.nodeTable(at(this.#automata, component));
  }

  /**
   * Adds the successors of a state to the table; returns the reason if the interpreter stopped
   * early. May throw `TableFull`.
   */
  expand(state: number): Interruption {
    const { components } = this.#layout;
    const { memory } = this.#tables;
    const current = this.#scratchAt(0);
    this.#table.copyWords(state, current);
    for (let c = 0; c < components.length; c++) {
      const { word, shift, mask } = fieldOf(components, c);
      const node = (wordAt(current, word) >>> shift) & mask;
      const record = wordAt(memory, wordAt(this.#nodeTables, c) + node);
      if (record === 0) {
        this.#tables.node(at(this.#automata, c), node);
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

  /**
   * Makes all moves of one component from the state in `#scratch` at `depth`; returns the reason if
   * the interpreter stopped early.
   */
  #step(state: number, component: number, depth: number): Interruption {
    const { components, cells } = this.#layout;
    const { memory } = this.#tables;
    const current = this.#scratchAt(depth);
    const field = fieldOf(components, component);
    const node = (wordAt(current, field.word) >>> field.shift) & field.mask;
    const record = wordAt(memory, wordAt(this.#nodeTables, component) + node);
    const automaton = at(this.#automata, component);
    if (record === 0) {
      this.#tables.node(automaton, node);
      return 'missing';
    }
    const count = wordAt(memory, record + nodeRecord.count);
    for (let action = 0; action < count; action++) {
      const at = record + nodeRecord.actions + nodeRecord.actionSize * action;
      const cell = wordAt(memory, at + actionRecord.cell);
      const cellField = cell < 0 ? undefined : cells[cell];
      if (cell >= 0 && !cellField) return 'missing';
      const value = cellField
        ? (wordAt(current, cellField.word) >>> cellField.shift) & cellField.mask
        : 0;
      const capacity = wordAt(memory, at + actionRecord.rowCapacity);
      const entryAt = capacity === blindRow ? 0 : value;
      const list =
        entryAt < capacity || capacity === blindRow
          ? wordAt(memory, wordAt(memory, at + actionRecord.row) + entryAt)
          : 0;
      if (list === 0) {
        this.#tables.outcomes(automaton, node, action, value);
        return 'missing';
      }
      const end = list + 1 + outcomeSize * wordAt(memory, list);
      for (let entry = list + 1; entry < end; entry += outcomeSize) {
        const newNode = wordAt(memory, entry + 1);
        if (newNode === goalNode) return 'goal';
        const next = this.#scratchAt(depth + 1);
        for (let w = 0; w < current.length; w++) next[w] = wordAt(current, w);
        next[field.word] = withId(wordAt(next, field.word), field, newNode);
        if (cellField)
          next[cellField.word] = withId(
            wordAt(next, cellField.word),
            cellField,
            wordAt(memory, entry),
          );
        if (memory[entry + 2] === 1) {
          const interruption = this.#step(state, component, depth + 1);
          if (interruption) return interruption;
        } else {
          sortGroup(next, this.#layout, this.#neighbours, component);
          this.#table.add(next, state);
        }
      }
    }
    return undefined;
  }
}
