import { checkNoAddress } from './address-numbers.js';
import { wrappedInteger, unsigned } from './arithmetic.js';
import { bitsOf } from './constants.js';
import type { ByteMemory } from './memory.js';
import type { IrOperationOf, IrType } from './syntax.js';
import { Unsupported } from './unsupported.js';

/*
 * Arithmetic on numbers of the types `float` and `double` as IEEE 754 defines it, rounded to the
 * nearest number, which is how programs of C on x86-64 start. Numbers are given by their bits.
 */

type FloatOperation = IrOperationOf<'float'>;

const view = new DataView(new ArrayBuffer(8));

/** Whether the type is `double`; throws `Unsupported` for types other than `float` and `double`. */
function isDouble(type: IrType): boolean {
  const name = type.kind === 'other' ? type.text : type.kind;
  if (name === 'float' || name === 'double') return name === 'double';
  throw new Unsupported(`arithmetic on numbers of the type '${name}' is not supported`);
}

function numberOf(type: IrType, bits: bigint): number {
  if (isDouble(type)) {
    view.setBigInt64(0, bits);
    return view.getFloat64(0);
  }
  view.setInt32(0, Number(bits));
  return view.getFloat32(0);
}

/**
 * The bits of a number, rounded to the type. A sum, difference, product or quotient of two numbers
 * of type `float` may be rounded twice without an error, since a `double` has twice the digits of a
 * `float` and more than two further digits. A result that is not a number is refused: IEEE 754
 * leaves its bits open.
 */
function bitsOfNumber(operation: string, type: IrType, number: number): bigint {
  if (Number.isNaN(number))
    throw new Unsupported(
      `the result of '${operation}' is not a number (NaN), and its bits are not determined`,
    );
  if (isDouble(type)) {
    view.setFloat64(0, number);
    return view.getBigInt64(0);
  }
  view.setFloat32(0, number);
  return BigInt(view.getInt32(0));
}

/**
 * The integer with its digits after the first 53 combined into one digit, the last of the 53, so
 * that rounding the result to `float` is rounding the integer.
 */
function withStickyDigit(integer: bigint): bigint {
  const magnitude = integer < 0n ? -integer : integer;
  const extra = magnitude.toString(2).length - 53;
  if (extra <= 0) return integer;
  const shortened = magnitude >> BigInt(extra);
  const isExact = shortened << BigInt(extra) === magnitude;
  const joined = (isExact ? shortened : shortened | 1n) << BigInt(extra);
  return integer < 0n ? -joined : joined;
}

const arithmetic: Readonly<Record<string, (left: number, right: number) => number>> = {
  fadd: (left, right) => left + right,
  fsub: (left, right) => left - right,
  fmul: (left, right) => left * right,
  fdiv: (left, right) => left / right,
};

/** The relations of `fcmp` by their last two letters; the first letter is `o` or `u`. */
const relations: Readonly<Record<string, (left: number, right: number) => boolean>> = {
  eq: (left, right) => left === right,
  ne: (left, right) => left !== right,
  lt: (left, right) => left < right,
  le: (left, right) => left <= right,
  gt: (left, right) => left > right,
  ge: (left, right) => left >= right,
};

function isRelated(relation: string, left: number, right: number): boolean {
  if (relation === 'true' || relation === 'false') return relation === 'true';
  const isUnordered = Number.isNaN(left) || Number.isNaN(right);
  if (relation === 'ord' || relation === 'uno') return isUnordered === (relation === 'uno');
  const holds = relations[relation.slice(1)];
  if (!holds) throw new Unsupported(`the relation '${relation}' is not supported`);
  return isUnordered ? relation.startsWith('u') : holds(left, right);
}

function integerOf(operation: string, number: number, to: IrType): bigint {
  const bits = bitsOf(to);
  const integer = Number.isFinite(number) ? BigInt(Math.trunc(number)) : undefined;
  const isSigned = operation === 'fptosi';
  const back = integer === undefined ? undefined : wrappedInteger(integer, bits);
  const read = back === undefined || isSigned ? back : unsigned(back, bits);
  if (back === undefined || read !== integer)
    throw new Unsupported(
      'a floating-point number is converted to an integer that cannot hold it, which C leaves undefined',
    );
  return back;
}

/**
 * The bits of the result of an operation, from the bits of its operands. Throws `Unsupported` if
 * the result is undefined, not a number, or depends on the memory layout.
 */
export function computeFloat(
  memory: ByteMemory,
  { operation, relation, operands, to }: FloatOperation,
  bits: readonly bigint[],
): bigint {
  const [left = 0n, right = 0n] = bits;
  const from = operands[0]!.type;
  // The bits of a `double` may be those of a pointer.
  if (from.kind !== 'int' && isDouble(from)) for (const each of bits) checkNoAddress(memory, each);
  switch (operation) {
    case 'fcmp':
      return isRelated(relation!, numberOf(from, left), numberOf(from, right)) ? 1n : 0n;
    case 'fneg':
      return wrappedInteger(left ^ (1n << (isDouble(from) ? 63n : 31n)), bitsOf(from));
    case 'sitofp':
    case 'uitofp': {
      checkNoAddress(memory, left);
      const size = bitsOf(from);
      // As a signed number, the single bit 1 is -1.
      const read = operation === 'sitofp' ? (size === 1 ? -left : left) : unsigned(left, size);
      const number = Number(isDouble(to) ? read : withStickyDigit(read));
      return bitsOfNumber(operation, to, number);
    }
    case 'fptosi':
    case 'fptoui':
      return integerOf(operation, numberOf(from, left), to);
    case 'fptrunc':
    case 'fpext':
      return bitsOfNumber(operation, to, numberOf(from, left));
    default: {
      const result = arithmetic[operation];
      if (!result) throw new Unsupported(`'${operation}' is not supported`);
      return bitsOfNumber(operation, to, result(numberOf(from, left), numberOf(from, right)));
    }
  }
}
