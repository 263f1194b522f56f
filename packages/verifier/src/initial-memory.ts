import type { SharedSymbol } from './automata.js';

/** Returns the initial values of shared variables, by address; all other cells hold 0. */
export function initialMemory(symbols: readonly SharedSymbol[]): ReadonlyMap<number, number> {
  return new Map(
    symbols.flatMap(({ base, initial }) => initial.map((value, i) => [base + i, value] as const)),
  );
}
