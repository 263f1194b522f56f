import { at, wordAt } from '../base/at.js';
import { Interpreter } from './interpreter.js';
import { createLinearStorage, Kernel } from './kernel.js';
import { createLayout, fieldOf, fits, withCells, type Field, type PackedLayout } from './layout.js';
import { TableFull } from './state-storage.js';
import { StateTable } from './state-table.js';
import { computeNeighbours, sortAll, type Neighbours } from './symmetric-groups.js';
import type { ProductTables } from './tables.js';

/**
 * A state of the product: a node for each component, a value id for each cell; missing cells hold
 * 0.
 */
export interface ProductState {
  readonly nodes: readonly number[];
  readonly values: readonly number[];
}

/** A state of the product in arrays that may be changed. */
export interface UnpackedState extends ProductState {
  readonly nodes: number[];
  readonly values: number[];
}

/**
 * Why `run` returned: all states expanded, limit reached, goal found, or no room for more states.
 */
export type RunResult = 'done' | 'limit' | 'goal' | 'full';

/**
 * The code that expands states: WebAssembly once there are many states (`auto`), WebAssembly from
 * the start, or TypeScript only. Without WebAssembly, and for states of more than two words, the
 * code is always TypeScript. The result does not depend on the choice.
 */
export type KernelChoice = 'auto' | 'wasm' | 'typescript';

interface ProductOptions {
  /** For each component of the product, the number of its automaton in the tables. */
  readonly automata: readonly number[];
  /**
   * Groups of components with equal automata, whose nodes are kept sorted; empty for no symmetry
   * reduction.
   */
  readonly groups: readonly (readonly number[])[];
  /**
   * Whether fields of packed states are as narrow as possible, so that layouts have to grow often
   * (for tests).
   */
  readonly tightLayout?: boolean;
  /** The code that expands states; `auto` by default. */
  readonly kernel?: KernelChoice;
}

/**
 * The change that turns a state of one search into a state of another search: a component gets
 * another node and another position, and a cell may get another value.
 */
interface StateChange {
  readonly component: number;
  readonly to: number;
  readonly node: number;
  readonly change?: { readonly cell: number; readonly value: number };
}

/**
 * The number of states from which on a search with kernel `auto` uses linear memory and the
 * WebAssembly kernel: for fewer states, starting the kernel takes more time than it saves.
 */
const statesForKernel = 1000;

/**
 * Breadth-first search through a product of tabulated automata over shared cells. States are packed
 * into words; the layout of a state grows with the ids that occur.
 */
export class ProductSearch {
  readonly table: StateTable;
  /** The number of the next state to expand. */
  cursor = 0;
  /** The number of the state from which the search reached its goal; -1 if it did not. */
  goalFrom = -1;
  layout: PackedLayout;
  readonly #tables: ProductTables;
  readonly #options: ProductOptions;
  readonly #neighbours: Neighbours;
  readonly #interpreter: Interpreter;
  /** By the number of an automaton, the components that are copies of the automaton. */
  readonly #componentsOf = new Map<number, number[]>();
  /**
   * The number of entries of `ProductTables.grown`, the list of new nodes and values, that are
   * known to fit `layout`.
   */
  #fitted: number;
  /** The packed state that is added next. */
  #packed = new Int32Array(0);
  /** The number of stored states from which on the kernel is used. */
  #kernelFrom: number;
  #kernel: Kernel | undefined;

  constructor(tables: ProductTables, options: ProductOptions) {
    const { automata, groups, kernel = 'auto' } = options;
    this.#tables = tables;
    this.#options = options;
    this.#kernelFrom = { auto: statesForKernel, wasm: 0, typescript: Infinity }[kernel];
    this.layout = this.#createLayout();
    this.table = new StateTable(this.layout.words);
    this.#neighbours = computeNeighbours(automata.length, groups);
    this.#interpreter = new Interpreter(tables, automata, this.#neighbours, this.table);
    automata.forEach((automaton, component) => {
      const known = this.#componentsOf.get(automaton) ?? [];
      known.push(component);
      this.#componentsOf.set(automaton, known);
      this.#interpreter.findNodes(component);
    });
    this.#interpreter.prepare(this.layout);
    this.#fitted = tables.grown.length;
  }

