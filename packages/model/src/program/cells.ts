import { constantValue } from './evaluate.js';
import { UniqueNames } from '@fencewright/ground/base/unique-names.js';
import type { Expression } from './expression.js';
import type { Program, SharedSymbol } from './program.js';

/** A memory cell, with a name valid in formats without arrays, and its initial value. */
export interface Cell {
  readonly address: number;
  readonly name: string;
  readonly value: number;
}

/** Returns the addresses that instructions of the program contain as numbers. */
function givenAddresses({ threads }: Program): readonly number[] {
  const addresses = new Set<number>();
  for (const { transitions } of threads)
    for (const { instruction } of transitions)
      if ('address' in instruction && instruction.address.kind === 'constant')
        addresses.add(instruction.address.value);
  return [...addresses].sort((a, b) => a - b);
}

function namedCells(symbols: readonly SharedSymbol[]): readonly Cell[] {
  return symbols.flatMap(({ name, base, length, isArray, initial }) =>
    Array.from({ length }, (_, i) => ({
      address: base + i,
      name: isArray ? `${name}${i}` : name,
      value: initial[i] ?? 0,
    })),
  );
}

/**
 * Returns every cell that has a name or is accessed, with a unique name: `flag1` for `flag[1]`,
 * `m5` for address 5. `repair` makes a name valid in the format.
 */
export function cellsOf(program: Program, repair: (name: string) => string): readonly Cell[] {
  const named = namedCells(program.symbols);
  const known = new Set(named.map(({ address }) => address));
  const others = givenAddresses(program)
    .filter((address) => !known.has(address))
    .map((address) => ({ address, name: `m${address}`.replace('-', '_'), value: 0 }));
  const cells = [...named, ...others];
  const { names } = new UniqueNames(
    cells.map(({ name }) => name),
    { repair },
  );
  return cells.map((cell, i) => ({ ...cell, name: names[i]! }));
}

/**
 * The constant address denoted by an address expression; `undefined` if the address depends on
 * registers or lies outside its array.
 */
export function fixedAddress(
  symbols: readonly SharedSymbol[],
  address: Expression,
): number | undefined {
  if (address.kind === 'constant') return address.value;
  if (address.kind === 'address') return symbols[address.symbol]?.base;
  if (address.kind !== 'element') return undefined;
  const symbol = symbols[address.symbol];
  // Such as `flag[1 - self]`, in which the copy's number has been put in.
  const index = constantValue(address.index, symbols);
  if (!symbol || index === undefined || index < 0 || index >= symbol.length) return undefined;
  return symbol.base + index;
}
