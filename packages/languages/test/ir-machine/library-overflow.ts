import type { Calling, LibraryFunction } from './library-call.js';
import { Fault } from './stop.js';
import { integer, toBig } from './value.js';

const operations = {
  add: (left: bigint, right: bigint) => left + right,
  sub: (left: bigint, right: bigint) => left - right,
  mul: (left: bigint, right: bigint) => left * right,
} as const;

/**
 * Returns the rule that executes an intrinsic: it returns the wrapped result, and whether this
 * differs from the exact result, by LLVM's reference.
 */
function overflowing(isSigned: boolean, of: keyof typeof operations): LibraryFunction {
  return (calling: Calling) => {
    const { shape } = calling.call;
    const result = shape.kind === 'parts' ? shape.parts[0]?.shape : undefined;
    if (result?.kind !== 'integer') throw new Fault('overflow of no integer');
    const { bits } = result;
    const read = (value: bigint): bigint =>
      isSigned ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value);
    const exact = operations[of](read(toBig(calling.value(0))), read(toBig(calling.value(1))));
    return { value: [integer(bits, exact), read(exact) === exact ? 0 : 1] };
  };
}

/** The arithmetic intrinsics that report overflow. */
export const overflowLibrary: Readonly<Record<string, LibraryFunction>> = Object.fromEntries(
  (['add', 'sub', 'mul'] as const).flatMap((of) => [
    [`llvm.s${of}.with.overflow.i`, overflowing(true, of)],
    [`llvm.u${of}.with.overflow.i`, overflowing(false, of)],
  ]),
);
