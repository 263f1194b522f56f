import type { Automata, Expression, SharedSymbol } from '../automata.js';
import type { Arc } from './acts.js';
import { Flaw } from '../report.js';
import { and, type Bool, int, type Int, less, not, plus, same, yes } from './terms.js';

/** A variable of memory in the SMT solver's questions: a number, or an array over all integers. */
export interface Slot {
  readonly isArray: boolean;
  /**
   * The initial values of the variable other than 0, by index; the index of a number variable is 0.
   */
  readonly initial: ReadonlyMap<number, number>;
}

/**
 * A memory cell in terms of the SMT solver: a variable, or an entry of a variable that is an array.
 * The access is a fault unless `inside` holds.
 */
export interface Cell {
  readonly slot: number;
  readonly index?: Int;
  readonly inside: Bool;
}

/**
 * Memory as variables of the SMT solver: one for each shared variable; or a single array, if some
 * address is computed.
 */
export interface SmtMemory {
  readonly slots: readonly Slot[];
  /** Returns the cell at an address; `evaluate` returns the terms of expressions in the address. */
  readonly cellAt: (address: Expression, evaluate: (expression: Expression) => Int) => Cell;
  /** Returns the cell of the shared variable `symbol` at an index. */
  readonly cellOf: (symbol: number, index: Int) => Cell;
}

export function memoryOf({ symbols }: Automata, arcs: readonly Arc[]): SmtMemory {
  const addresses = arcs.flatMap(({ act }) => ('address' in act ? [act.address] : []));
  const named = ['constant', 'address', 'element'];
  if (addresses.every(({ kind }) => named.includes(kind))) return namedMemory(symbols, addresses);
  if (symbols.some(({ boundless }) => boundless))
    throw new Flaw('addresses are computed, and an array without bounds has none');
  return flatMemory(symbols);
}

function initialOf(
  { initial }: SharedSymbol,
  first: number,
): readonly (readonly [number, number])[] {
  return initial.map((value, i) => [first + i, value] as const).filter(([, value]) => value !== 0);
}

/** Returns the condition `0 <= index < length`; always true for an array without bounds. */
function within(index: Int, { length, boundless }: SharedSymbol): Bool {
  if (boundless) return yes;
  return and([not(less(index, int(0))), less(index, int(length))]);
}

function namedMemory(
  symbols: readonly SharedSymbol[],
  addresses: readonly Expression[],
): SmtMemory {
  const holder = (address: number): number =>
    symbols.findIndex(({ base, length }) => address >= base && address < base + length);
  const others = new Map<number, number>();
  for (const address of addresses)
    if (address.kind === 'constant' && holder(address.value) < 0 && !others.has(address.value))
      others.set(address.value, symbols.length + others.size);
  const cellOf = (symbol: number, index: Int): Cell => {
    const inside = within(index, symbols[symbol]!);
    return symbols[symbol]!.isArray ? { slot: symbol, index, inside } : { slot: symbol, inside };
  };
  const cellAtNumber = (address: number): Cell | undefined => {
    const symbol = holder(address);
    if (symbol >= 0) return cellOf(symbol, int(address - symbols[symbol]!.base));
    const slot = others.get(address);
    return slot === undefined ? undefined : { slot, inside: yes };
  };
  return {
    slots: [
      ...symbols.map((symbol) => ({
        isArray: symbol.isArray,
        initial: new Map(initialOf(symbol, 0)),
      })),
      ...[...others].map(() => ({ isArray: false, initial: new Map<number, number>() })),
    ],
    cellOf,
    cellAt(address, evaluate) {
      if (address.kind === 'element') return cellOf(address.symbol, evaluate(address.index));
      if (address.kind === 'address') return cellOf(address.symbol, int(0));
      const cell = address.kind === 'constant' ? cellAtNumber(address.value) : undefined;
      if (!cell) throw new RangeError('an address without a cell');
      return cell;
    },
  };
}

function flatMemory(symbols: readonly SharedSymbol[]): SmtMemory {
  const initial = new Map(symbols.flatMap((symbol) => initialOf(symbol, symbol.base)));
  const at = (index: Int, inside: Bool = yes): Cell => ({ slot: 0, index, inside });
  const cellOf = (symbol: number, index: Int): Cell =>
    at(plus(int(symbols[symbol]!.base), index), within(index, symbols[symbol]!));
  return {
    slots: [{ isArray: true, initial }],
    cellOf,
    cellAt: (address, evaluate) =>
      address.kind === 'element'
        ? cellOf(address.symbol, evaluate(address.index))
        : at(evaluate(address)),
  };
}

/** Returns the condition that two addresses denote one cell. */
export function isSameCell(a: Cell, b: Cell): Bool {
  if (a.slot !== b.slot) return { text: 'false', value: false };
  return a.index && b.index ? same(a.index, b.index) : yes;
}
