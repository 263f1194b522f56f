import { Unsupported } from './unsupported.js';
import type { IrModule, IrType } from './syntax.js';

/** The maximum depth of nested types. */
const deepest = 100;
/** The maximum size in bytes, so that sums of sizes are exact. */
const largest = 2 ** 40;

/** The sizes in bytes of floating-point types. */
const floats: ReadonlyMap<string, number> = new Map([
  ['half', 2],
  ['float', 4],
  ['double', 8],
  ['x86_fp80', 16],
  ['fp128', 16],
]);

/** The layout of types on x86-64, in bytes. */
export class DataLayout {
  readonly #types: IrModule['types'];
  /** By name of a type, its size, alignment and field offsets, if computed already. */
  readonly #shapes = new Map<string, Shape>();

  constructor({ types }: Pick<IrModule, 'types'>) {
    this.#types = types;
  }

  /** The size of a type, with the padding at the end, as in arrays. Throws `Unsupported`. */
  sizeOf(type: IrType): number {
    return this.#shapeOf(type, 0).size;
  }

  /**
   * The number of bytes that an access touches: 3 for an integer of 24 bits, whose size is 4.
   * Throws `Unsupported`.
   */
  accessSizeOf(type: IrType): number {
    return type.kind === 'int' ? Math.ceil(type.bits / 8) : this.sizeOf(type);
  }

  /** The alignment of a type. Throws `Unsupported`. */
  alignmentOf(type: IrType): number {
    return this.#shapeOf(type, 0).alignment;
  }

  /** The type, with a name replaced by its definition. Throws `Unsupported`. */
  resolve(type: IrType): IrType {
    let current = type;
    for (let depth = 0; current.kind === 'named'; depth++) {
      const meant = this.#types.get(current.name);
      if (!meant || depth > deepest)
        throw new Unsupported(`the type '${current.name}' is not known`);
      current = meant;
    }
    return current;
  }

  /** The integers and pointers that a value of the type consists of. Throws `Unsupported`. */
  scalarsOf(type: IrType, start = 0): readonly Scalar[] {
    const resolved = this.resolve(type);
    const at = (index: number): readonly Scalar[] => {
      const { type: part, offset } = this.part(resolved, index);
      return this.scalarsOf(part, start + offset);
    };
    switch (resolved.kind) {
      case 'array':
        return Array.from({ length: within(resolved.length) }, (_, i) => at(i)).flat();
      case 'struct':
        return resolved.fields.flatMap((_, i) => at(i));
      default:
        return [
          { offset: start, size: this.sizeOf(resolved), isPointer: resolved.kind === 'pointer' },
        ];
    }
  }

  /**
   * The scalars of `scalarsOf` that overlap the bytes from `from` up to, not including, `to`. Most
   * elements of a large array are not visited.
   */
  scalarsWithin(type: IrType, from: number, to: number, start = 0): readonly Scalar[] {
    const resolved = this.resolve(type);
    const at = (index: number): readonly Scalar[] => {
      const { type: part, offset } = this.part(resolved, index);
      return this.scalarsWithin(part, from, to, start + offset);
    };
    if (start >= to || start + this.sizeOf(resolved) <= from) return [];
    switch (resolved.kind) {
      case 'array': {
        const stride = Math.max(1, this.sizeOf(resolved.element));
        const first = Math.max(0, Math.floor((from - start) / stride));
        const last = Math.min(resolved.length, Math.ceil((to - start) / stride));
        return Array.from({ length: Math.max(0, last - first) }, (_, i) => at(first + i)).flat();
      }
      case 'struct':
        return resolved.fields.flatMap((_, i) => at(i));
      default:
        return this.scalarsOf(resolved, start);
    }
  }

  /** The offsets of the bytes of a type that belong to no scalar. Throws `Unsupported`. */
  paddingOf(type: IrType): readonly number[] {
    const taken = new Set(
      this.scalarsOf(type).flatMap(({ offset, size }) =>
        Array.from({ length: size }, (_, i) => offset + i),
      ),
    );
    return Array.from({ length: this.sizeOf(type) }, (_, i) => i).filter((i) => !taken.has(i));
  }

