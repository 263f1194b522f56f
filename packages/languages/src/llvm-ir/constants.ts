import { checkCut, checkPlaces, placesMatter, pointerBits } from './address-numbers.js';
import { compare, compute, converted } from './arithmetic.js';
import { floatBits, floatSize } from './float-bits.js';
import type { DataLayout } from './layout.js';
import type { ByteMemory } from './memory.js';
import type { IrType, Typed } from './syntax.js';
import { computedGoto, Unsupported } from './unsupported.js';

/** The number of bits of an integer, a pointer or a floating-point number. Throws `Unsupported`. */
export function bitsOf(type: IrType): number {
  if (type.kind === 'int' && (type.bits <= 64 || type.bits === 128)) return type.bits;
  if (type.kind === 'pointer') return 64;
  const bits = floatSize(type);
  if (bits !== undefined) return bits;
  const name =
    type.kind === 'other' ? type.text : type.kind === 'int' ? `i${type.bits}` : type.kind;
  throw new Unsupported(`values of the type '${name}' are not supported`);
}

/** Whether values of the type are represented as numbers. */
function isNumber(type: IrType): boolean {
  return type.kind === 'pointer' || (type.kind === 'int' && (type.bits <= 64 || type.bits === 128));
}

/** The address of a global variable or function, by name. */
export type AddressLookup = (name: string) => number;

/**
 * The number of a constant, which must not depend on the memory layout. Throws `Unsupported`, also
 * for locals.
 */
export function constantOf(
  memory: ByteMemory,
  layout: DataLayout,
  addressOf: AddressLookup,
  { type, value }: Typed,
): bigint {
  const of = (part: Typed): bigint => constantOf(memory, layout, addressOf, part);
  switch (value.kind) {
    case 'integer':
      return type.kind === 'int' && type.bits === 1
        ? BigInt.asUintN(1, value.value)
        : BigInt.asIntN(bitsOf(type), value.value);
    case 'null':
    case 'zero':
      return 0n;
    case 'global':
      return BigInt(addressOf(value.name));
    case 'cast': {
      const [number, before, after] = [of(value.from), bitsOf(value.from.type), bitsOf(type)];
      if (after < before) checkCut(memory, number, before, after);
      return converted(value.operation, number, before, after);
    }
    case 'binary': {
      const [left, right] = [of(value.left), of(value.right)];
      checkPlaces(memory, value.operation, bitsOf(type), left, right);
      return compute(value.operation, bitsOf(type), left, right);
    }
    case 'compare': {
      const [left, right] = [of(value.left), of(value.right)];
      if (value.relation !== 'eq' && value.relation !== 'ne') throw placesMatter();
      return compare(value.relation, bitsOf(value.left.type), left, right) ? 1n : 0n;
    }
    case 'element': {
      const [pointer, ...indices] = value.operands;
      if (!pointer) throw new Unsupported('a constant is not well-formed');
      const [start, distance] = [
        of(pointer),
        elementOffset(memory, layout, value.source, indices.map(of)),
      ];
      checkPlaces(memory, 'add', pointerBits, start, distance);
      return start + distance;
    }
    case 'undefined':
      throw new Unsupported('an uninitialised value is used');
    case 'local':
    case 'aggregate':
    case 'bytes':
      throw new Unsupported('a constant of this kind is not supported');
    case 'other': {
      const bits = floatBits(type, value.text);
      if (bits !== undefined) return bits;
      if (value.text === 'blockaddress') throw computedGoto();
      throw new Unsupported('a constant of this kind is not supported');
    }
  }
}

/**
 * The distance, in bytes, between the result of `getelementptr` and its pointer. Throws
 * `Unsupported`.
 */
export function elementOffset(
  memory: ByteMemory,
  layout: DataLayout,
  source: IrType,
  indices: readonly bigint[],
): bigint {
  const [first = 0n, ...rest] = indices;
  const times = (index: bigint, of: IrType): bigint => {
    const size = BigInt(layout.sizeOf(of));
    checkPlaces(memory, 'mul', pointerBits, index, size);
    return index * size;
  };
  let offset = times(first, source);
  let type = source;
  for (const index of rest) {
    const resolved = layout.resolve(type);
    if (resolved.kind === 'array') {
      offset += times(index, resolved.element);
      type = resolved.element;
    } else {
      const part = layout.part(resolved, Number(index));
      offset += BigInt(part.offset);
      type = part.type;
    }
  }
  return offset;
}

/** Stores an initial value at `address`; padding becomes 0. Throws `Unsupported`. */
export function initialise(
  memory: ByteMemory,
  layout: DataLayout,
  addressOf: AddressLookup,
  address: number,
  { type, value }: Typed,
): void {
  switch (value.kind) {
    case 'undefined':
      return;
    case 'other': {
      const bits = floatBits(type, value.text);
      if (bits !== undefined) memory.store(address, layout.sizeOf(type), bits);
      return;
    }
    case 'zero':
      memory.fill(address, layout.sizeOf(type), 0);
      return;
    case 'bytes':
      for (const [i, byte] of value.bytes.entries()) memory.store(address + i, 1, BigInt(byte));
      return;
    case 'aggregate':
      memory.fill(address, layout.sizeOf(type), 0);
      for (const [i, element] of value.elements.entries())
        initialise(memory, layout, addressOf, address + layout.part(type, i).offset, element);
      return;
    case 'integer':
    case 'null':
    case 'global':
    case 'element':
    case 'cast':
    case 'binary':
    case 'compare':
    case 'local':
      if (!isNumber(type)) return;
      memory.store(
        address,
        layout.sizeOf(type),
        constantOf(memory, layout, addressOf, { type, value }),
      );
  }
}
