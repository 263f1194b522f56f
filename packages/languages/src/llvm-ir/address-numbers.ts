import { numberSize, type ByteMemory, type MemoryObject, type PartOfNumber } from './memory.js';
import { Unsupported } from './unsupported.js';

/**
 * The bound on the magnitude of integers that are no addresses: `(void *)-4095` encodes an error
 * number.
 */
const mostNoAddress = 4096n;

/** The number of bits of an address in user space on x86-64; all bits above them are 0. */
export const userBits = 47;

/** The number of bits of a pointer on x86-64. */
export const pointerBits = 64;

/** An address of an object together with other bits above it, as in a pointer with a counter. */
interface Place {
  readonly object: MemoryObject;
  /** The number with its lowest 47 bits, the address, removed. */
  readonly above: bigint;
}

const lowOf = (number: bigint): bigint => BigInt.asUintN(userBits, number);
const aboveOf = (number: bigint): bigint => number >> BigInt(userBits);

/**
 * The object in or near which the address in the low bits of `number` lies, and the bits above the
 * address; `undefined` if the number is no address.
 */
function placeOf(memory: ByteMemory, number: bigint): Place | undefined {
  const object = memory.objectNear(Number(lowOf(number)));
  return object && { object, above: aboveOf(number) };
}

/** Whether the mask only covers low bits that are 0 in the object's address, due to alignment. */
function isOfLowBits({ alignment }: MemoryObject, mask: bigint): boolean {
  return mask < BigInt(alignment);
}

/**
 * Whether an operation of LLVM orders numbers: a relation of `icmp` other than equality, a minimum
 * or a maximum.
 */
const isOrder = (operation: string): boolean => /^[us](?:[lg][te]|max|min)$/.test(operation);

/** Whether the operation's result is defined in C only for two addresses of one object. */
export function isOfOneObject(operation: string): boolean {
  return operation === 'sub' || isOrder(operation);
}

/**
 * Whether the result of an LLVM operation on an address depends on the memory layout. False if the
 * result is the same number in all layouts, or an address near the same object, so that the next
 * operation recognises the address. All layouts agree on the object of an address, the distance
 * from the object's start, the object's alignment, and the bits above the address. False, too, if
 * no operand is an address. Records in `memory` if the answer uses that the highest bits of
 * addresses are 0.
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
  if (one && other) return one.object !== other.object || !isOfOneObject(operation);
  const number = one ? right : left;
  const [low, above] = [lowOf(number), aboveOf(number)];
  const leaves = (result: bigint): boolean => placeOf(memory, result)?.object !== object;
  switch (operation) {
    case 'add':
      return leaves(left + right);
    case 'sub':
      return !one || leaves(left - right);
    case 'and': {
      const keepsLowBits = isOfLowBits(object, low);
      if (!keepsLowBits && !isOfLowBits(object, lowOf(~number))) return true;
      if (!keepsLowBits && leaves(left & right)) return true;
      if (above !== (keepsLowBits ? 0n : -1n)) memory.noteUserSpace();
      return false;
    }
    case 'or':
    case 'xor':
      if (!isOfLowBits(object, low)) return true;
      if (leaves(operation === 'or' ? left | right : left ^ right)) return true;
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
      return !isOrder(operation) || number > mostNoAddress || number < -mostNoAddress;
  }
}

/** The error for an operation on addresses whose result depends on the memory layout. */
export function placesMatter(): Unsupported {
  return new Unsupported(
    'the result depends on the addresses of objects, and only one memory layout would be checked',
    'compare only addresses within one object, and use only low bits that the alignment of the object fixes',
  );
}

/** The number of lowest bytes of a number that the bits of a user-space address occupy. */
const bytesOfAddress = Math.ceil(userBits / 8);

/**
 * Refuses to read a part of an address in memory, or a number with parts of addresses: an address
 * may only be read as a whole, with the bits above it. Throws `Unsupported`.
 */
export function checkPiece(memory: ByteMemory, address: number, size: number): void {
  const parts = memory
    .partsAt(address, size)
    .map((part) => (part && placeOf(memory, part.number) ? part : undefined));
  for (let start = 0; start < size; start += numberSize)
    checkParts(memory, parts.slice(start, start + numberSize));
}

function checkParts(memory: ByteMemory, parts: readonly (PartOfNumber | undefined)[]): void {
  if (parts.every((part) => !part)) return;
  const isRight = (at: number): boolean =>
    parts[at]?.index === at && parts[at].number === parts[0]?.number;
  const [low, high] = [parts.slice(0, bytesOfAddress), parts.slice(bytesOfAddress)];
  const isWhole = low.every((_, at) => isRight(at)) || low.every((part) => !part);
  const isHighAbove = high.every((part) => !part || part.index >= bytesOfAddress);
  if (parts.length < numberSize || !isWhole || !isHighAbove) throw placesMatter();
  if (!parts.every((_, at) => isRight(at))) memory.noteUserSpace();
}

/** Refuses a number that is an address. Throws `Unsupported`. */
export function checkNoAddress(memory: ByteMemory, number: bigint): void {
  if (placeOf(memory, number)) throw placesMatter();
}

/** Refuses to cut an address of `before` bits to `bits` bits. Throws `Unsupported`. */
export function checkCut(memory: ByteMemory, number: bigint, before: number, bits: number): void {
  if (before < userBits || bits <= 1 || bits >= 64 || !placeOf(memory, number)) return;
  if (bits < userBits) throw placesMatter();
  memory.noteUserSpace();
}

/**
 * Refuses an operation on numbers of `bits` bits that are addresses if its result depends on the
 * memory layout. Throws `Unsupported`. Numbers with too few bits for an address are never refused:
 * they equal an address only by chance, as addresses are neither cut nor read in parts.
 */
export function checkPlaces(
  memory: ByteMemory,
  operation: string,
  bits: number,
  left: bigint,
  right: bigint,
): void {
  if (bits >= userBits && dependsOnPlaces(memory, operation, left, right)) throw placesMatter();
}

/** A check of an operation like `checkPlaces`, with its parameters. */
export type PlacesCheck = typeof checkPlaces;
