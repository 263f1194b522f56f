/**
 * The operators of the instruction `fetch`, as listed in `docs/automata.md`: each returns the new
 * value for the value `old` in memory, even if outside 32 bits; the caller reports the fault.
 */
export const fetchOperations = {
  add: (old, operand) => old + operand,
  sub: (old, operand) => old - operand,
  add32: (old, operand) => BigInt.asIntN(32, old + operand),
  sub32: (old, operand) => BigInt.asIntN(32, old - operand),
  and: (old, operand) => old & operand,
  or: (old, operand) => old | operand,
  xor: (old, operand) => old ^ operand,
  max: (old, operand) => (old > operand ? old : operand),
  min: (old, operand) => (old < operand ? old : operand),
} as const satisfies Readonly<Record<string, (old: bigint, operand: bigint) => bigint>>;

export type FetchOperator = keyof typeof fetchOperations;

export const fetchOperators = Object.keys(fetchOperations) as readonly FetchOperator[];
