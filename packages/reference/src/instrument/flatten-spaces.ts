import { at } from '@fencewright/ground/base/at.js';
import { UniqueNames } from '@fencewright/ground/base/unique-names.js';
import {
  binary,
  constant,
  mapParts,
  type Expression,
} from '@fencewright/model/program/expression.js';
import type { SymbolId } from '@fencewright/model/program/ids.js';
import { controlCell, type AuxiliarySpace } from '@fencewright/model/instrumented/instrumented.js';
import type { SharedSymbol } from '@fencewright/model/program/program.js';

/** A memory of an instrumented program: the program's own, or one of the auxiliary memories. */
type MemorySpace = 'program' | AuxiliarySpace;

/**
 * For each memory, the index of its cell among the five cells that every address has in the flat
 * memory. The cells of `control` are for flags only.
 */
const cellOf: Readonly<Record<MemorySpace, number>> = {
  program: 0,
  buffer: 1,
  pending: 2,
  level: 3,
  control: 4,
};
const cellsPerAddress = Object.keys(cellOf).length;

/**
 * The maximum distance of an address from 0 such that all its cells in the flat memory lie within
 * 32 bits.
 */
export const farthestFlatAddress = Math.floor(2 ** 31 / cellsPerAddress) - 1;

const flagNames = [
  ['fw_attacked', controlCell.attackedAddress],
  ['fw_hb', controlCell.happensBefore],
  ['fw_chosen', controlCell.attackerChosen],
  ['fw_thread', controlCell.attackThread],
  ['fw_store', controlCell.attackStore],
  ['fw_load', controlCell.attackLoad],
] as const;

/**
 * One memory in place of all memories: cell `s` of address `a` is at `5 a + s`, so that addresses
 * computed by the program cannot collide with cells of other addresses.
 */
export interface FlatMemory {
  /** The symbols of the program, five times as long, followed by the flags. */
  readonly symbols: readonly SharedSymbol[];
  /**
   * Returns the address of a cell in the flat memory, given its space and the expression for its
   * address there.
   */
  readonly address: (space: MemorySpace, expression: Expression) => Expression;
  /**
   * Returns an expression over the flat memory with the exact value of the original, addresses
   * included.
   */
  readonly value: (expression: Expression) => Expression;
}

function times(factor: number, expression: Expression): Expression {
  return expression.kind === 'constant'
    ? constant(factor * expression.value)
    : binary('*', constant(factor), expression);
}

function plus(expression: Expression, summand: number): Expression {
  if (expression.kind === 'constant') return constant(expression.value + summand);
  return summand === 0 ? expression : binary('+', expression, constant(summand));
}

function stretch({ name, base, length, initial }: SharedSymbol): SharedSymbol {
  const cells = Array.from({ length: length * cellsPerAddress }, (_, cell) =>
    cell % cellsPerAddress === 0 ? (initial[cell / cellsPerAddress] ?? 0) : 0,
  );
  return {
    name,
    base: base * cellsPerAddress,
    length: length * cellsPerAddress,
    isArray: true,
    initial: cells,
  };
}

/**
 * Returns the flat memory for a program with these symbols, and with the flags whose addresses in
 * the control space are in `usedFlags`.
 */
export function flattenSpaces(
  symbols: readonly SharedSymbol[],
  usedFlags: ReadonlySet<number>,
): FlatMemory {
  const end = Math.max(0, ...symbols.map(({ base, length }) => base + length));
  const taken = symbols.map(({ name }) => name);
  const names = new UniqueNames([], { taken, suffix: (n) => '_'.repeat(n - 1) });
  const flagCells = flagNames.filter(([, cell]) => usedFlags.has(cell));
  const flags = flagCells.map(([name, cell]): SharedSymbol => ({
    name: names.fresh(name),
    base: (end + cell) * cellsPerAddress + cellOf.control,
    length: 1,
    isArray: false,
    initial: [0],
  }));
  const flagAt = (cell: number): number => flagCells.findIndex(([, own]) => own === cell);
  const symbolAt = (address: number): SymbolId =>
    symbols.findIndex(({ base, length }) => address >= base && address < base + length);

  const value = (expression: Expression): Expression => {
    switch (expression.kind) {
      case 'constant':
      case 'register':
        return expression;
      case 'address':
        return constant(at(symbols, expression.symbol).base);
      case 'element': {
        const { base = 0, length = 0 } = symbols[expression.symbol] ?? {};
        const index = value(expression.index);
        if (index.kind === 'constant' && index.value >= 0 && index.value < length)
          return constant(base + index.value);
        // Only for the check of the index; 5 (base + i) less 4 (base + i).
        const checked: Expression = { ...expression, index: times(cellsPerAddress, index) };
        const rest = cellsPerAddress - 1;
        return binary('-', checked, plus(times(rest, index), rest * base));
      }
      case 'unary':
      case 'binary':
        return mapParts(expression, value);
    }
  };

  const address = (space: MemorySpace, expression: Expression): Expression => {
    const cell = cellOf[space];
    switch (expression.kind) {
      case 'constant': {
        if (space === 'control')
          return { kind: 'address', symbol: symbols.length + flagAt(expression.value) };
        const symbol = symbolAt(expression.value);
        // An address outside of all variables has no base.
        const base = symbol < 0 ? 0 : at(symbols, symbol).base;
        const flat = constant(cellsPerAddress * (expression.value - base) + cell);
        return symbol < 0 ? flat : { kind: 'element', symbol, index: flat };
      }
      case 'address':
        return { kind: 'element', symbol: expression.symbol, index: constant(cell) };
      case 'element':
        return {
          ...expression,
          index: plus(times(cellsPerAddress, value(expression.index)), cell),
        };
      case 'register':
      case 'unary':
      case 'binary':
        return plus(times(cellsPerAddress, value(expression)), cell);
    }
  };
  return { symbols: [...symbols.map(stretch), ...flags], address, value };
}
