import type { IrType } from '../../src/llvm-ir/syntax.js';
import { NotKnown } from './stop.js';

/** The layout of a value in memory, by the System V ABI for x86-64. */
export type Shape =
  | { readonly kind: 'integer'; readonly bits: number; readonly size: number }
  | { readonly kind: 'pointer'; readonly size: 8 }
  | { readonly kind: 'parts'; readonly size: number; readonly parts: readonly Part[] }
  | { readonly kind: 'nothing'; readonly size: 0 };

export interface Part {
  readonly offset: number;
  readonly shape: Shape;
}

export interface Layout {
  readonly size: number;
  readonly align: number;
}

/** The types of a module and their layout. */
export class Types {
  constructor(readonly named: ReadonlyMap<string, IrType>) {}

  /** Returns the definition of a named type; other types unchanged. */
  resolve(type: IrType): IrType {
    if (type.kind !== 'named') return type;
    const meant = this.named.get(type.name);
    if (!meant) throw new NotKnown(`type ${type.name}`);
    return this.resolve(meant);
  }

  /** Returns the size of a type, padding included, and its alignment. */
  layout(given: IrType): Layout {
    const type = this.resolve(given);
    switch (type.kind) {
      case 'int': {
        const size = 2 ** Math.ceil(Math.log2(Math.ceil(type.bits / 8)));
        return { size, align: Math.min(size, 16) };
      }
      case 'pointer':
        return { size: 8, align: 8 };
      case 'array': {
        const { size, align } = this.layout(type.element);
        return { size: size * type.length, align };
      }
      case 'struct': {
        const { size, align } = this.fields(type);
        return { size, align };
      }
      case 'void':
        return { size: 0, align: 1 };
      default:
        throw new NotKnown(`type ${type.kind === 'other' ? type.text : type.kind}`);
    }
  }

  /** The layout of a structure, with the offsets of its fields. */
  fields(
    type: Extract<IrType, { kind: 'struct' }>,
  ): Layout & { readonly offsets: readonly number[] } {
    let end = 0;
    let most = 1;
    const offsets = type.fields.map((field) => {
      const { size, align } = this.layout(field);
      const own = type.isPacked ? 1 : align;
      most = Math.max(most, own);
      const offset = Math.ceil(end / own) * own;
      end = offset + size;
      return offset;
    });
    return { size: Math.ceil(end / most) * most, align: most, offsets };
  }

  shape(given: IrType): Shape {
    const type = this.resolve(given);
    const { size } = this.layout(type);
    switch (type.kind) {
      case 'int':
        return { kind: 'integer', bits: type.bits, size };
      case 'pointer':
        return { kind: 'pointer', size: 8 };
      case 'array': {
        const shape = this.shape(type.element);
        const parts = Array.from({ length: type.length }, (_, i) => ({
          offset: i * shape.size,
          shape,
        }));
        return { kind: 'parts', size, parts };
      }
      case 'struct': {
        const { offsets } = this.fields(type);
        const parts = type.fields.map((field, i) => ({
          offset: offsets[i]!,
          shape: this.shape(field),
        }));
        return { kind: 'parts', size, parts };
      }
      default:
        return { kind: 'nothing', size: 0 };
    }
  }
}
