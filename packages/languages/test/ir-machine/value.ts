import type { Shape } from './shape.js';
import { Fault, NotKnown } from './stop.js';

/**
 * A value of LLVM: integers of up to 32 bits and pointers are numbers, wider integers are bigints,
 * all unsigned; structures and arrays are lists. `undefined` is an undetermined value.
 */
export type Value = number | bigint | undefined | readonly Value[];

/** The number in place of a byte's value if the byte has not been written. */
export const unset = 256;

export const isWide = (bits: number): boolean => bits > 32;

/** Returns the lowest `bits` bits of an integer. */
export function integer(bits: number, value: bigint): Value {
  const kept = BigInt.asUintN(bits, value);
  return isWide(bits) ? kept : Number(kept);
}

export function toBig(value: Value): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return BigInt(value);
  throw new Fault('use of a value that is not there');
}

export function toNumber(value: Value): number {
  return Number(toBig(value));
}

export const toSigned = (bits: number, value: Value): bigint => BigInt.asIntN(bits, toBig(value));

/** Returns the bytes of a value in memory. */
export function toBytes(shape: Shape, value: Value): readonly number[] {
  const { size } = shape;
  if (value === undefined) return Array.from({ length: size }, () => unset);
  if (shape.kind === 'parts') {
    const bytes = Array.from({ length: size }, () => unset);
    shape.parts.forEach(({ offset, shape: part }, i) => {
      const own = toBytes(part, (value as readonly Value[])[i]);
      own.forEach((byte, k) => (bytes[offset + k] = byte));
    });
    return bytes;
  }
  const bytes: number[] = [];
  if (typeof value === 'bigint')
    for (let i = 0, rest = value; i < size; i++, rest >>= 8n) bytes.push(Number(rest & 255n));
  else
    for (let i = 0, rest = value as number; i < size; i++, rest = Math.floor(rest / 256))
      bytes.push(rest % 256);
  return bytes;
}

/**
 * Returns the value of bytes in memory; an integer or pointer with an undetermined byte is
 * undetermined.
 */
export function fromBytes(shape: Shape, bytes: readonly number[], from = 0): Value {
  switch (shape.kind) {
    case 'parts':
      return shape.parts.map((part) => fromBytes(part.shape, bytes, from + part.offset));
    case 'nothing':
      return undefined;
    case 'pointer':
    case 'integer': {
      let value = 0;
      let high = 0n;
      for (let i = shape.size - 1; i >= 0; i--) {
        const byte = bytes[from + i]!;
        if (byte === unset) return undefined;
        if (shape.kind === 'integer' && shape.size > 4) high = high * 256n + BigInt(byte);
        else value = value * 256 + byte;
      }
      if (shape.kind === 'pointer') return value;
      return shape.size > 4
        ? integer(shape.bits, high)
        : shape.bits < 32
          ? value % 2 ** shape.bits
          : value;
    }
  }
}

type Operator = (left: bigint, right: bigint, bits: number) => bigint;
const signed = (operator: (left: bigint, right: bigint) => bigint): Operator => {
  return (left, right, bits) => operator(BigInt.asIntN(bits, left), BigInt.asIntN(bits, right));
};
function nonZero(right: bigint): bigint {
  if (right === 0n) throw new Fault('division by zero');
  return right;
}
const operators: Readonly<Record<string, Operator>> = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  udiv: (a, b) => a / nonZero(b),
  urem: (a, b) => a % nonZero(b),
  sdiv: signed((a, b) => a / nonZero(b)),
  srem: signed((a, b) => a % nonZero(b)),
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  xor: (a, b) => a ^ b,
  shl: (a, b) => a << b,
  lshr: (a, b) => a >> b,
  ashr: (a, b, bits) => BigInt.asIntN(bits, a) >> b,
};

/** Returns the result of a binary operator of LLVM; signed overflow is a fault if `noOverflow`. */
export function binary(name: string, bits: number, noOverflow: boolean, a: Value, b: Value): Value {
  if (a === undefined || b === undefined) return undefined;
  const operator = operators[name];
  if (!operator) throw new NotKnown(name);
  const exact = operator(toBig(a), toBig(b), bits);
  if (noOverflow && ['add', 'sub', 'mul'].includes(name)) {
    const wanted = operator(toSigned(bits, a), toSigned(bits, b), bits);
    if (BigInt.asIntN(bits, wanted) !== wanted) throw new Fault('signed overflow');
  }
  return integer(bits, exact);
}

/** Returns the value that `atomicrmw` stores. */
export function modified(name: string, bits: number, old: Value, operand: Value): Value {
  const signedOnes = { max: true, min: true } as Readonly<Record<string, boolean>>;
  switch (name) {
    case 'xchg':
      return operand;
    case 'nand':
      return integer(bits, ~(toBig(old) & toBig(operand)));
    case 'max':
    case 'min':
    case 'umax':
    case 'umin': {
      const read = (value: Value): bigint =>
        signedOnes[name] ? toSigned(bits, value) : toBig(value);
      const isLarger = read(old) > read(operand);
      return isLarger === name.endsWith('max') ? old : operand;
    }
    default:
      return binary(name, bits, false, old, operand);
  }
}

export function compared(relation: string, bits: number, a: Value, b: Value): Value {
  if (a === undefined || b === undefined) return undefined;
  const read = (value: Value): bigint =>
    relation.startsWith('s') ? toSigned(bits, value) : toBig(value);
  const [left, right] = [read(a), read(b)];
  switch (relation.replace(/^[su]/, '')) {
    case 'eq':
      return left === right ? 1 : 0;
    case 'ne':
      return left !== right ? 1 : 0;
    case 'lt':
      return left < right ? 1 : 0;
    case 'le':
      return left <= right ? 1 : 0;
    case 'gt':
      return left > right ? 1 : 0;
    case 'ge':
      return left >= right ? 1 : 0;
    default:
      throw new NotKnown(`icmp ${relation}`);
  }
}
