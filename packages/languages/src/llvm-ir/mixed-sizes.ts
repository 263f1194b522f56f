import { notSupported, type Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { ErrorList } from '@fencewright/ground/source/error-list.js';
import { cellName } from './cell-names.js';
import type { CellFacts, Facts } from './facts.js';
import type { Span } from '@fencewright/ground/source/span.js';
import type { ComputedBytes, Round, World } from './world.js';
import { countOf } from '@fencewright/ground/base/number-words.js';

/** Advice about accesses whose addresses are unknown. */
const adviceAnywhere =
  'use an array index where threads increment a pointer, or compare the index with the length';

/** A cell with the sizes of some of its accesses. */
interface Use {
  readonly address: number;
  readonly size: number;
  readonly of: CellFacts;
}

/** Whether a single thread accesses both cells, always at known addresses. */
function areOwn(facts: Facts, { of: one }: Use, { of: other }: Use): boolean {
  const threads = new Set([...one.threads, ...other.threads]);
  return threads.size === 1 && !one.isComputed && !other.isComputed && !facts.isAnyAnywhere;
}

/**
 * Whether the larger cell is accessed atomically, and the smaller cell is a part that is only
 * loaded.
 */
function isLoadedPart(facts: Facts, one: Use, other: Use): boolean {
  const [whole, part] = one.size > other.size ? [one, other] : [other, one];
  return (
    facts.isWhole(whole.address, whole.size) &&
    part.address + part.size <= whole.address + whole.size &&
    part.address >= whole.address &&
    !part.of.exactSizes.has(part.size)
  );
}

/**
 * Whether some cell is accessed with several sizes, or overlaps another cell, in a way that
 * lowering cannot separate.
 */
export function hasMixedSizes({ facts }: Pick<World, 'facts'>): boolean {
  return mixedUses(facts).length > 0;
}

function mixedUses(facts: Facts): readonly (readonly [Use, Use])[] {
  const uses = [...facts.cells.values()]
    .flatMap((of) => [...of.sizes].map((size): Use => ({ address: of.address, size, of })))
    .sort((a, b) => a.address - b.address || a.size - b.size);
  const found: (readonly [Use, Use])[] = [];
  uses.forEach((use, i) => {
    // Earlier uses may overlap the current use: no cell is larger than 16 bytes.
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

/**
 * Requests that the instructions which access cells of several sizes at computed addresses be
 * lowered separately for each address; returns whether any request is new.
 */
export function askMixedAddresses({ computed, world: { facts } }: Round): boolean {
  const mixed = mixedUses(facts).flat();
  const isMixed = ({ size, addresses }: ComputedBytes): boolean =>
    addresses.some((start) =>
      mixed.some((use) => use.address < start + size && start < use.address + use.size),
    );
  return computed.filter((each) => isMixed(each) && facts.ask(each.site)).length > 0;
}

/** Reports cells that are accessed with several sizes or overlap. */
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
      use.address === last.address ? `with ${bytes(other!.size)}` : 'starting at another byte';
    const key = `${one!.span?.start.line}:${one!.span?.start.column}:${name}`;
    if (!told.has(key))
      errors.error(() =>
        notSupported(
          one!.span,
          `'${name}' is accessed with ${bytes(one!.size)} here and ${how}${line}: a cell has one size`,
          [last, use].some(({ address, size }) => size > 4 && facts.isWhole(address, size))
            ? 'store the structure as a whole, also at initialisation: by atomic_store_explicit'
            : `access ${bytes(Math.min(last.size, use.size))} at a time in both places`,
        ),
      );
    told.add(key);
  }
  if (hasSeveralSizesAnywhere({ facts }))
    errors.error(() =>
      notSupported(
        facts.firstAnywhere?.origin.span,
        'this access has an unknown address, and so have accesses of other sizes',
        adviceAnywhere,
      ),
    );
}

/** Whether accesses of several sizes have unknown addresses. */
export function hasSeveralSizesAnywhere({ facts }: Pick<World, 'facts'>): boolean {
  return new Set(facts.anywhere.map(({ size }) => size)).size > 1;
}

/** The error for a store to an unknown address that may hit a value that has to be known. */
export function storesAnywhere(span: Span | undefined): Diagnostic {
  return notSupported(
    span,
    'this store has an unknown address and may change any cell',
    adviceAnywhere,
  );
}