  get components(): number {
    return this.#options.automata.length;
  }

  /** Adds a state; returns its number, or -1 if the state is known. */
  add({ nodes, values }: ProductState, parent: number): number {
    const { automata } = this.#options;
    for (let c = 0; c < nodes.length; c++) this.#tables.noteNode(at(automata, c), at(nodes, c));
    for (let cell = 0; cell < values.length; cell++) this.#tables.noteValue(cell, at(values, cell));
    const { components, cells } = this.#startPacking();
    for (let c = 0; c < nodes.length; c++) this.#put(fieldOf(components, c), at(nodes, c));
    for (let cell = 0; cell < values.length; cell++)
      this.#put(fieldOf(cells, cell), at(values, cell));
    return this.#addPacked(parent);
  }

  /**
   * Adds a changed copy of a state of `source`, a search with equally many components over the same
   * cells. The component `component` moves to position `to` and gets the given node, and the
   * component at `to` moves to the vacated position. One cell may change. Returns the number of the
   * new state, or -1 if the state is known.
   */
  addMoved(
    source: ProductSearch,
    state: number,
    { component, to, node, change }: StateChange,
    parent: number,
  ): number {
    const { components, cells } = this.#startPacking();
    for (let c = 0; c < components.length; c++)
      this.#put(
        fieldOf(components, c),
        c === to ? node : source.node(state, c === component ? to : c),
      );
    for (let cell = 0; cell < cells.length; cell++)
      this.#put(
        fieldOf(cells, cell),
        cell === change?.cell ? change.value : source.value(state, cell),
      );
    return this.#addPacked(parent);
  }

  /**
   * Returns the number of a state, or -1 if the state is unknown; the state must fit the current
   * layout.
   */
  numberOf({ nodes, values }: ProductState): number {
    const { components, cells } = this.#startPacking();
    for (let c = 0; c < nodes.length; c++) {
      const field = fieldOf(components, c);
      if (!fits(field, at(nodes, c))) return -1;
      this.#put(field, at(nodes, c));
    }
    for (let cell = 0; cell < values.length; cell++) {
      const field = cells[cell];
      if (!fits(field, at(values, cell))) return -1;
      if (field) this.#put(field, at(values, cell));
    }
    sortAll(this.#packed, this.layout, this.#neighbours);
    return this.table.numberOf(this.#packed);
  }

  node(state: number, component: number): number {
    const field = this.layout.components[component];
    return field ? this.table.read(state, field) : 0;
  }

  value(state: number, cell: number): number {
    const field = this.layout.cells[cell];
    return field ? this.table.read(state, field) : 0;
  }

  /** Returns a state, unpacked into new arrays. */
  state(state: number): UnpackedState {
    return {
      nodes: this.layout.components.map((field) => this.table.read(state, field)),
      values: this.layout.cells.map((field) => this.table.read(state, field)),
    };
  }

  /**
   * Expands states in the order in which they were added until none is left, or `limit` states are
   * stored.
   */
  run(limit: number): RunResult {
    try {
      return this.#run(limit);
    } catch (error) {
      if (error instanceof TableFull) return 'full';
      throw error;
    }
  }

  #run(limit: number): RunResult {
    const { table } = this;
    // A state is always expanded completely, even if entries are missing in the tables: so the
    // place where a search stops does not depend on earlier searches.
    let isAgain = false;
    for (;;) {
      this.#fitLayout();
      if (!isAgain && !this.#stopsKernel(limit)) {
        if (this.cursor >= table.count) return 'done';
        if (table.count >= limit) return 'limit';
      }
      const interruption = this.#interpreter.expand(this.cursor);
      if (interruption === 'goal') {
        this.goalFrom = this.cursor;
        return 'goal';
      }
      isAgain = interruption === 'missing';
      if (!isAgain) this.cursor++;
    }
  }

  /** Expands states with the kernel, if any; returns whether a state needs the interpreter. */
  #stopsKernel(limit: number): boolean {
    const { table, layout } = this;
    if (table.count >= this.#kernelFrom) this.#startKernel();
    if (!this.#kernel || layout.words !== 2) return false;
    const { cursor, stopped } = this.#kernel.run(table, layout, this.cursor, limit);
    this.cursor = cursor;
    return stopped;
  }

  #startKernel(): void {
    this.#kernelFrom = Infinity;
    const storage = createLinearStorage();
    if (!storage) return;
    const { automata } = this.#options;
    this.#kernel = Kernel.create(storage, this.#tables, automata, this.#neighbours);
    this.table.moveTo(storage, this.#kernel);
  }

  #startPacking(): PackedLayout {
    this.#fitLayout();
    const { words } = this.layout;
    if (this.#packed.length === words) this.#packed.fill(0);
    else this.#packed = new Int32Array(words);
    return this.layout;
  }

  #put({ word, shift }: Field, id: number): void {
    this.#packed[word] = wordAt(this.#packed, word) | (id << shift);
  }

  #addPacked(parent: number): number {
    sortAll(this.#packed, this.layout, this.#neighbours);
    return this.table.add(this.#packed, parent);
  }

  #createLayout(): PackedLayout {
    const cells = Array.from({ length: this.#tables.cells }, (_, cell) =>
      this.#tables.maxValue(cell),
    );
    const nodes = this.#options.automata.map((automaton) => this.#tables.maxNode(automaton));
    return createLayout(nodes, cells, this.#options.tightLayout !== true);
  }

  /** Chooses a wider layout and repacks all states, if some id no longer fits. */
  #fitLayout(): void {
    const { grown } = this.#tables;
    if (this.#fitted === grown.length) return;
    let allFit = true;
    for (; this.#fitted < grown.length; this.#fitted++) {
      const entry = at(grown, this.#fitted);
      const fitsEntry = entry < 0 ? this.#fitsAutomaton(-1 - entry) : this.#fitsCell(entry);
      if (!fitsEntry) allFit = false;
    }
    const isWithoutField = this.layout.cells.length < this.#tables.cells;
    if (allFit && !isWithoutField) return;
    if (!(allFit && this.#takeRoom())) this.#repack();
    this.#interpreter.prepare(this.layout);
  }

  #repack(): void {
    const { components, cells } = this.layout;
    const layout = this.#createLayout();
    const kept = layout.cells.slice(0, cells.length);
    this.table.repack(layout.words, [...components, ...cells], [...layout.components, ...kept]);
    this.layout = layout;
  }

  /**
   * Adds fields for new cells to a large layout, in its spare fields; returns whether that was
   * possible.
   */
  #takeRoom(): boolean {
    if (this.#options.tightLayout) return false;
    const { words, cells } = this.layout;
    const wider = withCells(this.layout, this.#tables.cells);
    if (!wider) return false;
    for (let cell = cells.length; cell < wider.cells.length; cell++)
      if (!fits(wider.cells[cell], this.#tables.maxValue(cell))) return false;
    if (wider.words > words) this.table.widen(wider.words);
    this.layout = wider;
    return true;
  }

  /**
   * Whether the nodes of an automaton fit into the layout; updates the interpreter's offsets of the
   * nodes.
   */
  #fitsAutomaton(automaton: number): boolean {
    const components = this.#componentsOf.get(automaton) ?? [];
    const most = this.#tables.maxNode(automaton);
    for (const component of components) this.#interpreter.findNodes(component);
    return components.every((c) => fits(this.layout.components[c], most));
  }

  /** Whether the values of a cell fit into its field; true if the cell has no field yet. */
  #fitsCell(cell: number): boolean {
    const field = this.layout.cells[cell];
    return !field || fits(field, this.#tables.maxValue(cell));
  }
}
