import type { IrType, IrValue, Typed } from '../../src/llvm-ir/syntax.js';
import type { Shape, Types } from './shape.js';
import { NotKnown } from './stop.js';
import { binary, integer, toNumber, toSigned, type Value } from './value.js';

/** Returns the value of a shape whose bytes are all zero. */
export function zeroOf(shape: Shape): Value {
  switch (shape.kind) {
    case 'integer':
      return integer(shape.bits, 0n);
    case 'pointer':
      return 0;
    case 'parts':
      return shape.parts.map((part) => zeroOf(part.shape));
    case 'nothing':
      return undefined;
  }
}

/** Returns the number of bits of an integer or pointer; 0 for other shapes. */
export function bitsOf(shape: Shape): number {
  return shape.kind === 'integer' ? shape.bits : shape.kind === 'pointer' ? 64 : 0;
}

/** Returns the value of an integer or pointer after a cast. */
export function casted(name: string, from: Value, fromBits: number, toBits: number): Value {
  if (from === undefined || name === 'freeze' || name === 'bitcast') return from;
  if (name === 'inttoptr') return toNumber(from);
  return integer(toBits, name === 'sext' ? toSigned(fromBits, from) : BigInt(from as number));
}

/**
 * Returns the offset that `getelementptr` adds for one index into a type, and the type at this
 * offset.
 */
export function stepInto(
  types: Types,
  within: IrType,
  index: bigint | undefined,
): { readonly offset: number; readonly scale: number; readonly type: IrType } {
  const type = types.resolve(within);
  if (type.kind === 'array') {
    const { size } = types.layout(type.element);
    return { offset: 0, scale: size, type: type.element };
  }
  if (type.kind !== 'struct' || index === undefined) throw new NotKnown('getelementptr');
  const field = Number(index);
  return { offset: types.fields(type).offsets[field]!, scale: 0, type: type.fields[field]! };
}

/** The constants of a module, given the addresses of its globals and functions. */
export class Constants {
  constructor(
    readonly types: Types,
    readonly addresses: ReadonlyMap<string, number>,
  ) {}

  value(type: IrType, value: IrValue): Value {
    const shape = this.types.shape(type);
    switch (value.kind) {
      case 'integer':
        return integer(bitsOf(shape), value.value);
      case 'null':
      case 'zero':
        return zeroOf(shape);
      case 'undefined':
        return shape.kind === 'parts' ? shape.parts.map(() => undefined) : undefined;
      case 'global': {
        const address = this.addresses.get(value.name);
        if (address === undefined) throw new NotKnown(`@${value.name}`);
        return address;
      }
      case 'aggregate':
        return value.elements.map((element) => this.of(element));
      case 'bytes':
        return [...value.bytes];
      case 'element':
        return this.#element(value.source, value.operands);
      case 'cast': {
        const from = bitsOf(this.types.shape(value.from.type));
        return casted(value.operation, this.of(value.from), from, bitsOf(shape));
      }
      case 'binary': {
        const [left, right] = [this.of(value.left), this.of(value.right)];
        return binary(value.operation, bitsOf(shape), false, left, right);
      }
      default:
        throw new NotKnown(`constant ${value.kind === 'other' ? value.text : value.kind}`);
    }
  }

  of({ type, value }: Typed): Value {
    return this.value(type, value);
  }

  #element(source: IrType, [base, first, ...rest]: readonly Typed[]): Value {
    const index = (typed: Typed): bigint =>
      toSigned(bitsOf(this.types.shape(typed.type)), this.of(typed));
    let at = toNumber(this.of(base!));
    if (first) at += Number(index(first)) * this.types.layout(source).size;
    let within = source;
    for (const typed of rest) {
      const { offset, scale, type } = stepInto(this.types, within, index(typed));
      at += offset + scale * Number(index(typed));
      within = type;
    }
    return at;
  }
}
