import type { Origin } from '@fencewright/model/program/program.js';
import type { Bytes } from './bytes.js';
import { largestOwnCell } from './own-cells.js';

/** What an access does to its bytes; a locked one reads and writes them at once. */
export type AccessDoes = 'load' | 'store' | 'locked';

/** Bytes that some access takes at once. */
export interface Taken extends Bytes {
  readonly threads: ReadonlySet<number>;
  /** Where each kind of access was first seen. */
  readonly places: ReadonlyMap<AccessDoes, Origin>;
}

interface Growing extends Taken {
  readonly threads: Set<number>;
  readonly places: Map<AccessDoes, Origin>;
  isComputed: boolean;
}

/** The number of bytes that an access takes at most. */
const mostBytes = 16;

const keyOf = ({ address, size }: Bytes): number => address * 32 + size;
const endOf = ({ address, size }: Bytes): number => address + size;

function isWithin(part: Bytes, whole: Bytes): boolean {
  return part.size < whole.size && part.address >= whole.address && endOf(part) <= endOf(whole);
}

/**
 * Which bytes threads access at once, and how memory that is accessed with several sizes is divided
 * into cells. Bytes are one cell as long as each store, and each locked instruction, has bytes of
 * all accesses inside: then loads of parts load the cell, and locked instructions on parts change
 * the cell. Otherwise the bytes are in pieces: a locked instruction on the whole changes the pieces
 * under the bus lock, a load of the whole loads them so, and a store to the whole is refused.
 */
export class AccessSizes {
  readonly #taken = new Map<number, Growing>();
  readonly #inPieces = new Set<number>();

  /** Notes an access; true where it tells something new. */
  note(
    thread: number,
    bytes: Bytes,
    does: AccessDoes,
    origin: Origin,
    isComputed = false,
  ): boolean {
    const key = keyOf(bytes);
    let known = this.#taken.get(key);
    if (!known) {
      const { address, size } = bytes;
      known = { address, size, threads: new Set(), places: new Map(), isComputed };
      this.#taken.set(key, known);
    }
    const { threads, places } = known;
    if (threads.has(thread) && places.has(does) && (known.isComputed || !isComputed)) return false;
    threads.add(thread);
    if (!places.has(does)) places.set(does, origin);
    known.isComputed ||= isComputed;
    return true;
  }

  /** Whether some access takes these bytes at once. */
  isTaken(bytes: Bytes): boolean {
    return this.#taken.has(keyOf(bytes));
  }

  get areAnyInPieces(): boolean {
    return this.#inPieces.size > 0;
  }

  isInPieces(bytes: Bytes): boolean {
    return this.#inPieces.has(keyOf(bytes));
  }

  /**
   * Finds bytes that have to be in pieces, and bytes that are one cell though parts of them are
   * accessed, for which `oneCell` is called. True where there are new ones in pieces.
   */
  decide(oneCell: (bytes: Bytes) => void): boolean {
    const before = this.#inPieces.size;
    for (const { whole, parts } of this.#nested()) {
      if (whole.size > largestOwnCell || this.isInPieces(whole)) continue;
      if (!areSeveralThreads([whole, ...parts])) continue;
      if (hasApart(parts)) this.#inPieces.add(keyOf(whole));
      else oneCell(whole);
    }
    return this.#inPieces.size > before;
  }

  /**
   * The cells of bytes in pieces, in the order of their addresses: what is accessed at once, and
   * what lies between. `undefined` where one reaches beyond the bytes, or into another.
   */
  piecesOf(whole: Bytes): readonly Bytes[] | undefined {
    const near = this.#near(whole).filter((each) => !this.isInPieces(each));
    const outermost = near.filter((each) => !near.some((other) => isWithin(each, other)));
    const pieces: Bytes[] = [];
    let end = whole.address;
    for (const piece of outermost) {
      if (piece.address < end || endOf(piece) > endOf(whole)) return undefined;
      pieces.push(...between(end, piece.address), { address: piece.address, size: piece.size });
      end = endOf(piece);
    }
    return [...pieces, ...between(end, endOf(whole))];
  }

  /** A part of the bytes to which something is stored, or which has to be a cell of its own. */
  partOf(whole: Bytes): Taken | undefined {
    const parts = this.#near(whole).filter((each) => isWithin(each, whole));
    return (
      parts.find(({ places }) => places.has('store')) ??
      parts.find(({ places }) => places.has('locked'))
    );
  }

  /** What has some of these bytes, by address, and less of them first. */
  #near(bytes: Bytes): readonly Growing[] {
    const found: Growing[] = [];
    for (let address = bytes.address - mostBytes + 1; address < endOf(bytes); address++)
      for (let size = 1; size <= mostBytes; size++) {
        const each = this.#taken.get(keyOf({ address, size }));
        if (each && endOf(each) > bytes.address) found.push(each);
      }
    return found;
  }

  /** Each bytes of which parts are accessed, with those. */
  *#nested(): Iterable<{ readonly whole: Growing; readonly parts: readonly Growing[] }> {
    const sorted = [...this.#taken.values()].sort(
      (one, other) => one.address - other.address || other.size - one.size,
    );
    for (const [i, whole] of sorted.entries()) {
      const parts: Growing[] = [];
      for (let next = i + 1; next < sorted.length; next++) {
        const part = sorted[next]!;
        if (part.address >= endOf(whole)) break;
        if (isWithin(part, whole)) parts.push(part);
      }
      if (parts.length > 0) yield { whole, parts };
    }
  }
}

/** Whether more than one thread may have a part in the accesses. */
function areSeveralThreads(all: readonly Growing[]): boolean {
  const threads = new Set(all.flatMap((each) => [...each.threads]));
  return (
    threads.size > 1 || all.some(({ isComputed, places }) => isComputed || places.has('locked'))
  );
}

/** Whether something is stored to parts alone, or a locked part has none of another's bytes. */
function hasApart(parts: readonly Growing[]): boolean {
  return parts.some(
    (part) =>
      part.places.has('store') ||
      (part.places.has('locked') &&
        parts.some((other) => endOf(other) <= part.address || endOf(part) <= other.address)),
  );
}

/** The largest cells from one address to another that begin at multiples of their sizes. */
function between(start: number, end: number): readonly Bytes[] {
  const cells: Bytes[] = [];
  for (let address = start; address < end;) {
    let size = largestOwnCell;
    while (address % size !== 0 || address + size > end) size /= 2;
    cells.push({ address, size });
    address += size;
  }
  return cells;
}
