import { partName } from './debug-types.js';
import type { Image } from './image.js';
import type { Layout } from './layout.js';
import type { MemoryObject } from './memory.js';
import type { IrType } from './syntax.js';

/**
 * The name of a cell of so many bytes as one would write it in C, `x`, `nodes[1].locked`; fields
 * have numbers, `nodes[1].2`, where debug information does not tell.
 */
export function cellName(
  image: Image,
  object: MemoryObject,
  address: number,
  size?: number,
): string {
  const offset = address - object.address;
  return object.name + (described(image, object, offset, size) ?? counted(image, object, offset));
}

function described(
  { module: { metadata }, headers }: Image,
  { variable }: MemoryObject,
  offset: number,
  size: number | undefined,
): string | undefined {
  if (variable === undefined) return undefined;
  const options = headers === undefined ? {} : { headers };
  const exact =
    size === undefined ? undefined : partName(metadata, variable, offset, { ...options, size });
  return exact ?? partName(metadata, variable, offset, options);
}

function counted({ layout }: Image, { type }: MemoryObject, offset: number): string {
  if (type) return numberedPart(layout, type, offset);
  return offset === 0 ? '' : `.${offset}`;
}

function numberedPart(layout: Layout, type: IrType, offset: number): string {
  const resolved = layout.resolve(type);
  switch (resolved.kind) {
    case 'array': {
      const size = layout.sizeOf(resolved.element);
      const index = size === 0 ? 0 : Math.floor(offset / size);
      return `[${index}]${numberedPart(layout, resolved.element, offset - index * size)}`;
    }
    case 'struct': {
      const index = resolved.fields.findLastIndex(
        (_, i) => layout.part(resolved, i).offset <= offset,
      );
      if (index < 0) return '';
      const part = layout.part(resolved, index);
      const rest = numberedPart(layout, part.type, offset - part.offset);
      return resolved.fields.length === 1 ? rest : `.${index}${rest}`;
    }
    default:
      return offset === 0 ? '' : `.${offset}`;
  }
}
