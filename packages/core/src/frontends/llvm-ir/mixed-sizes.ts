import { notSupported } from '../../source/diagnostic.js';
import type { ErrorList } from '../../source/error-list.js';
import { cellName } from './cell-names.js';
import type { World } from './world.js';

/** Tells of cells that are accessed with several sizes, or overlap. */
export function judgeSizes({ facts, image }: World, errors: ErrorList): void {
  const uses = [...facts.cells.values()]
    .flatMap(({ address, sizes }) => [...sizes].map((size) => ({ address, size })))
    .sort((a, b) => a.address - b.address || a.size - b.size);
  let last: (typeof uses)[number] | undefined;
  const told = new Set<string>();
  for (const use of uses) {
    if (last && use.address < last.address + last.size) {
      const object = image.memory.objectAt(last.address, 1);
      const name = object ? cellName(image, object, last.address, last.size) : 'a cell';
      const [one, other] = [last, use].map(({ address, size }) => ({
        size,
        span: facts.placeOf(address, size)?.span,
      }));
      const line = other!.span ? ` at line ${other!.span.start.line + 1}` : '';
      const bytes = (size: number): string => (size === 1 ? '1 byte' : `${size} bytes`);
      const how =
        use.address === last.address ? `with ${bytes(other!.size)}` : 'from another byte on';
      const key = `${one!.span?.start.line}:${one!.span?.start.column}:${name}`;
      if (!told.has(key))
        errors.error(() =>
          notSupported(
            one!.span,
            `'${name}' is accessed with ${bytes(one!.size)} here and ${how}${line}: a cell has one size`,
            'mixed-size accesses are not supported',
          ),
        );
      told.add(key);
    }
    if (!last || use.address + use.size > last.address + last.size) last = use;
  }
  const anywhere = new Set(facts.anywhere.map(({ size }) => size));
  if (anywhere.size > 1)
    errors.error(() =>
      notSupported(
        undefined,
        'addresses that cannot be told are accessed with several sizes',
        'mixed-size accesses are not supported',
      ),
    );
}
