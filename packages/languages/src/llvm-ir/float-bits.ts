import type { IrType } from './syntax.js';

/** Floating-point numbers whose bits are one integer. */
const bitsOfFloats: ReadonlyMap<string, number> = new Map([
  ['half', 16],
  ['float', 32],
  ['double', 64],
]);

/** How many bits the numbers of a floating-point type have; `undefined` for other types. */
export function floatSize(type: IrType): number | undefined {
  return type.kind === 'other' ? bitsOfFloats.get(type.text) : undefined;
}

/**
 * The bits of a floating-point constant, as LLVM writes it: in decimal notation, or as the bits of
 * the `double` that is equal to it; `undefined` for all else.
 */
export function floatBits(type: IrType, text: string): bigint | undefined {
  const bits = floatSize(type);
  const half = /^0xH([0-9A-Fa-f]{4})$/.exec(text)?.[1];
  if (bits === 16 && half !== undefined) return BigInt.asIntN(16, BigInt(`0x${half}`));
  const number = numberOf(text);
  if (number === undefined || bits === undefined || bits < 32) return undefined;
  const view = new DataView(new ArrayBuffer(8));
  if (bits === 64) {
    view.setBigUint64(0, number);
    return view.getBigInt64(0);
  }
  view.setBigUint64(0, number);
  const value = view.getFloat64(0);
  if (Number.isNaN(value)) return BigInt.asIntN(32, singleNaN(number));
  view.setFloat32(0, value);
  return BigInt(view.getInt32(0));
}

/** The bits of a `double`. */
function numberOf(text: string): bigint | undefined {
  if (/^0x[0-9A-Fa-f]{1,16}$/.test(text)) return BigInt(text);
  if (!/^-?[0-9]+\.[0-9]+(?:e[-+]?[0-9]+)?$/.test(text)) return undefined;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Number(text));
  return view.getBigUint64(0);
}

/** The bits of the `float` that is no number, with the sign and the upper bits of the `double`. */
function singleNaN(double: bigint): bigint {
  const sign = (double >> 63n) << 31n;
  return sign | 0x7f800000n | ((double >> 29n) & 0x7fffffn);
}
