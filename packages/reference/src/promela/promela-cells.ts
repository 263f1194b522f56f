import { at } from '@fencewright/ground/base/at.js';
import { computeAddressSets } from '@fencewright/model/analysis/address-sets.js';
import type { InstrumentedProgram } from '@fencewright/model/instrumented/instrumented.js';
import type { Program } from '@fencewright/model/program/program.js';
import { promelaNumber, type Check, type PromelaExpression } from './promela-expression.js';

/** The maximum gap between two known addresses that one array covers; cells fill the gap. */
const longestGap = 64;
/**
 * The number of cells in the model's array after the last known address, for programs that compute
 * further addresses.
 */
const spareCells = 16;

/** The addresses with a cell in the array that stands for memory. */
export interface CellMap {
  /**
   * The addresses with a cell in ascending order; the index of an address is the number of its
   * cell.
   */
  readonly addresses: readonly number[];
  /** Whether an execution may compute an address that has no cell. */
  readonly isOpen: boolean;
}

/**
 * Returns cells for all addresses that executions of the program access, as far as analysis can
 * tell.
 */
export function mapCells(program: Program): CellMap {
  const known = new Set<number>();
  for (const { base, length } of program.symbols)
    for (let cell = 0; cell < length; cell++) known.add(base + cell);
  let isOpen = false;
  for (const set of computeAddressSets(program).flat())
    if (set === 'any') isOpen = true;
    else for (const address of set ?? []) known.add(address);
  if (known.size === 0) known.add(0);
  const sorted = [...known].sort((a, b) => a - b);
  const addresses = sorted.flatMap((address, i) => {
    const before = sorted[i - 1] ?? address - 1;
    const gap = address - before - 1;
    if (gap > longestGap) return [address];
    return Array.from({ length: gap + 1 }, (_, j) => before + 1 + j);
  });
  const last = addresses.at(-1) ?? 0;
  const spare = isOpen ? Array.from({ length: spareCells }, (_, i) => last + 1 + i) : [];
  return { addresses: [...addresses, ...spare], isOpen };
}

/**
 * Returns the number of the cell at an address, in Promela, with a check unless the address is
 * known to have a cell.
 */
export function cellNumber(
  { addresses, isOpen }: CellMap,
  address: PromelaExpression,
): PromelaExpression {
  const { text, checks } = address;
  if (address.low === address.high) {
    const cell = addresses.indexOf(address.low);
    if (cell >= 0) return { ...address, text: String(cell) };
    return { ...address, text: '0', checks: [...checks, { fault: 'address', holds: 'false' }] };
  }
  const first = at(addresses, 0);
  const last = addresses.at(-1) ?? 0;
  const isRange = last - first === addresses.length - 1;
  const holds = isRange
    ? `(${text} >= ${promelaNumber(first)} && ${text} <= ${promelaNumber(last)})`
    : `(${addresses.map((known) => `${text} == ${promelaNumber(known)}`).join(' || ')})`;
  const check: Check = { fault: 'address', holds };
  const number = isRange
    ? first === 0
      ? text
      : `(${text} - ${promelaNumber(first)})`
    : addresses.reduceRight(
        (rest, known, cell) => `(${text} == ${promelaNumber(known)} -> ${cell} : ${rest})`,
        '0',
      );
  const isInside = isRange && address.low >= first && address.high <= last;
  return { ...address, text: number, checks: isOpen && !isInside ? [...checks, check] : checks };
}

/** Returns the initial memory, indexed by cell. */
export function initialCells({ symbols }: InstrumentedProgram, { addresses }: CellMap): number[] {
  const values = addresses.map(() => 0);
  for (const { base, initial } of symbols)
    initial.forEach((value, offset) => (values[addresses.indexOf(base + offset)] = value));
  return values;
}
