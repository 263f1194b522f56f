import { ite, type Int, less, minus, operate, plus } from './proof/terms.js';

/**
 * An operator of the instruction `fetch`, which replaces the value `old` in memory by a new value.
 */
interface FetchOperation {
  /** Returns the new value, even if outside 32 bits; the caller reports the fault. */
  readonly value: (old: bigint, operand: bigint) => bigint;
  readonly term: (old: Int, operand: Int) => Int;
}

/** The operators of `fetch`, as listed in `docs/automata.md`. */
export const fetchOperations = {
  add: { value: (old, operand) => old + operand, term: plus },
  sub: { value: (old, operand) => old - operand, term: minus },
  add32: {
    value: (old, operand) => BigInt.asIntN(32, old + operand),
    term: (a, b) => operate('+%', a, b),
  },
  sub32: {
    value: (old, operand) => BigInt.asIntN(32, old - operand),
    term: (a, b) => operate('-%', a, b),
  },
  and: { value: (old, operand) => old & operand, term: (a, b) => operate('&', a, b) },
  or: { value: (old, operand) => old | operand, term: (a, b) => operate('|', a, b) },
  xor: { value: (old, operand) => old ^ operand, term: (a, b) => operate('^', a, b) },
  max: {
    value: (old, operand) => (old > operand ? old : operand),
    term: (a, b) => ite(less(b, a), a, b),
  },
  min: {
    value: (old, operand) => (old < operand ? old : operand),
    term: (a, b) => ite(less(a, b), a, b),
  },
} as const satisfies Readonly<Record<string, FetchOperation>>;

export type FetchOperator = keyof typeof fetchOperations;

export const fetchOperators = Object.keys(fetchOperations) as readonly FetchOperator[];
