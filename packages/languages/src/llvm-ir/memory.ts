import { marksDistance, marksName, markSize, marksSize } from './block-marks.js';
import { choiceOfCode, ChoiceNeeded } from './choice-needed.js';
import { alignedTo } from './layout.js';
import type { IrType } from './syntax.js';
import { Unsupported } from './unsupported.js';

/** What lies in memory from an address on. */
export interface MemoryObject {
  readonly name: string;
  readonly address: number;
  readonly size: number;
  /** Its address is a multiple of that in every run. */
  readonly alignment: number;
  /** What lies there; absent for memory from `malloc`. */
  readonly type?: IrType;
  /** The node of debug information that describes the variable that it is. */
  readonly variable?: string | undefined;
  /**
   * Whether it stays until the process ends, until it is given back, or until a call of the main
   * thread returns; absent for all else.
   */
  readonly lifetime?: 'static' | 'allocated' | 'main';
  /** Nobody may store to it. */
  readonly isConstant?: true;
  /** Why its bytes are refused, as far as nothing was stored there: they come from outside. */
  readonly whyRefused?: string;
  /** It is no object of the program: its marks say for whom the block behind it was given back. */
  readonly isOfMarks?: true;
}

/** No address is smaller: few other numbers are like addresses. */
export const leastAddress = 1 << 26;
/** How many bytes are free at least before each object and behind it. */
const leastGap = 1 << 12;
/** How many bytes all objects may have. */
const mostBytes = 1 << 24;
/** No address is larger. */
const mostAddress = 1 << 27;

const outsideHint =
  'let the program know it in another way; the option `args`, set to 1, says that there are no words';

/**
 * Memory of bytes; those that nothing was stored to have no value. Objects are so far apart, and
 * from address 0, that a pointer which was null, or has left its object, is to nothing whatever
 * field of a structure is added.
 */
export class Memory {
  readonly #objects: MemoryObject[] = [];
  readonly #bytes = new Map<number, number>();
  #end = leastAddress;
  #taken = 0;
  #moved = 0;
  readonly #gap: number;

  /** `widest` is the size of the largest structure. */
  constructor(widest = 0) {
    this.#gap = Math.max(leastGap, widest);
  }

  /** In the order of their addresses. */
  get objects(): readonly MemoryObject[] {
    return this.#objects;
  }

  /** How many bytes have been copied or set so far, many at once. */
  get moved(): number {
    return this.#moved;
  }

