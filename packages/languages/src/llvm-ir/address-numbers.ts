import type { Memory, MemoryObject } from './memory.js';
import { Unsupported } from './unsupported.js';

/** Numbers up to this are no addresses: `(void *)-4095` says what went wrong. */
const mostNoAddress = 4096n;

/** The object that a number is an address in, or right behind. */
function objectOf(memory: Memory, number: bigint): MemoryObject | undefined {
  return memory.objectAt(Number(number), 0);
}

/** Whether only bits are looked at, or changed, that are 0 in the address of each such object. */
function isOfLowBits({ alignment }: MemoryObject, mask: bigint): boolean {
  return mask >= 0n && mask < BigInt(alignment);
}

/**
 * Whether what LLVM's operation of that name gives depends on where objects lie, one of the
 * operands at least being an address: on more than which object it is in, how far from its start,
 * and how that object is aligned.
 */
export function dependsOnPlaces(
  memory: Memory,
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

/** The refusal of what depends on where objects lie. */
export function placesMatter(): Unsupported {
  return new Unsupported(
    'the result depends on where objects lie in memory, and only one layout would be checked',
    'compare addresses of one object only, and take no more bits of one than its alignment has',
  );
}

/** Refuses a conversion of an address to fewer bits than it has. Throws `Unsupported`. */
export function checkCut(memory: Memory, number: bigint, bits: number): void {
  if (bits > 1 && bits < 64 && objectOf(memory, number)) throw placesMatter();
}

/** Refuses an operation on numbers that depends on where objects lie. Throws `Unsupported`. */
export function checkPlaces(memory: Memory, operation: string, left: bigint, right: bigint): void {
  if (dependsOnPlaces(memory, operation, left, right)) throw placesMatter();
}
