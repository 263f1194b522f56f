import { constantValue } from '@fencewright/model/program/evaluate.js';
import { type Expression, binary, constant } from '@fencewright/model/program/expression.js';
import type { Program, SharedSymbol } from '@fencewright/model/program/program.js';
import { apply, integer, type Term } from '@fencewright/ground/smt/term.js';
import { at, valueAt } from '@fencewright/ground/base/at.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import type { OperationEdge } from './operation.js';

/** A variable of the proof: a number, or a map from all integers. */
interface MemoryVariable {
  readonly name: string;
  readonly isMap: boolean;
  /**
   * The initial values of the variable other than 0, by index; the index of a scalar variable is 0.
   */
  readonly initial: ReadonlyMap<number, number>;
}

/** A memory cell, given by an expression over registers. */
export interface ProofCell {
  /** The variable to which the cell belongs, as an index into `MemoryLayout.variables`. */
  readonly variable: number;
  /** The index into the variable's array; absent if the variable is a number. */
  readonly index?: Expression;
  /** Bounds `low <= index < high`: an access outside is a fault, which ends the execution. */
  readonly bounds?: { readonly index: Expression; readonly low: number; readonly high: number };
}

/** The division of a program's memory into variables of the solver. */
export interface MemoryLayout {
  readonly variables: readonly MemoryVariable[];
  readonly cellAt: (address: Expression) => ProofCell;
  /**
   * Returns the cell of a shared variable in an invariant; `index` is a term, not an expression.
   */
  readonly cellOf: (symbol: number, index: Term | undefined) => { variable: number; index?: Term };
}

/**
 * Returns the layout with a variable of the proof for each shared variable, if every access names a
 * shared variable. If some addresses are computed, returns the layout with one map for all of
 * memory. `undefined` if addresses are computed and there are arrays without bounds, which have no
 * addresses.
 */
export function computeMemoryLayout(
  program: Program,
  edges: readonly OperationEdge[],
): MemoryLayout | undefined {
  const addresses = edges.flatMap(({ operation }) =>
    'address' in operation ? [operation.address] : [],
  );
  const isNamed = addresses.every(
    (address) =>
      address.kind === 'element' || address.kind === 'address' || address.kind === 'constant',
  );
  if (isNamed) return namedLayout(program, addresses);
  return program.symbols.some(({ isBoundless }) => isBoundless) ? undefined : flatLayout(program);
}

function namedLayout({ symbols }: Program, addresses: readonly Expression[]): MemoryLayout {
  const symbolAt = (address: number): number =>
    symbols.findIndex(({ base, length }) => address >= base && address < base + length);
  const unnamed = new Map<number, number>();
  for (const address of addresses)
    if (address.kind === 'constant' && symbolAt(address.value) < 0)
      if (!unnamed.has(address.value)) unnamed.set(address.value, symbols.length + unnamed.size);
  const variables: MemoryVariable[] = [
    ...symbols.map((symbol) => ({
      name: symbol.name,
      isMap: symbol.isArray,
      initial: initialValues(symbol, 0),
    })),
    ...[...unnamed.keys()].map((address) => ({
      name: `mem[${address}]`,
      isMap: false,
      initial: new Map<number, number>(),
    })),
  ];
  const cellIn = (symbol: number, index: Expression): ProofCell => {
    const { isArray, isBoundless, length } = at(symbols, symbol);
    if (!isArray) return { variable: symbol };
    if (isBoundless || constantValue(index, symbols) !== undefined)
      return { variable: symbol, index };
    return { variable: symbol, index, bounds: { index, low: 0, high: length } };
  };
  return {
    variables,
    cellAt(address) {
      switch (address.kind) {
        case 'address':
          return cellIn(address.symbol, constant(0));
        case 'element':
          return cellIn(address.symbol, address.index);
        case 'constant': {
          const symbol = symbolAt(address.value);
          if (symbol < 0) return { variable: valueAt(unnamed, address.value) };
          return cellIn(symbol, constant(address.value - at(symbols, symbol).base));
        }
        default:
          throw new InternalError('an address without a name');
      }
    },
    cellOf: (symbol, index) => ({ variable: symbol, ...(index !== undefined && { index }) }),
  };
}

function initialValues({ initial }: SharedSymbol, first: number): ReadonlyMap<number, number> {
  return new Map(
    [...initial.entries()]
      .filter(([, value]) => value !== 0)
      .map(([cell, value]) => [first + cell, value]),
  );
}

/** Returns the layout in which every cell is `memory[address]`. */
function flatLayout({ symbols }: Program): MemoryLayout {
  const initial = new Map(symbols.flatMap((symbol) => [...initialValues(symbol, symbol.base)]));
  const memory = { name: 'memory', isMap: true, initial };
  return {
    variables: [memory],
    cellAt(address) {
      if (address.kind !== 'element') return { variable: 0, index: address };
      const { base, length } = at(symbols, address.symbol);
      const bounds = { index: address.index, low: 0, high: length };
      return { variable: 0, index: binary('+', constant(base), address.index), bounds };
    },
    cellOf(symbol, index) {
      const base = integer(at(symbols, symbol).base);
      return { variable: 0, index: index === undefined ? base : apply('+', base, index) };
    },
  };
}
