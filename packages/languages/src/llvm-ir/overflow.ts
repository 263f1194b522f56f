import { unsigned, wrappedInteger } from './arithmetic.js';
import { Unsupported } from './unsupported.js';
import {
  binaryValue,
  compareValues,
  convertValue,
  numberValue,
  type LoweredValue,
} from './value.js';

/** Arithmetic that reports overflow: `__builtin_add_overflow` and the like. */
interface Overflowing {
  readonly isSigned: boolean;
  readonly operation: 'add' | 'sub' | 'mul';
  readonly bits: number;
}

/** The arithmetic of an intrinsic, given by name; `undefined` for all other names. */
export function overflowing(name: string): Overflowing | undefined {
  const [, sign, operation, bits] =
    /^llvm\.([su])(add|sub|mul)\.with\.overflow\.i([0-9]+)$/.exec(name) ?? [];
  if (operation === undefined) return undefined;
  return {
    isSigned: sign === 's',
    operation: operation as Overflowing['operation'],
    bits: Number(bits),
  };
}

/** The wrapped result, and 1 if the exact result is out of range. */
export function overflowOf(
  { isSigned, operation, bits }: Overflowing,
  left: bigint,
  right: bigint,
): readonly [bigint, bigint] {
  const [l, r] = isSigned ? [left, right] : [unsigned(left, bits), unsigned(right, bits)];
  const exact = { add: l + r, sub: l - r, mul: l * r }[operation];
  const result = wrappedInteger(exact, bits);
  const isExact = (isSigned ? result : unsigned(result, bits)) === exact;
  return [result, isExact ? 0n : 1n];
}

/** The wrapped result and the overflow flag for values of a thread. Throws `Unsupported`. */
export function overflowValue(
  how: Overflowing,
  left: LoweredValue,
  right: LoweredValue,
): LoweredValue {
  const { isSigned, operation, bits } = how;
  if (left.kind === 'number' && right.kind === 'number') {
    const both = overflowOf(how, left.number, right.number);
    return { kind: 'parts', parts: both.map((each) => numberValue(each)) };
  }
  const of = (name: string, l: LoweredValue, r: LoweredValue, width = bits): LoweredValue =>
    binaryValue(name, width, l, r, false);
  const result = of(operation, left, right);
  const zero = numberValue(0);
  let isOutside: LoweredValue;
  if (operation === 'mul') {
    if (bits > 32)
      throw new Unsupported(
        'the overflow of products of 64 bits is not supported',
        'check the operands before',
      );
    const wide = (value: LoweredValue): LoweredValue =>
      convertValue(isSigned ? 'sext' : 'zext', bits, 64, value);
    isOutside = compareValues('ne', 64, of('mul', wide(left), wide(right), 64), wide(result));
  } else if (isSigned) {
    // On overflow, the result has the wrong sign.
    const first = of('xor', left, result);
    const second = operation === 'add' ? of('xor', right, result) : of('xor', left, right);
    isOutside = compareValues('slt', bits, of('and', first, second), zero);
  } else if (operation === 'add') isOutside = compareValues('ult', bits, result, left);
  else isOutside = compareValues('ult', bits, left, right);
  return { kind: 'parts', parts: [result, isOutside] };
}
