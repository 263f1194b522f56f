import type { ByteMemory, MemoryObject } from './memory.js';
import { Unsupported } from './unsupported.js';

/** Integers of at most this magnitude are no addresses: `(void *)-4095` encodes an error number. */
const mostNoAddress = 4096n;

/** The number of bits of an address in user space on x86-64; all bits above them are 0. */
export const userBits = 47;

/** An address together with other bits above it, as in a pointer with a counter. */
interface Place {
  readonly object: MemoryObject;
  /** The number without its lowest `userBits` bits. */
  readonly above: bigint;
}

const lowOf = (number: bigint): bigint => BigInt.asUintN(userBits, number);
const aboveOf = (number: bigint): bigint => number >> BigInt(userBits);

/** The object that contains the address or ends right before the address. */
function placeOf(memory: ByteMemory, number: bigint): Place | undefined {
  const object = memory.objectAt(Number(lowOf(number)), 0);
  return object && { object, above: aboveOf(number) };
}

/** Whether the mask only covers low bits that are 0 in the object's address, due to alignment. */
function isOfLowBits({ alignment }: MemoryObject, mask: bigint): boolean {
  return mask < BigInt(alignment);
}

/**
 * Whether the result of an LLVM operation on an address depends on the memory layout. The object,
 * the distance from its start, and its alignment are the same in all layouts, and so are the bits
 * above an address. False if no operand is an address. Tells the memory if the answer follows from
 * the number of bits of addresses.
 */
export function dependsOnPlaces(
  memory: ByteMemory,
  operation: string,
  left: bigint,
  right: bigint,
): boolean {
  const [one, other] = [placeOf(memory, left), placeOf(memory, right)];
  const place = one ?? other;
  if (!place || operation === 'eq' || operation === 'ne') return false;
  const { object } = place;
  if (one && other) return one.object !== other.object || !/^(?:sub|[us][lg][te])$/.test(operation);
  const number = one ? right : left;
  const [low, above] = [lowOf(number), aboveOf(number)];
  switch (operation) {
    case 'add':
      return false;
    case 'sub':
      return !one;
    case 'and': {
      const keepsLowBits = isOfLowBits(object, low);
      if (!keepsLowBits && !isOfLowBits(object, lowOf(~number))) return true;
      if (above !== (keepsLowBits ? 0n : -1n)) memory.noteUserSpace();
      return false;
    }
    case 'or':
    case 'xor':
      if (!isOfLowBits(object, low)) return true;
      if (above !== 0n) memory.noteUserSpace();
      return false;
    case 'urem':
    case 'srem':
      return !one || number <= 0n || BigInt(object.alignment) % number !== 0n;
    case 'shl':
      return !one || number !== 0n;
    case 'lshr':
    case 'ashr':
      if (!one || (number !== 0n && number < BigInt(userBits))) return true;
      if (number !== 0n) memory.noteUserSpace();
      return false;
    case 'mul':
    case 'udiv':
    case 'sdiv':
      return number !== 1n || !one;
    default:
      return number > mostNoAddress || number < -mostNoAddress;
  }
}

/** The error for an operation whose result depends on the memory layout. */
export function placesMatter(): Unsupported {
  return new Unsupported(
    'the result depends on the addresses of objects, and only one memory layout would be checked',
    'compare only addresses within one object, and use only low bits that the alignment of the object fixes',
  );
}

/** Refuses to cut an address to fewer bits. Throws `Unsupported`. */
export function checkCut(memory: ByteMemory, number: bigint, bits: number): void {
  if (bits <= 1 || bits >= 64 || !placeOf(memory, number)) return;
  if (bits < userBits) throw placesMatter();
  memory.noteUserSpace();
}

/** Refuses an operation on numbers that depends on the memory layout. Throws `Unsupported`. */
export function checkPlaces(
  memory: ByteMemory,
  operation: string,
  left: bigint,
  right: bigint,
): void {
  if (dependsOnPlaces(memory, operation, left, right)) throw placesMatter();
}
