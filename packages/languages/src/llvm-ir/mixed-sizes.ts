import { notSupported, type Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { ErrorList } from '@fencewright/ground/source/error-list.js';
import { cellName } from './cell-names.js';
import type { CellFacts, Facts } from './facts.js';
import type { Span } from '@fencewright/ground/source/span.js';
import type { World } from './world.js';
import { countOf } from '@fencewright/ground/base/number-words.js';

/** What to do about accesses of which cannot be told what they access. */
const adviceAnywhere =
  'keep an index of an array where threads count up a pointer, or compare the index with the length';

/** A cell as it is accessed with one of its sizes. */
interface Use {
  readonly address: number;
  readonly size: number;
  readonly of: CellFacts;
}

/** Whether nobody but one thread, which knows what it accesses, has the bytes of the two. */
function areOwn(facts: Facts, { of: one }: Use, { of: other }: Use): boolean {
  const threads = new Set([...one.threads, ...other.threads]);
  return threads.size === 1 && !one.isComputed && !other.isComputed && !facts.isAnyAnywhere;
}

/** Whether one is accessed atomically, and the other is a part of it that is only loaded. */
function isLoadedPart(facts: Facts, one: Use, other: Use): boolean {
  const [whole, part] = one.size > other.size ? [one, other] : [other, one];
  return (
    facts.isWhole(whole.address, whole.size) &&
    part.address + part.size <= whole.address + whole.size &&
    part.address >= whole.address &&
    !part.of.exactSizes.has(part.size)
  );
}

/** Whether cells are accessed with several sizes, or overlap, so that they cannot be told apart. */
export function hasMixedSizes({ facts }: Pick<World, 'facts'>): boolean {
  return mixedUses(facts).length > 0;
}

function mixedUses(facts: Facts): readonly (readonly [Use, Use])[] {
  const uses = [...facts.cells.values()]
    .flatMap((of) => [...of.sizes].map((size): Use => ({ address: of.address, size, of })))
    .sort((a, b) => a.address - b.address || a.size - b.size);
  const found: (readonly [Use, Use])[] = [];
  uses.forEach((use, i) => {
    // Those before that reach into it: no cell is larger than 16 bytes.
    for (let before = i - 1; before >= 0; before--) {
      const last = uses[before]!;
      if (last.address + 16 <= use.address) break;
      const isApart = last.address + last.size <= use.address;
      if (isApart || areOwn(facts, last, use) || isLoadedPart(facts, last, use)) continue;
      found.push([last, use]);
      break;
    }
  });
  return found;
}

/** Tells of cells that are accessed with several sizes, or overlap. */
export function judgeSizes({ facts, image }: World, errors: ErrorList): void {
  const told = new Set<string>();
  for (const [last, use] of mixedUses(facts)) {
    const object = image.memory.objectAt(last.address, 1);
    const name = object ? cellName(image, object, last.address, last.size) : 'a cell';
    const [one, other] = [last, use].map(({ address, size }) => ({
      size,
      span: facts.placeOf(address, size)?.span,
    }));
    const line = other!.span ? ` at line ${other!.span.start.line + 1}` : '';
    const bytes = (size: number): string => countOf(size, 'byte');
    const how =
      use.address === last.address ? `with ${bytes(other!.size)}` : 'from another byte on';
    const key = `${one!.span?.start.line}:${one!.span?.start.column}:${name}`;
    if (!told.has(key))
      errors.error(() =>
        notSupported(
          one!.span,
          `'${name}' is accessed with ${bytes(one!.size)} here and ${how}${line}: a cell has one size`,
          [last, use].some(({ address, size }) => size > 4 && facts.isWhole(address, size))
            ? 'store to the structure as a whole, also at first: by atomic_store_explicit'
            : `access it with ${bytes(Math.min(last.size, use.size))} at a time in both places`,
        ),
      );
    told.add(key);
  }
  if (hasSeveralSizesAnywhere({ facts }))
    errors.error(() =>
      notSupported(
        facts.firstAnywhere?.origin.span,
        'the cell of this access is unknown, and so are the cells of accesses of other sizes',
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
