import { Fault, NotKnown } from './stop.js';

/*
 * The arithmetic of x86's general-purpose instructions, from volume 2 of the manual: unsigned
 * numbers of `size` bits, and the resulting flags.
 */

/** The flags of the processor; `undefined` for flags that the manual leaves undefined. */
export interface Flags {
  readonly cf?: boolean | undefined;
  readonly zf?: boolean | undefined;
  readonly sf?: boolean | undefined;
  readonly of?: boolean | undefined;
}

export interface Computed {
  readonly result: bigint;
  readonly flags: Flags;
}

const cut = (size: number, value: bigint): bigint => BigInt.asUintN(size, value);
const top = (size: number, value: bigint): boolean => ((value >> BigInt(size - 1)) & 1n) === 1n;

function must(flag: boolean | undefined): boolean {
  if (flag === undefined) throw new Fault('use of a flag that is not there');
  return flag;
}

function added(size: number, a: bigint, b: bigint, carry: bigint): Computed {
  const exact = a + b + carry;
  const result = cut(size, exact);
  const of = top(size, a) === top(size, b) && top(size, result) !== top(size, a);
  return { result, flags: { cf: exact !== result, zf: result === 0n, sf: top(size, result), of } };
}

function subtracted(size: number, a: bigint, b: bigint, borrow: bigint): Computed {
  const exact = a - b - borrow;
  const result = cut(size, exact);
  const of = top(size, a) !== top(size, b) && top(size, result) !== top(size, a);
  return { result, flags: { cf: exact < 0n, zf: result === 0n, sf: top(size, result), of } };
}

function logical(size: number, result: bigint): Computed {
  return { result, flags: { cf: false, of: false, zf: result === 0n, sf: top(size, result) } };
}

/** Returns the result of an instruction with destination `a` and source `b`, and the flags. */
export function computed(name: string, size: number, a: bigint, b: bigint, old: Flags): Computed {
  const carry = (): bigint => (must(old.cf) ? 1n : 0n);
  switch (name) {
    case 'mov':
      return { result: b, flags: old };
    case 'add':
    case 'xadd':
      return added(size, a, b, 0n);
    case 'adc':
      return added(size, a, b, carry());
    case 'sub':
    case 'cmp':
      return subtracted(size, a, b, 0n);
    case 'sbb':
      return subtracted(size, a, b, carry());
    case 'inc':
      return keepingCarry(added(size, a, 1n, 0n), old);
    case 'dec':
      return keepingCarry(subtracted(size, a, 1n, 0n), old);
    case 'neg':
      return subtracted(size, 0n, a, 0n);
    case 'not':
      return { result: cut(size, ~a), flags: old };
    case 'and':
    case 'test':
      return logical(size, a & b);
    case 'or':
      return logical(size, a | b);
    case 'xor':
      return logical(size, a ^ b);
    case 'bt':
    case 'bts':
    case 'btr':
    case 'btc':
      return bitOf(name, size, a, b, old);
    case 'bsf':
    case 'bsr':
      return scanned(name, size, b);
    case 'shl':
    case 'shr':
    case 'sar':
      return shifted(name, size, a, b, old);
    case 'rol':
    case 'ror':
      return rotated(name, size, a, b, old);
    default:
      throw new NotKnown(`asm ${name}`);
  }
}

function keepingCarry({ result, flags }: Computed, { cf }: Flags): Computed {
  return { result, flags: { ...flags, cf } };
}

function bitOf(name: string, size: number, a: bigint, b: bigint, old: Flags): Computed {
  const position = b % BigInt(size);
  const isSet = ((a >> position) & 1n) === 1n;
  const becomes = { bt: isSet, bts: true, btr: false, btc: !isSet }[name]!;
  const result = isSet === becomes ? a : a ^ (1n << position);
  return { result, flags: { cf: isSet, zf: old.zf } };
}

/** Returns the index of the first or last set bit; undefined for 0. */
function scanned(name: string, size: number, b: bigint): Computed {
  if (b === 0n) throw new NotKnown(`asm ${name} of 0`);
  const set = Array.from({ length: size }, (_, i) => i).filter((i) => (b >> BigInt(i)) & 1n);
  return { result: BigInt(name === 'bsf' ? set[0]! : set.at(-1)!), flags: { zf: false } };
}

function shifted(name: string, size: number, a: bigint, b: bigint, old: Flags): Computed {
  const count = b & (size === 64 ? 63n : 31n);
  if (count === 0n) return { result: a, flags: old };
  // Shifts bit by bit, as in the manual; the last bit shifted out is the carry.
  let value = a;
  let cf = false;
  for (let i = 0n; i < count; i++)
    if (name === 'shl') {
      cf = top(size, value);
      value = cut(size, value * 2n);
    } else {
      cf = (value & 1n) === 1n;
      const upper = name === 'sar' && top(size, value) ? 1n << BigInt(size - 1) : 0n;
      value = value / 2n + upper;
    }
  return { result: value, flags: { cf, zf: value === 0n, sf: top(size, value) } };
}

function rotated(name: string, size: number, a: bigint, b: bigint, old: Flags): Computed {
  let value = a;
  for (let i = 0n; i < (b & (size === 64 ? 63n : 31n)) % BigInt(size); i++)
    value =
      name === 'rol'
        ? cut(size, value * 2n) + (top(size, value) ? 1n : 0n)
        : value / 2n + ((value & 1n) << BigInt(size - 1));
  return { result: value, flags: { zf: old.zf, sf: old.sf } };
}

/** Whether a condition of `setCC` and `cmovCC` holds. */
export function holds(condition: string, { cf, zf, sf, of }: Flags): boolean {
  const less = (): boolean => must(sf) !== must(of);
  const below = (): boolean => must(cf);
  const equal = (): boolean => must(zf);
  switch (condition) {
    case 'e':
    case 'z':
      return equal();
    case 'ne':
    case 'nz':
      return !equal();
    case 'b':
    case 'c':
    case 'nae':
      return below();
    case 'ae':
    case 'nb':
    case 'nc':
      return !below();
    case 'be':
    case 'na':
      return equal() || below();
    case 'a':
    case 'nbe':
      return !(equal() || below());
    case 'l':
    case 'nge':
      return less();
    case 'ge':
    case 'nl':
      return !less();
    case 'le':
    case 'ng':
      return equal() || less();
    case 'g':
    case 'nle':
      return !(equal() || less());
    case 's':
      return must(sf);
    case 'ns':
      return !must(sf);
    case 'o':
      return must(of);
    case 'no':
      return !must(of);
    default:
      throw new NotKnown(`condition ${condition}`);
  }
}