  /**
   * The parts of a structure or an array with their offsets; `undefined` for scalars. Throws
   * `Unsupported`.
   */
  partsOf(type: IrType): readonly { readonly type: IrType; readonly offset: number }[] | undefined {
    const resolved = this.resolve(type);
    switch (resolved.kind) {
      case 'array':
        return Array.from({ length: within(resolved.length) }, (_, i) => this.part(resolved, i));
      case 'struct':
        return resolved.fields.map((_, i) => this.part(resolved, i));
      default:
        return undefined;
    }
  }

  /** The part of a type at an index, with its offset. Throws `Unsupported`. */
  part(type: IrType, index: number): { readonly type: IrType; readonly offset: number } {
    const resolved = this.resolve(type);
    if (resolved.kind === 'array')
      return { type: resolved.element, offset: index * this.sizeOf(resolved.element) };
    const offset = this.#shapeOf(type, 0).offsets?.[index];
    const field = resolved.kind === 'struct' ? resolved.fields[index] : undefined;
    if (field === undefined || offset === undefined)
      throw new Unsupported(`a type has no part number ${index}`);
    return { type: field, offset };
  }

  #shapeOf(type: IrType, depth: number): Shape {
    if (depth > deepest) throw new Unsupported('a type is nested too deeply, or in itself');
    switch (type.kind) {
      case 'int':
        return shapeOfInteger(type.bits);
      case 'pointer':
        return { size: 8, alignment: 8 };
      case 'array': {
        const { size, alignment } = this.#shapeOf(type.element, depth + 1);
        return { size: within(size * type.length), alignment };
      }
      case 'struct':
        return this.#shapeOfStruct(type, depth);
      case 'named': {
        const known = this.#shapes.get(type.name);
        if (known) return known;
        const shape = this.#shapeOf(this.resolve(type), depth + 1);
        this.#shapes.set(type.name, shape);
        return shape;
      }
      case 'void':
        throw new Unsupported("'void' has no size");
      case 'other': {
        const size = floats.get(type.text);
        if (size !== undefined) return { size, alignment: size };
        throw new Unsupported(`'${type.text}' is not supported`);
      }
    }
  }

  #shapeOfStruct(
    { fields, isPacked }: Extract<IrType, { readonly kind: 'struct' }>,
    depth: number,
  ): Shape {
    let [end, largestAlignment] = [0, 1];
    const offsets = fields.map((field) => {
      const { size, alignment } = this.#shapeOf(field, depth + 1);
      const start = isPacked ? end : alignedTo(end, alignment);
      if (!isPacked) largestAlignment = Math.max(largestAlignment, alignment);
      end = within(start + size);
      return start;
    });
    return { size: alignedTo(end, largestAlignment), alignment: largestAlignment, offsets };
  }
}

/** An integer, a pointer, or another part of a type that has no parts; offset and size in bytes. */
export interface Scalar {
  readonly offset: number;
  readonly size: number;
  readonly isPointer: boolean;
}

interface Shape {
  readonly size: number;
  readonly alignment: number;
  /** The offset in bytes of each field of the structure; absent for other types. */
  readonly offsets?: readonly number[];
}

function shapeOfInteger(bits: number): Shape {
  const size = [1, 2, 4, 8, 16].find((bytes) => bits <= 8 * bytes);
  if (size === undefined || bits < 1)
    throw new Unsupported(`integers of ${bits} bits are not supported`);
  return { size, alignment: size };
}

function within(size: number): number {
  if (size > largest) throw new Unsupported('an object is too large');
  return size;
}

/** The first multiple of `alignment` that is at least `address`. */
export function alignedTo(address: number, alignment: number): number {
  return Math.ceil(address / alignment) * alignment;
}
