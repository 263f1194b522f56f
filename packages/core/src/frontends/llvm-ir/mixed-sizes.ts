import { notSupported, type Diagnostic } from '../../source/diagnostic.js';
import type { ErrorList } from '../../source/error-list.js';
import { cellName } from './cell-names.js';
import type { Span } from '../../source/span.js';
import type { World } from './world.js';

/** What to do about accesses of which cannot be told what they access. */
const adviceAnywhere =
  'keep an index of an array where threads count up a pointer, or compare the index with the length';

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
  if (hasSeveralSizesAnywhere({ facts }))
    errors.error(() =>
      notSupported(
        facts.firstAnywhere?.origin.span,
        'which cell this accesses cannot be told, and others of which that holds have other sizes',
        adviceAnywhere,
      ),
    );
}

/** Whether accesses of several sizes may be anywhere. */
export function hasSeveralSizesAnywhere({ facts }: Pick<World, 'facts'>): boolean {
  return new Set(facts.anywhere.map(({ size }) => size)).size > 1;
}

/** The refusal of a store that may be to what has to be known. */
export function storesAnywhere(span: Span | undefined): Diagnostic {
  return notSupported(
    span,
    'which cell is stored to here cannot be told, so that it may be any',
    adviceAnywhere,
  );
}
