type FaultKind = 'overflow' | 'division by zero' | 'domain' | 'index';

/**
 * Thrown at an instruction without a result, such as a division by zero; the execution ends at the
 * instruction.
 */
export class Fault extends Error {
  override readonly name = 'Fault';
  constructor(readonly kind: FaultKind) {
    super(kind);
  }
}

function divisor(value: bigint): bigint {
  if (value === 0n) throw new Fault('division by zero');
  return value;
}

function shiftCount(value: bigint): bigint {
  if (value < 0n || value > 31n) throw new Fault('overflow');
  return value;
}

function truth(isTrue: boolean): bigint {
  return isTrue ? 1n : 0n;
}

/** Returns the signed 32-bit integer with the same lowest 32 bits as `value`. */
function signed(value: bigint): bigint {
  return BigInt.asIntN(32, value);
}

/** Returns the integer in 0 to 2^32 - 1 with the same lowest 32 bits as `value`. */
function natural(value: bigint): bigint {
  return BigInt.asUintN(32, value);
}

type Unary = (value: bigint) => bigint;
type Binary = (a: bigint, b: bigint) => bigint;

/**
 * The unary operators of C, and conversions to integers of the given number of bits, with a sign
 * (`i`) or without (`u`). A result outside 32 bits is a fault, which the caller reports.
 */
export const unaryOperations = {
  '-': (value) => -value,
  '!': (value) => truth(value === 0n),
  '~': (value) => ~value,
  i8: (value) => BigInt.asIntN(8, value),
  u8: (value) => BigInt.asUintN(8, value),
  i16: (value) => BigInt.asIntN(16, value),
  u16: (value) => BigInt.asUintN(16, value),
} as const satisfies Readonly<Record<string, Unary>>;

/**
 * The binary operators of C; operators that end in `%` compute modulo 2^32. Division rounds towards
 * zero, as in C; a remainder has the sign of the left side. A result outside 32 bits is a fault,
 * which the caller reports. `&&` and `||` are given for two operands that are both evaluated.
 */
export const binaryOperations = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / divisor(b),
  '%': (a, b) => a % divisor(b),
  '&': (a, b) => a & b,
  '|': (a, b) => a | b,
  '^': (a, b) => a ^ b,
  '<<': (a, b) => a << shiftCount(b),
  '>>': (a, b) => a >> shiftCount(b),
  '==': (a, b) => truth(a === b),
  '!=': (a, b) => truth(a !== b),
  '<': (a, b) => truth(a < b),
  '<=': (a, b) => truth(a <= b),
  '>': (a, b) => truth(a > b),
  '>=': (a, b) => truth(a >= b),
  '&&': (a, b) => truth(a !== 0n && b !== 0n),
  '||': (a, b) => truth(a !== 0n || b !== 0n),
  '+%': (a, b) => signed(a + b),
  '-%': (a, b) => signed(a - b),
  '*%': (a, b) => signed(a * b),
  '/%': (a, b) => signed(natural(a) / divisor(natural(b))),
  '%%': (a, b) => signed(natural(a) % divisor(natural(b))),
  '<<%': (a, b) => signed(a << shiftCount(natural(b))),
  '>>%': (a, b) => signed(natural(a) >> shiftCount(natural(b))),
  '<%': (a, b) => truth(natural(a) < natural(b)),
  '<=%': (a, b) => truth(natural(a) <= natural(b)),
  '>%': (a, b) => truth(natural(a) > natural(b)),
  '>=%': (a, b) => truth(natural(a) >= natural(b)),
} as const satisfies Readonly<Record<string, Binary>>;

/**
 * The operators of the instruction `fetch`, as listed in `docs/automata.md`: each returns the new
 * value for the value `old` in memory. A result outside 32 bits is a fault, which the caller
 * reports.
 */
export const fetchOperations = {
  add: (old, operand) => old + operand,
  sub: (old, operand) => old - operand,
  add32: (old, operand) => signed(old + operand),
  sub32: (old, operand) => signed(old - operand),
  and: (old, operand) => old & operand,
  or: (old, operand) => old | operand,
  xor: (old, operand) => old ^ operand,
  max: (old, operand) => (old > operand ? old : operand),
  min: (old, operand) => (old < operand ? old : operand),
} as const satisfies Readonly<Record<string, Binary>>;

export type UnaryOperator = keyof typeof unaryOperations;
export type BinaryOperator = keyof typeof binaryOperations;
export type FetchOperator = keyof typeof fetchOperations;

/** Returns the names of a table's operators. */
export function operatorsOf<K extends string>(table: Readonly<Record<K, unknown>>): readonly K[] {
  return Object.keys(table) as K[];
}
