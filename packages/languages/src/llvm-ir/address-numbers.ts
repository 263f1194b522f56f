import type { ByteMemory, MemoryObject } from './memory.js';
import { Unsupported } from './unsupported.js';

/** Integers of at most this magnitude are no addresses: `(void *)-4095` encodes an error number. */
const mostNoAddress = 4096n;

/** The object that contains the address or ends right before the address. */
function objectOf(memory: ByteMemory, number: bigint): MemoryObject | undefined {
  return memory.objectAt(Number(number), 0);
}

/** Whether the mask only covers low bits that are 0 in the object's address, due to alignment. */
function isOfLowBits({ alignment }: MemoryObject, mask: bigint): boolean {
  return mask >= 0n && mask < BigInt(alignment);
}

/**
 * Whether the result of an LLVM operation on an address depends on the memory layout. The object,
 * the distance from its start, and its alignment are the same in all layouts. False if no operand
 * is an address.
 */
export function dependsOnPlaces(
  memory: ByteMemory,
  operation: string,
  left: bigint,
  right: bigint,
): boolean {
  const [one, other] = [objectOf(memory, left), objectOf(memory, right)];
  const object = one ?? other;
  if (!object || operation === 'eq' || operation === 'ne') return false;
  if (one && other) return one !== other || !/^(?:sub|[us][lg][te])$/.test(operation);
  const number = one ? right : left;
  switch (operation) {
    case 'add':
      return false;
    case 'sub':
      return !one;
    case 'and':
      return !isOfLowBits(object, number) && !isOfLowBits(object, ~number);
    case 'or':
    case 'xor':
      return !isOfLowBits(object, number);
    case 'urem':
    case 'srem':
      return !one || number <= 0n || BigInt(object.alignment) % number !== 0n;
    case 'shl':
    case 'lshr':
    case 'ashr':
      return !one || number !== 0n;
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
  if (bits > 1 && bits < 64 && objectOf(memory, number)) throw placesMatter();
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