  /**
   * A new object, at a multiple of `alignment` and of 16; a negative size is a number without a
   * sign that no memory is large enough for. Throws `Unsupported`.
   */
  allocate(
    name: string,
    size: number,
    alignment = 16,
    { type, variable, lifetime, isConstant, isOfMarks, whyRefused }: Partial<MemoryObject> = {},
  ): MemoryObject {
    const isFunction = size === 0 && !type;
    // A block comes right behind its marks, which only its own accesses find.
    const isBehindMarks = this.#objects.at(-1)?.isOfMarks === true;
    const free = isFunction || isBehindMarks ? 1 : this.#gap;
    const address = alignedTo(this.#end + free, Math.max(16, alignment));
    const end = address + size;
    if (size < 0 || this.#taken + size > mostBytes || end > mostAddress)
      throw new Unsupported('the objects of the program are too large');
    this.#taken += size;
    this.#end = end;
    const kind = {
      ...(type && { type }),
      ...(lifetime && { lifetime }),
      ...(isConstant && { isConstant }),
      ...(isOfMarks && { isOfMarks }),
      ...(whyRefused !== undefined && { whyRefused }),
    };
    const object = { name, address, size, alignment, ...kind, variable };
    this.#objects.push(object);
    return object;
  }

  /** A block of `malloc`, with its marks at their distance before it. Throws `Unsupported`. */
  allocateBlock(name: string, size: number, alignment: number): MemoryObject {
    // The marks are as far behind a multiple of the alignment as the block is behind them.
    const first = alignedTo(this.#end + this.#gap + marksDistance, alignment) - marksDistance;
    this.#end = Math.max(this.#end, first - this.#gap);
    this.allocate(marksName(name), marksSize, 16, { isOfMarks: true });
    return this.allocate(name, size, alignment, { lifetime: 'allocated' });
  }

  /**
   * The object of the program in which these bytes lie; so many as a negative number means are in
   * none.
   */
  objectAt(address: number, size: number): MemoryObject | undefined {
    const place = this.placeAt(address, size);
    return place?.isOfMarks ? undefined : place;
  }

  /** The same, the marks of a block included. */
  placeAt(address: number, size: number): MemoryObject | undefined {
    // Addresses may be computed of what is none.
    if (!Number.isInteger(address) || size < 0) return undefined;
    let [low, high] = [0, this.#objects.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#objects[middle]!.address <= address) low = middle + 1;
      else high = middle;
    }
    const object = this.#objects[low - 1];
    return object && address + size <= object.address + object.size ? object : undefined;
  }

  /** The number of the bytes from `address` on, without a sign. Throws `Unsupported`. */
  load(address: number, size: number): bigint {
    const { name } = this.#checked(address, size);
    const value = this.loadIfAny(address, size);
    if (value === undefined) throw new Unsupported(`'${name}' is read before it has a value`);
    return value;
  }

  /** The same, `undefined` where a byte has no value. */
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

  /** What a byte is that nothing was stored to. Throws `Unsupported`. */
  #unset(address: number): number | undefined {
    const place = this.placeAt(address, 1);
    if (place?.whyRefused !== undefined) throw new Unsupported(place.whyRefused, outsideHint);
    return place?.isOfMarks ? 0 : undefined;
  }

  /** Sets a mark. */
  setMark(address: number): void {
    this.#bytes.set(address, 1);
    for (let i = 1; i < markSize; i++) this.#bytes.set(address + i, 0);
  }

  /**
   * The bytes from `address` on, codes of choices among them; `undefined` for those without a
   * value. Throws `Unsupported`.
   */
  bytes(address: number, size: number): readonly (number | undefined)[] {
    this.#checked(address, size);
    return Array.from(
      { length: size },
      (_, i) => this.#bytes.get(address + i) ?? this.#unset(address + i),
    );
  }

  /** Stores bytes; those without a value have none then. Throws `Unsupported`. */
  setBytes(address: number, bytes: readonly (number | undefined)[]): void {
    this.#checked(address, bytes.length);
    this.#moved += bytes.length;
    for (const [i, byte] of bytes.entries())
      if (byte === undefined) this.#bytes.delete(address + i);
      else this.#bytes.set(address + i, byte);
  }

  /** The text from `address` on, up to a 0. */
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

  /** Throws `Unsupported`. */
  store(address: number, size: number, value: bigint): void {
    this.#checked(address, size);
    for (let i = 0; i < size; i++)
      this.#bytes.set(address + i, Number(BigInt.asUintN(8, value >> BigInt(8 * i))));
  }

  /** Throws `Unsupported`. */
  copy(to: number, from: number, size: number): void {
    this.setBytes(to, this.bytes(from, size));
  }

  /** The object at the address has no value any more. */
  forget(address: number): void {
    const object = this.objectAt(address, 1);
    if (!object) return;
    for (let i = 0; i < object.size; i++) this.#bytes.delete(object.address + i);
  }

  /** Throws `Unsupported`. */
  fill(address: number, size: number, byte: number): void {
    this.#checked(address, size);
    this.#moved += size;
    for (let i = 0; i < size; i++) this.#bytes.set(address + i, byte);
  }

  #checked(address: number, size: number): MemoryObject {
    const object = this.objectAt(address, size);
    if (object) return object;
    throw new Unsupported(
      address === 0 ? 'a null pointer is followed' : 'an access outside of all objects',
    );
  }
}
