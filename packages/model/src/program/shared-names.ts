import type { SymbolId } from './ids.js';
import type { SharedSymbol } from './program.js';

/**
 * Makes scalar shared variables by name, one cell each; addresses are 1, 2, ... in order of first
 * mention.
 */
export class SharedNames {
  readonly #ids = new Map<string, SymbolId>();
  readonly #initial: number[] = [];

  has(name: string): boolean {
    return this.#ids.has(name);
  }

  /** The symbol with the given name, declared if necessary. */
  symbol(name: string): SymbolId {
    const known = this.#ids.get(name);
    if (known !== undefined) return known;
    const id = this.#initial.push(0) - 1;
    this.#ids.set(name, id);
    return id;
  }

  addressOf(name: string): number {
    return this.symbol(name) + 1;
  }

  setInitial(name: string, value: number): void {
    this.#initial[this.symbol(name)] = value;
  }

  get names(): readonly string[] {
    return [...this.#ids.keys()];
  }

  toSymbols(): readonly SharedSymbol[] {
    return this.names.map((name, id) => ({
      name,
      base: id + 1,
      length: 1,
      isArray: false,
      initial: [this.#initial[id] ?? 0],
    }));
  }
}
