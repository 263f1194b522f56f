import type { IrType } from './syntax.js';

/** The sizes in bits of floating-point types that integers can represent. */
const bitsOfFloats: ReadonlyMap<string, number> = new Map([
  ['half', 16],
  ['float', 32],
  ['double', 64],
]);

/** The number of bits of a floating-point type; `undefined` for other types. */
export function floatSize(type: IrType): number | undefined {
  return type.kind === 'other' ? bitsOfFloats.get(type.text) : undefined;
}

/**
 * The bits of a floating-point constant in LLVM's notation: decimal, or the hexadecimal bits of the
 * equal `double`. `undefined` for other texts and types.
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

/** The bits of a `double`, given by a constant in LLVM's notation; `undefined` for other texts. */
function numberOf(text: string): bigint | undefined {
  if (/^0x[0-9A-Fa-f]{1,16}$/.test(text)) return BigInt(text);
  if (!/^-?[0-9]+\.[0-9]+(?:e[-+]?[0-9]+)?$/.test(text)) return undefined;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Number(text));
  return view.getBigUint64(0);
}

/**
 * The bits of the NaN of type `float` with the sign and the upper bits of a NaN of type `double`.
 */
function singleNaN(double: bigint): bigint {
  const sign = (double >> 63n) << 31n;
  return sign | 0x7f800000n | ((double >> 29n) & 0x7fffffn);
}
