import { marksName, markSize, marksSize } from './block-marks.js';
import { alignedTo } from './layout.js';
import type { IrType } from './syntax.js';
import { Unsupported } from './unsupported.js';

/** What lies in memory from an address on. */
export interface MemoryObject {
  readonly name: string;
  readonly address: number;
  readonly size: number;
  /** What lies there; absent for memory from `malloc`. */
  readonly type?: IrType;
  /** The node of debug information that describes the variable that it is. */
  readonly variable?: string | undefined;
  /** It is no object of the program: its marks say for whom the block behind it was given back. */
  readonly isOfMarks?: true;
}

/** The first address at which anything lies. */
const firstAddress = 64;
/** How many bytes all objects may have. */
const mostBytes = 1 << 24;

/** Memory of bytes; those that nothing was stored to have no value. */
export class Memory {
  readonly #objects: MemoryObject[] = [];
  readonly #bytes = new Map<number, number>();
  #end = firstAddress;
  #moved = 0;

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
    { type, variable, isOfMarks }: Pick<MemoryObject, 'type' | 'variable' | 'isOfMarks'> = {},
  ): MemoryObject {
    const address = alignedTo(this.#end, Math.max(16, alignment));
    // A byte behind each object is left free: its address is no other object's.
    const end = address + size + 1;
    if (size < 0 || end > mostBytes)
      throw new Unsupported('the objects of the program are too large');
    this.#end = end;
    const kind = { ...(type && { type }), ...(isOfMarks && { isOfMarks }) };
    const object = { name, address, size, ...kind, variable };
    this.#objects.push(object);
    return object;
  }

  /** A block of `malloc`, with its marks before it. Throws `Unsupported`. */
  allocateBlock(name: string, size: number): MemoryObject {
    this.allocate(marksName(name), marksSize, 16, { isOfMarks: true });
    return this.allocate(name, size);
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
      value = (value << 8n) | BigInt(byte);
    }
    return value;
  }

  /** What a byte is that nothing was stored to. */
  #unset(address: number): number | undefined {
    return this.placeAt(address, 1)?.isOfMarks ? 0 : undefined;
  }

  /** Sets a mark. */
  setMark(address: number): void {
    this.#bytes.set(address, 1);
    for (let i = 1; i < markSize; i++) this.#bytes.set(address + i, 0);
  }

  /** The bytes from `address` on; `undefined` for those without a value. Throws `Unsupported`. */
  bytes(address: number, size: number): readonly (number | undefined)[] {
    this.#checked(address, size);
    return Array.from({ length: size }, (_, i) => this.#bytes.get(address + i));
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
      const byte = this.#bytes.get(at) ?? 0;
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
