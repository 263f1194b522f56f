import type { Layout } from './layout.js';
import { nameInModule } from './link-modules.js';
import type { MemoryObject } from './memory.js';
import type { IrType } from './syntax.js';

/** The name of a cell as one would write it in C, as far as the IR tells: `x`, `nodes[1].2`. */
export function cellName(layout: Layout, object: MemoryObject, address: number): string {
  const offset = address - object.address;
  const name = nameInModule(object.name);
  if (!object.type) return offset === 0 ? name : `${name}.${offset}`;
  return name + partName(layout, object.type, offset);
}

function partName(layout: Layout, type: IrType, offset: number): string {
  const resolved = layout.resolve(type);
  switch (resolved.kind) {
    case 'array': {
      const size = layout.sizeOf(resolved.element);
      const index = size === 0 ? 0 : Math.floor(offset / size);
      return `[${index}]${partName(layout, resolved.element, offset - index * size)}`;
    }
    case 'struct': {
      const index = resolved.fields.findLastIndex(
        (_, i) => layout.part(resolved, i).offset <= offset,
      );
      if (index < 0) return '';
      const part = layout.part(resolved, index);
      const rest = partName(layout, part.type, offset - part.offset);
      return resolved.fields.length === 1 ? rest : `.${index}${rest}`;
    }
    default:
      return offset === 0 ? '' : `.${offset}`;
  }
}
