import { BytePages } from './byte-pages.js';
import { marksDistance, marksName, markSize, marksSize } from './block-marks.js';
import { choiceOfCode, ChoiceNeeded } from './choice-needed.js';
import { alignedTo } from './layout.js';
import type { IrType } from './syntax.js';
import { Unsupported } from './unsupported.js';

/** An object in memory: a global, a local, or a block of `malloc`. */
export interface MemoryObject {
  readonly name: string;
  readonly address: number;
  readonly size: number;
  /** The alignment of the object in bytes: it divides the object's address in every run. */
  readonly alignment: number;
  /** The type of the object; absent for memory from `malloc`. */
  readonly type?: IrType;
  /** The node of debug information that describes the object's variable. */
  readonly variable?: string | undefined;
  /**
   * The end of the object: `static` objects live until the process ends, `allocated` ones until
   * they are freed, `main` ones until a call of the main thread returns. Absent for all other
   * objects.
   */
  readonly lifetime?: 'static' | 'allocated' | 'main';
  /**
   * The number of the thread of which the object is a local, if other threads may outlive the call.
   */
  readonly owner?: number;
  /** Present if no thread may store to the object. */
  readonly isConstant?: true;
  /**
   * The reason for refusing reads of the object's bytes that were never stored to, which are
   * inputs.
   */
  readonly whyRefused?: string;
  /**
   * Present if the object's bytes are 0 until they are stored to, as in memory of `calloc` and
   * `mmap`.
   */
  readonly isZero?: true;
  /**
   * Present if the object holds the marks of a `malloc` block (words that record that it was
   * freed), and is no object of the program.
   */
  readonly isOfMarks?: true;
}

/** A named structure of the program, `struct.node`, and its size in bytes. */
export interface Structure {
  readonly name: string;
  readonly size: number;
}

/** The smallest address of an object. Few other numbers in programs are as large. */
export const leastAddress = 1 << 26;
/** The smallest address of an object in the other memory layout, which tells numbers by chance. */
export const otherLeastAddress = leastAddress + (1 << 25);
/** The size in bytes of the numbers that may be addresses. */
export const numberSize = 8;

/** A byte as a part of a number of 8 bytes. */
export interface PartOfNumber {
  readonly number: bigint;
  /** The position of the byte in the number; 0 for the lowest byte. */
  readonly index: number;
}

/**
 * The maximum number of bytes after the end of an object at which a number still counts as an
 * address of the object.
 */
const behind = 1 << 11;
/** The minimum number of free bytes before and after each object. */
const leastGap = 3 * behind;
/**
 * A gap between objects takes at most the number of free addresses divided by this number, so that
 * many objects fit.
 */
const gapsOfRest = 1090;
/** The maximum total size of all objects, in bytes. */
const mostBytes = 1 << 24;
/** The maximum address of an object. */
const mostAddress = 1 << 27;

/** The name of the list of environment variables. */
export const environmentName = 'envp';

/** The advice when a read of a text that a library function returns is refused. */
export const constantTextHint = 'print the number itself, or do not read the text';
/** The advice when a read of a text of the command line is refused. */
const argumentHint =
  'pass the text to the program in another way; the option `args`, set to 1, means no arguments';
/** The advice when a read of a text of the environment is refused. */
const environmentHint = 'write the text into the program, or do not read it';

/** Returns the advice when a read of an object of unknown content is refused. */
function hintOn({ name, isConstant }: Pick<MemoryObject, 'name' | 'isConstant'>): string {
  if (isConstant) return constantTextHint;
  return name === environmentName ? environmentHint : argumentHint;
}

/**
 * Memory of bytes, initially uninitialised. Large gaps separate the objects from each other and
 * from address 0, so that a null pointer or a pointer outside its object hits no object even when a
 * field's offset is added.
 */
