import { at } from '@fencewright/ground/base/at.js';
import { computeAddressSets } from '@fencewright/model/analysis/address-sets.js';
import { cellsOf, fixedAddress, type Cell } from '@fencewright/model/program/cells.js';
import { type Expression, hasPart } from '@fencewright/model/program/expression.js';
import { operandsOf } from '@fencewright/model/program/rewrite.js';
import type { Program, SharedSymbol } from '@fencewright/model/program/program.js';

/** The maximum number of cells of the C array that represents memory. */
const maxCells = 65_536;
/**
 * The number of cells after the last known address in the C array that represents memory, for
 * programs that compute further addresses.
 */
const spareCells = 16;

/**
 * The way in which a program's memory cells become variables of C.
 *
 * - `variables`: a C variable or array for each symbol, and a C variable for each of `others`, the
 * cells that belong to no symbol. Each access names its cell, or its array.
 * - `array`: one array for all addresses from `low` to `high`, indexed by address, for programs in
 * which addresses are values or computed, or symbols overlap. `isOpen`: an execution may compute
 * further addresses.
 */
export type CLayout =
  | { readonly kind: 'variables'; readonly others: readonly Cell[] }
  | {
      readonly kind: 'array';
      readonly low: number;
      readonly high: number;
      /** All known addresses of the program; executions access no addresses between them. */
      readonly addresses: ReadonlySet<number>;
      readonly isOpen: boolean;
    };

const isAddress = ({ kind }: Expression): boolean => kind === 'address' || kind === 'element';

/**
 * Whether each access of the program names a cell or an element of an array, and no address is used
 * as a value elsewhere.
 */
function namesItsCells({ symbols, threads }: Program): boolean {
  return threads.every(({ transitions }) =>
    transitions.every(({ instruction }) => {
      if (!('address' in instruction)) return !operandsOf(instruction).some(hasAddress);
      const { address } = instruction;
      const inside = address.kind === 'element' ? [address.index] : [];
      const values = operandsOf(instruction).filter((operand) => operand !== address);
      return (
        (fixedAddress(symbols, address) !== undefined || address.kind === 'element') &&
        ![...inside, ...values].some(hasAddress)
      );
    }),
  );
}

const hasAddress = (expression: Expression): boolean => hasPart(expression, isAddress);

function overlap(symbols: readonly SharedSymbol[]): boolean {
  const cells = symbols.flatMap(({ base, length }) =>
    Array.from({ length }, (_, cell) => base + cell),
  );
  return new Set(cells).size < cells.length;
}

/**
 * Returns the layout of the program's memory in C; `undefined` if its addresses lie too far apart.
 */
export function layoutInC(program: Program): CLayout | undefined {
  const { symbols } = program;
  if (namesItsCells(program) && !overlap(symbols)) {
    const isNamed = ({ address }: Cell): boolean => symbolOfCell(symbols, address) !== undefined;
    const cells = cellsOf(program, (name) => name);
    return { kind: 'variables', others: cells.filter((cell) => !isNamed(cell)) };
  }
  const known = new Set<number>();
  for (const { base, length } of symbols)
    for (let cell = 0; cell < length; cell++) known.add(base + cell);
  const sets = computeAddressSets(program).flat();
  const isOpen = sets.includes('any');
  for (const set of sets) if (set !== 'any') for (const address of set ?? []) known.add(address);
  const addresses = new Set([...known].sort((a, b) => a - b));
  const low = Math.min(0, ...addresses);
  const last = Math.max(0, ...addresses);
  for (let cell = 1; isOpen && cell <= spareCells; cell++) addresses.add(last + cell);
  // Compilers examine dead code, too, and may warn of indices outside the array.
  const high = last + spareCells;
  return high - low < maxCells ? { kind: 'array', low, high, addresses, isOpen } : undefined;
}

/** Returns the id of the symbol with a cell at the address; `undefined` if there is none. */
function symbolOfCell(symbols: readonly SharedSymbol[], address: number): number | undefined {
  const id = symbols.findIndex(({ base, length }) => address >= base && address < base + length);
  return id < 0 ? undefined : id;
}

/**
 * Returns the text of the cell at a constant address, by the names of symbols and other cells;
 * `undefined` if C has no cell for the address.
 */
export function constantCell(
  layout: CLayout,
  symbols: readonly SharedSymbol[],
  names: { readonly symbols: readonly string[]; readonly cells: readonly string[] },
  address: number,
): string | undefined {
  const id = symbolOfCell(symbols, address);
  if (layout.kind === 'array') {
    if (address < layout.low || address > layout.high) return undefined;
    const symbol = id === undefined ? undefined : at(symbols, id);
    const index = !symbol
      ? String(address)
      : `${names.symbols[id!]!}${address > symbol.base ? ` + ${address - symbol.base}` : ''}`;
    return `memory[${layout.low < 0 ? `${index} + ${-layout.low}` : index}]`;
  }
  if (id === undefined) {
    const other = layout.others.findIndex((cell) => cell.address === address);
    return names.cells[other];
  }
  const { base, isArray } = at(symbols, id);
  return isArray ? `${names.symbols[id]!}[${address - base}]` : names.symbols[id]!;
}
