import type { SymbolId } from './ids.js';
import type { SharedSymbol } from './program.js';

interface DeclaredName {
  readonly base: number;
  /** The number of cells of an array; absent for a scalar. */
  readonly cells?: number;
  readonly initial: number[];
}

/**
 * Declares shared variables by name, scalars of one cell and arrays, with the addresses 1, 2, ...
 * in order of first mention.
 */
export class SharedNames {
  readonly #ids = new Map<string, SymbolId>();
  readonly #declared: DeclaredName[] = [];
  #next = 1;

  has(name: string): boolean {
    return this.#ids.has(name);
  }

  /** Returns the shared variable with the given name, declared as a scalar if necessary. */
  symbol(name: string): SymbolId {
    return this.#ids.get(name) ?? this.#declare(name, { base: this.#next, initial: [] });
  }

  /** Declares an array. Returns whether the name is new, as it has to be. */
  declareArray(name: string, cells: number, initial: readonly number[]): boolean {
    if (this.#ids.has(name)) return false;
    this.#declare(name, { base: this.#next, cells, initial: [...initial] });
    return true;
  }

  #declare(name: string, declared: DeclaredName): SymbolId {
    const id = this.#declared.push(declared) - 1;
    this.#next += declared.cells ?? 1;
    this.#ids.set(name, id);
    return id;
  }

  /** Returns the number of cells of an array; `undefined` for a scalar. */
  cellsOf(name: string): number | undefined {
    return this.#declared[this.symbol(name)]!.cells;
  }

  /** Returns the address of a scalar, or of the first cell of an array. */
  addressOf(name: string): number {
    return this.#declared[this.symbol(name)]!.base;
  }

  setInitial(name: string, value: number): void {
    this.#declared[this.symbol(name)]!.initial[0] = value;
  }

  get names(): readonly string[] {
    return [...this.#ids.keys()];
  }

  toSymbols(): readonly SharedSymbol[] {
    return this.names.map((name, id) => {
      const { base, cells, initial } = this.#declared[id]!;
      const length = cells ?? 1;
      return {
        ...{ name, base, length, isArray: cells !== undefined },
        initial: Array.from({ length }, (_, cell) => initial[cell] ?? 0),
      };
    });
  }
}