export class ByteMemory {
  readonly #objects: MemoryObject[] = [];
  readonly #bytes = new BytePages();
  /**
   * For each byte that was stored as a part of a number of 8 bytes, the number and the part; by
   * address of the byte.
   */
  readonly #parts = new Map<number, PartOfNumber>();
  /** The addresses of bytes that became uninitialised in objects initialised to 0. */
  readonly #lost = new Set<number>();
  #end: number;
  #taken = 0;
  #moved = 0;
  #restsOnUserSpace = false;
  /** By address of a block, the largest structure as which the program accesses the block. */
  readonly #structures = new Map<number, Structure>();
  readonly #widest: number;

  /**
   * `widest` is the size of the largest structure, in bytes; `start` is the address behind which
   * the first object lies.
   */
  constructor(widest = 0, start = leastAddress) {
    this.#widest = widest;
    this.#end = start;
  }

  /** The objects in the order of their addresses. */
  get objects(): readonly MemoryObject[] {
    return this.#objects;
  }

  /** The number of bytes copied or set so far by operations on many bytes. */
  get moved(): number {
    return this.#moved;
  }

  /** Whether a computation on an address uses that the highest bits of addresses are 0. */
  get restsOnUserSpace(): boolean {
    return this.#restsOnUserSpace;
  }

  /**
   * Notes that the program accesses a structure at an address, for the names of a block's parts.
   */
  noteStructure(address: number, structure: Structure): void {
    const object = this.placeAt(address, 1);
    if (object?.lifetime !== 'allocated' || object.address !== address) return;
    if (structure.size > object.size) return;
    const known = this.#structures.get(address);
    if (!known || known.size < structure.size) this.#structures.set(address, structure);
  }

  /** The structure as which the program accesses the block at an address; `undefined` if none. */
  structureAt(address: number): Structure | undefined {
    return this.#structures.get(address);
  }

  noteUserSpace(): void {
    this.#restsOnUserSpace = true;
  }

  /**
   * A new object, at a multiple of `alignment` and of 16. Throws `Unsupported` if memory is too
   * small; a negative size is an unsigned number that is larger than memory.
   */
  allocate(
    name: string,
    size: number,
    alignment = 16,
    what: Partial<MemoryObject> = {},
  ): MemoryObject {
    const last = this.#objects.at(-1);
    const isFunction = size === 0 && !what.type && last?.size === 0 && !last.type;
    // A block follows its marks without a gap: only accesses to marks can hit marks.
    const free = isFunction || last?.isOfMarks === true ? 1 : this.#gap;
    const address = alignedTo(this.#end + free, Math.max(16, alignment));
    return this.#allocateAt(address, name, size, alignment, what);
  }

  #allocateAt(
    address: number,
    name: string,
    size: number,
    alignment: number,
    what: Partial<MemoryObject>,
  ): MemoryObject {
    const { type, variable, lifetime, owner, isConstant, isOfMarks, isZero, whyRefused } = what;
    const end = address + size;
    // Bytes of zeros take memory only when they are stored to.
    const taken = isZero ? 0 : size;
    if (size < 0 || this.#taken + taken > mostBytes || end > mostAddress)
      throw new Unsupported(
        'the objects of the program are too large',
        'use smaller arrays and blocks',
      );
    this.#taken += taken;
    this.#end = end;
    const kind = {
      ...(type && { type }),
      ...(lifetime && { lifetime }),
      ...(owner !== undefined && { owner }),
      ...(isConstant && { isConstant }),
      ...(isOfMarks && { isOfMarks }),
      ...(isZero && { isZero }),
      ...(whyRefused !== undefined && { whyRefused }),
    };
    const object = { name, address, size, alignment, ...kind, variable };
    this.#objects.push(object);
    return object;
  }

  /**
   * A new `malloc` block, preceded by its marks (words that record the freeing of the block); the
   * content is 0 if `isZero`. Throws `Unsupported`.
   */
  allocateBlock(name: string, size: number, alignment: number, isZero = false): MemoryObject {
    // The block lies at a multiple of the alignment, `marksDistance` bytes after its marks.
    const end = this.#end + this.#gap + marksDistance;
    const first = alignedTo(end, Math.max(16, alignment)) - marksDistance;
    this.#allocateAt(first, marksName(name), marksSize, 16, { isOfMarks: true });
    const what = { lifetime: 'allocated', ...(isZero && { isZero }) } as const;
    return this.allocate(name, size, alignment, what);
  }

  /**
   * The object of the program that contains the bytes; `undefined` if none does, as for a negative
   * size.
   */
  objectAt(address: number, size: number): MemoryObject | undefined {
    const place = this.placeAt(address, size);
    return place?.isOfMarks ? undefined : place;
  }

  /**
   * The object around the bytes, including objects with marks of `malloc` blocks (words that record
   * the freeing of the blocks); `undefined` if no object contains the bytes.
   */
  placeAt(address: number, size: number): MemoryObject | undefined {
    // The number may come from a computation on values that are no addresses.
    if (!Number.isInteger(address) || size < 0) return undefined;
    const object = this.#objects[this.#firstAbove(address) - 1];
    return object && address + size <= object.address + object.size ? object : undefined;
  }

  /**
   * The object of the program that contains the address, or ends at most 2048 bytes before it; for
   * other addresses, the next object. `undefined` if there is none, and near `leastAddress`.
   */
  objectNear(address: number): MemoryObject | undefined {
    if (!Number.isInteger(address) || address <= leastAddress + behind) return undefined;
    const next = this.#firstAbove(address);
    const before = this.#firstProper(next - 1, -1);
    const isBehind = before && address <= before.address + before.size + behind;
    return isBehind ? before : this.#firstProper(next, 1);
  }

  /**
   * The first object of the program (no mark of a block) from an index on, in steps of 1 or -1;
   * `undefined` if there is none.
   */
  #firstProper(index: number, step: 1 | -1): MemoryObject | undefined {
    const object = this.#objects[index];
    return object?.isOfMarks ? this.#firstProper(index + step, step) : object;
  }

