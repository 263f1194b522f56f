import { at, wordAt } from '../base/at.js';
import { kernelBinary } from './kernel-binary.js';
import { fieldOf, type Field, type PackedLayout } from './layout.js';
import { LinearStorage, TableFull } from './state-storage.js';
import type { BulkWorker, StateTable } from './state-table.js';
import type { Neighbours } from './symmetric-groups.js';
import type { ProductTables } from './tables.js';
import { decodeBase64, webAssembly } from './web-assembly.js';

/** The exports of kernel.as. */
interface KernelExports {
  readonly cursor: { readonly value: number };
  readonly count: { readonly value: number };
  readonly configure: (
    components: number,
    cells: number,
    slotsAt: number,
    slotCount: number,
    recordsAt: number,
    capacity: number,
  ) => void;
  readonly run: (from: number, stored: number, limit: number) => number;
  readonly enter: (stored: number) => void;
  readonly repack: (stored: number, moves: number) => void;
}

// Where kernel.as expects things: offsets and sizes in integers.
const componentsAt = 16;
const componentSize = 8;
const componentField = { shift: 0, mask: 1, nodes: 2, left: 3, right: 4 } as const;
const cellsAt = 640;
const cellSize = 2;
const movesAt = 768;
const moveSize = 3;

/** Returns the position of a field's lowest bit in the 64 bits of a state of two words. */
function shiftOf({ word, shift }: Field): number {
  return 32 * word + shift;
}

let compiled: object | 'unavailable' | undefined;

/**
 * Compiles the WebAssembly module of the kernel, once; `unavailable` if WebAssembly does not exist
 * or is forbidden.
 */
function compileKernel(): object | 'unavailable' {
  const platform = webAssembly();
  try {
    return platform ? new platform.Module(decodeBase64(kernelBinary)) : 'unavailable';
  } catch {
    return 'unavailable';
  }
}

/** Creates linear memory for a state table; `undefined` if WebAssembly is not available. */
export function createLinearStorage(): LinearStorage | undefined {
  const platform = webAssembly();
  try {
    return platform && new LinearStorage(new platform.Memory({ initial: 1 }));
  } catch {
    return undefined;
  }
}

/**
 * Expands states of two words in WebAssembly; see kernel.as. The kernel works on a copy of the
 * automata tables beside the states.
 */
export class Kernel implements BulkWorker {
  readonly #exports: KernelExports;
  readonly #storage: LinearStorage;
  readonly #tables: ProductTables;
  readonly #automata: readonly number[];
  readonly #neighbours: Neighbours;
  #copied = 0;
  #changesSeen = 0;
  #version = -1;

  private constructor(
    exports: KernelExports,
    storage: LinearStorage,
    tables: ProductTables,
    automata: readonly number[],
    neighbours: Neighbours,
  ) {
    this.#exports = exports;
    this.#storage = storage;
    this.#tables = tables;
    this.#automata = automata;
    this.#neighbours = neighbours;
  }

  /**
   * Creates a kernel for a search whose states are in `storage`; `undefined` without WebAssembly.
   */
  static create(
    storage: LinearStorage,
    tables: ProductTables,
    automata: readonly number[],
    neighbours: Neighbours,
  ): Kernel | undefined {
    const platform = webAssembly();
    compiled ??= compileKernel();
    if (!platform || compiled === 'unavailable') return undefined;
    const { exports } = new platform.Instance(compiled, { env: { memory: storage.memory } });
    return new Kernel(exports as KernelExports, storage, tables, automata, neighbours);
  }

  /**
   * Expands states of `table` from number `from` on, until none is left or `limit` states are
   * stored. May stop earlier with `stopped`, at a state that only the interpreter can expand;
   * expanding this state again from the start is harmless. May throw `TableFull`.
   */
  run(
    table: StateTable,
    layout: PackedLayout,
    from: number,
    limit: number,
  ): { readonly cursor: number; readonly stopped: boolean } {
    this.#copyTables();
    if (this.#version !== this.#tables.version) this.#describe(layout);
    const { components, cells } = layout;
    this.#configure(components.length, cells.length, table.capacity);
    const stopped = this.#exports.run(from, table.count, limit) === 0;
    table.count = this.#exports.count.value;
    return { cursor: this.#exports.cursor.value, stopped };
  }

  enter(count: number): void {
    this.#configure(0, 0, count);
    this.#exports.enter(count);
  }

  repack(count: number, from: readonly Field[], to: readonly Field[]): void {
    const { head } = this.#storage;
    from.forEach((field, f) => {
      const at = movesAt + moveSize * f;
      const put = fieldOf(to, f);
      head[at] = shiftOf(field);
      head[at + 1] = field.mask;
      head[at + 2] = shiftOf(put);
    });
    this.#configure(0, 0, count);
    this.#exports.repack(count, from.length);
  }

  #configure(components: number, cells: number, capacity: number): void {
    const { slots, records } = this.#storage;
    this.#exports.configure(
      components,
      cells,
      slots.byteOffset,
      slots.length,
      records.byteOffset,
      capacity,
    );
  }

  /** Brings the kernel's copy of the automata tables up to date. */
  #copyTables(): void {
    const { memory, used, changes } = this.#tables;
    const storage = this.#storage;
    if (used > storage.tables.length) this.#growTables(Math.ceil(used * 1.25));
    const copy = storage.tables;
    if (used > this.#copied) copy.set(memory.subarray(this.#copied, used), this.#copied);
    this.#copied = used;
    for (; this.#changesSeen < changes.length; this.#changesSeen++) {
      const offset = at(changes, this.#changesSeen);
      copy[offset] = wordAt(memory, offset);
    }
  }

  #growTables(length: number): void {
    const { records, slots } = this.#storage;
    try {
      this.#storage.resize(records.length, slots.length, length);
    } catch (error) {
      throw error instanceof RangeError ? new TableFull() : error;
    }
  }

  /**
   * Writes the layout of states to the part of linear memory from which the kernel reads the
   * layout.
   */
  #describe({ components, cells }: PackedLayout): void {
    this.#version = this.#tables.version;
    const { head, tables } = this.#storage;
    const { left, right } = this.#neighbours;
    const put = (at: number, field: Field): void => {
      head[at] = shiftOf(field);
      head[at + 1] = field.mask;
    };
    const address = (component: number): number =>
      component < 0 ? 0 : 4 * (componentsAt + componentSize * component);
    for (let c = 0; c < components.length; c++) {
      const record = componentsAt + componentSize * c;
      put(record, fieldOf(components, c));
      head[record + componentField.nodes] =
        tables.byteOffset + 4 * this.#tables.nodeTable(at(this.#automata, c));
      head[record + componentField.left] = address(wordAt(left, c));
      head[record + componentField.right] = address(wordAt(right, c));
    }
    for (let c = 0; c < cells.length; c++) put(cellsAt + cellSize * c, fieldOf(cells, c));
  }
}
