import type { Program, SharedSymbol } from '@fencewright/model/program/program.js';
import { formatNumber } from '@fencewright/model/program/wide-values.js';
import type { PrintedNames } from './print-names.js';

/** Prints the declarations of the whole program, which come before its threads or events. */
export function printDeclarations(
  { symbols, domain }: Pick<Program, 'symbols' | 'domain'>,
  names: Pick<PrintedNames, 'symbols'>,
): readonly string[] {
  let free = 1;
  const lines = symbols.map((symbol, id) => {
    const line = `var ${symbol.isPlain ? 'plain ' : ''}${names.symbols[id]!}${printCells(symbol, symbol.base === free)}`;
    free = symbol.base + symbol.length;
    return line;
  });
  return domain ? [...lines, `domain ${domain.low}..${domain.high}`] : lines;
}

/**
 * Prints the part of a variable's declaration after the name: the length, the address unless it is
 * the next free one, and the values unless they are 0.
 */
function printCells(
  { base, length, isArray, isBoundless, initial }: SharedSymbol,
  isNext: boolean,
): string {
  const size = isArray ? `[${isBoundless ? '*' : length}]` : '';
  const address = isNext ? '' : ` @ ${base}`;
  const last = initial.findLastIndex((value) => value !== 0);
  if (last < 0) return `${size}${address}`;
  const values = initial
    .slice(0, last + 1)
    .map(formatNumber)
    .join(', ');
  return `${size}${address} = ${isArray ? `{${values}}` : values}`;
}

/** Returns the function that prints the cell at an address. */
export function memoryPrinter(
  { symbols }: Pick<Program, 'symbols'>,
  names: Pick<PrintedNames, 'symbols'>,
): (address: number) => string {
  return (address) => {
    for (const [id, { base, length, isArray }] of symbols.entries())
      if (address >= base && address < base + length)
        return isArray ? `${names.symbols[id]!}[${address - base}]` : names.symbols[id]!;
    return `mem[${address}]`;
  };
}
