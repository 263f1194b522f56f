import type { SharedSymbol } from './automata.js';

/** Returns the cells of shared variables, each as address and initial value. */
export function initialCells(
  symbols: readonly SharedSymbol[],
): readonly (readonly [number, number])[] {
  return symbols.flatMap(({ base, initial }) =>
    initial.map((value, i) => [base + i, value] as const),
  );
}

/** Returns the initial values of cells, by address; cells of no variable hold 0. */
export function initialValues(symbols: readonly SharedSymbol[]): (address: number) => number {
  const cells = new Map(initialCells(symbols));
  return (address) => cells.get(address) ?? 0;
}
