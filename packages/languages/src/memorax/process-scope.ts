import { unreachable } from '@fencewright/ground/base/unreachable.js';
import { binary, constant, type Expression, unary } from '@fencewright/model/program/expression.js';
import type { SharedSymbol } from '@fencewright/model/program/program.js';
import { indexOutOfBounds, unknownName } from '@fencewright/ground/source/diagnostic.js';
import type { Reading } from '@fencewright/ground/source/reading.js';
import type {
  DomainBounds,
  MemoraxCell,
  MemoraxDeclaration,
  Label,
  MemoraxFile,
  Process,
  MemoraxTerm,
} from './syntax.js';

/** A cell of memory, and the domain of its values. */
export interface BoundedCell {
  readonly address: Expression;
  readonly bounds?: DomainBounds;
}

/** The memory of a program: its locations and their addresses. */
export interface SharedMemory {
  readonly symbols: readonly SharedSymbol[];
  /** The global locations in the order of the file; a pointer is an index into this list. */
  readonly globals: readonly MemoraxDeclaration[];
  /**
   * The local locations by name: the declarations of all processes, indexed by process; `undefined`
   * for processes without the name.
   */
  readonly locals: ReadonlyMap<string, readonly (MemoraxDeclaration | undefined)[]>;
}

/** Returns every process once per copy. */
export function expandCopies(processes: readonly Process[]): readonly Process[] {
  return processes.flatMap((process) => Array.from({ length: process.copies }, () => process));
}

/**
 * Returns the memory: the globals, and then for each local name an array with a cell for each
 * process.
 */
export function layOutMemory({ data }: MemoraxFile, processes: readonly Process[]): SharedMemory {
  const locals = new Map<string, (MemoraxDeclaration | undefined)[]>();
  processes.forEach((process, id) => {
    for (const declaration of process.data) {
      const row = locals.get(declaration.name) ?? processes.map(() => undefined);
      row[id] = declaration;
      locals.set(declaration.name, row);
    }
  });
  const symbols: SharedSymbol[] = [];
  let base = 1;
  for (const { name, initial = 0 } of data) {
    symbols.push({ name, base, length: 1, isArray: false, initial: [initial] });
    base += 1;
  }
  for (const [name, row] of locals) {
    const { length } = row;
    const initial = row.map((declaration) => declaration?.initial ?? 0);
    // A global may have an equal name.
    const own = data.some((global) => global.name === name) ? `${name}_local` : name;
    symbols.push({ name: own, base, length, isArray: true, initial });
    base += length;
  }
  return { symbols, globals: data, locals };
}

/** Finds the registers and memory cells that names in a process of Memorax denote. */
export class ProcessScope {
  readonly #reading: Reading;
  readonly #memory: SharedMemory;
  readonly #id: number;
  readonly registers: readonly MemoraxDeclaration[];

  constructor(
    reading: Reading,
    memory: SharedMemory,
    id: number,
    registers: readonly MemoraxDeclaration[],
  ) {
    this.#reading = reading;
    this.#memory = memory;
    this.#id = id;
    this.registers = registers;
  }

  /** Returns the number of a register; 0 after a reported error. */
  register({ name, span }: Label): number {
    const id = this.registers.findIndex((register) => register.name === name);
    const names = this.registers.map((register) => register.name);
    if (id < 0) this.#reading.errors.error(() => unknownName(span, 'register', name, names));
    return Math.max(id, 0);
  }

  expression(term: MemoraxTerm): Expression {
    switch (term.kind) {
      case 'number':
        return constant(term.value);
      case 'register':
        return { kind: 'register', register: this.register(term) };
      case 'unary':
        return unary(term.operator, this.expression(term.operand));
      case 'binary':
        return binary(term.operator, this.expression(term.left), this.expression(term.right));
      default:
        return unreachable(term);
    }
  }

  /**
   * Returns the cells that a name may mean, each with its condition; a single cell has no
   * condition.
   */
  places(
    cell: MemoraxCell,
  ): readonly { readonly place: BoundedCell; readonly when?: Expression }[] {
    switch (cell.kind) {
      case 'global':
        return [{ place: this.#global(cell) }];
      case 'local':
        return [{ place: this.#local(cell) }];
      case 'pointer': {
        const { globals } = this.#memory;
        const index = this.expression(cell.index);
        if (index.kind !== 'constant')
          return globals.map((_, i) => ({
            place: this.#globalAt(i),
            when: binary('==', index, constant(i)),
          }));
        if (index.value >= 0 && index.value < globals.length)
          return [{ place: this.#globalAt(index.value) }];
        this.#reading.errors.error(() =>
          indexOutOfBounds(cell.span, 'data', index.value, globals.length),
        );
        return [];
      }
      default:
        return unreachable(cell);
    }
  }

  #globalAt(index: number): BoundedCell {
    const bounds = this.#memory.globals[index]?.bounds;
    return { address: { kind: 'address', symbol: index }, ...(bounds && { bounds }) };
  }

  #global({ name, span }: Extract<MemoraxCell, { kind: 'global' }>): BoundedCell {
    const index = this.#memory.globals.findIndex((global) => global.name === name);
    const names = this.#memory.globals.map((global) => global.name);
    if (index < 0) this.#reading.errors.error(() => unknownName(span, 'location', name, names));
    return this.#globalAt(Math.max(index, 0));
  }

  /**
   * Returns the cell of a local location; `x[k]` belongs to the `k`-th process, not counting this
   * process.
   */
  #local({ name, owner, span }: Extract<MemoraxCell, { kind: 'local' }>): BoundedCell {
    const { locals, globals } = this.#memory;
    const row = locals.get(name);
    const id = owner === 'my' ? this.#id : owner >= this.#id ? owner + 1 : owner;
    const declaration = row?.[id];
    if (!row) {
      this.#reading.errors.error(() => unknownName(span, 'local location', name, locals.keys()));
    } else if (!declaration) {
      const shown = `${name}[${owner}]`;
      this.#reading.errors.error(() => unknownName(span, 'location', shown, []));
    }
    const symbol = globals.length + [...locals.keys()].indexOf(name);
    const bounds = declaration?.bounds;
    return {
      address: { kind: 'element', symbol: Math.max(symbol, 0), index: constant(id) },
      ...(bounds && { bounds }),
    };
  }
}