  /** The index of the first object that begins above the address. */
  #firstAbove(address: number): number {
    let [low, high] = [0, this.#objects.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#objects[middle]!.address <= address) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The bytes at `address` as an unsigned number. Throws `Unsupported`. */
  load(address: number, size: number): bigint {
    const { name } = this.#checked(address, size);
    const value = this.loadIfAny(address, size);
    if (value === undefined) throw new Unsupported(`'${name}' is read before its initialisation`);
    return value;
  }

  /** The bytes at `address` as an unsigned number; `undefined` if a byte is uninitialised. */
  loadIfAny(address: number, size: number): bigint | undefined {
    let value = 0n;
    for (let i = size - 1; i >= 0; i--) {
      const byte = this.#bytes.get(address + i) ?? this.#unset(address + i);
      if (byte === undefined) return undefined;
      const choice = choiceOfCode(byte);
      if (choice !== undefined) throw new ChoiceNeeded(choice);
      value = (value << 8n) | BigInt(byte);
    }
    return value;
  }

  /**
   * Returns for each byte of which 8-byte number it is a part, even if it was copied; `undefined`
   * for bytes of smaller numbers, and of numbers below all addresses.
   */
  partsAt(address: number, size: number): readonly (PartOfNumber | undefined)[] {
    return Array.from({ length: size }, (_, i) => this.#parts.get(address + i));
  }

  /**
   * The value of a byte to which nothing was stored: 0 in a mark of a `malloc` block (a word that
   * records that it was freed) and in an object of zeros, otherwise `undefined`. Throws
   * `Unsupported`.
   */
  #unset(address: number): number | undefined {
    const place = this.placeAt(address, 1);
    if (place?.whyRefused !== undefined) throw new Unsupported(place.whyRefused, hintOn(place));
    const isZero =
      place?.isOfMarks === true || (place?.isZero === true && !this.#lost.has(address));
    return isZero ? 0 : undefined;
  }

  /** Sets the mark of a `malloc` block at an address to 1. */
  setMark(address: number): void {
    for (let i = 0; i < markSize; i++) this.#put(address + i, i === 0 ? 1 : 0);
  }

  /**
   * The bytes at `address`, codes of choices included; `undefined` for uninitialised bytes. Throws
   * `Unsupported`.
   */
  bytes(address: number, size: number): readonly (number | undefined)[] {
    this.#checked(address, size);
    return Array.from(
      { length: size },
      (_, i) => this.#bytes.get(address + i) ?? this.#unset(address + i),
    );
  }

  /** Stores bytes; `undefined` makes a byte uninitialised. Throws `Unsupported`. */
  setBytes(address: number, bytes: readonly (number | undefined)[]): void {
    this.#checked(address, bytes.length);
    this.#moved += bytes.length;
    for (const [i, byte] of bytes.entries()) this.#put(address + i, byte);
  }

  /** The text from `address` up to a byte 0. */
  text(address: number): string {
    let text = '';
    for (let at = address; ; at++) {
      const byte = this.#bytes.get(at) ?? this.#unset(at) ?? 0;
      const choice = choiceOfCode(byte);
      if (choice !== undefined) throw new ChoiceNeeded(choice);
      if (byte === 0) return text;
      text += String.fromCharCode(byte);
    }
  }

  /** Stores the lowest `size` bytes of a number. Throws `Unsupported`. */
  store(address: number, size: number, value: bigint): void {
    this.#checked(address, size);
    for (let i = 0; i < size; i++) {
      const word = i - (i % numberSize);
      const number = BigInt.asUintN(8 * numberSize, value >> BigInt(8 * word));
      const isPart = word + numberSize <= size && number >= leastAddress;
      const part = isPart ? { number, index: i - word } : undefined;
      this.#put(address + i, Number(BigInt.asUintN(8, value >> BigInt(8 * i))), part);
    }
  }

  /** Copies `size` bytes. Throws `Unsupported`. */
  copy(to: number, from: number, size: number): void {
    const parts = this.partsAt(from, size);
    this.setBytes(to, this.bytes(from, size));
    for (const [i, part] of parts.entries()) if (part) this.#parts.set(to + i, part);
  }

  /** Makes the object at the address uninitialised. */
  forget(address: number): void {
    const object = this.objectAt(address, 1);
    if (!object) return;
    this.#setAll(object, object.address, object.size, undefined);
  }

  /** Sets `size` bytes to `byte`. Throws `Unsupported`. */
  fill(address: number, size: number, byte: number): void {
    const object = this.#checked(address, size);
    this.#moved += size;
    this.#setAll(object, address, size, byte);
  }

  /** Sets bytes of an object to one value; `undefined` means uninitialised bytes. */
  #setAll({ isZero }: MemoryObject, address: number, size: number, byte: number | undefined): void {
    const end = address + size;
    this.#bytes.fill(address, size, byte);
    if (byte === undefined && isZero) for (let at = address; at < end; at++) this.#lost.add(at);
    if (size < this.#parts.size) for (let at = address; at < end; at++) this.#parts.delete(at);
    else for (const at of this.#parts.keys()) if (at >= address && at < end) this.#parts.delete(at);
  }

  #put(address: number, byte: number | undefined, part?: PartOfNumber): void {
    this.#bytes.fill(address, 1, byte);
    if (byte === undefined && this.placeAt(address, 1)?.isZero) this.#lost.add(address);
    if (part) this.#parts.set(address, part);
    else this.#parts.delete(address);
  }

  /** The number of free bytes to leave before the next object. */
  get #gap(): number {
    const most = Math.floor((mostAddress - this.#end) / gapsOfRest);
    return Math.max(leastGap, Math.min(this.#widest + behind, most));
  }

  #checked(address: number, size: number): MemoryObject {
    const object = this.objectAt(address, size);
    if (object) return object;
    throw new Unsupported(
      address === 0 ? 'a null pointer is dereferenced' : 'an access outside of all objects',
    );
  }
}
