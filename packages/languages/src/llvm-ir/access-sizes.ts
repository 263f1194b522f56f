import type { Origin } from '@fencewright/model/program/program.js';
import type { Bytes } from './bytes.js';
import { largestOwnCell } from './own-cells.js';

/**
 * The use of an access's bytes: loaded, stored, or read and written in one atomic step (`locked`).
 */
export type AccessDoes = 'load' | 'store' | 'locked';

/**
 * A range of bytes that a single instruction accesses as a whole, with the kinds of these accesses.
 */
export interface Taken extends Bytes {
  readonly threads: ReadonlySet<number>;
  /**
   * By kind of access (load, store, locked), the source place of the first access to the range of
   * bytes.
   */
  readonly places: ReadonlyMap<AccessDoes, Origin>;
}

interface Growing extends Taken {
  readonly threads: Set<number>;
  readonly places: Map<AccessDoes, Origin>;
  isComputed: boolean;
}

/** The maximum size of an access, in bytes. */
const mostBytes = 16;

const keyOf = ({ address, size }: Bytes): number => address * 32 + size;
const endOf = ({ address, size }: Bytes): number => address + size;

function isWithin(part: Bytes, whole: Bytes): boolean {
  return part.size < whole.size && part.address >= whole.address && endOf(part) <= endOf(whole);
}

/**
 * The ranges of bytes that single instructions access, and the division of mixed-size memory into
 * cells. A range with accessed parts stays one cell if no store writes a part alone and no locked
 * part is disjoint from another part: a load of a part then loads the cell, and a locked
 * instruction on a part changes the cell. Otherwise the range is split into pieces: a locked
 * instruction on the whole range changes the pieces under the bus lock, a load of the whole range
 * loads the pieces under the bus lock, and a store to the whole range is refused.
 */
export class AccessSizes {
  readonly #taken = new Map<number, Growing>();
  readonly #inPieces = new Set<number>();

  /**
   * Notes an access, at an address computed at run time if `isComputed`; returns whether the access
   * is new.
   */
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

  /** Whether a single instruction accesses exactly these bytes. */
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
   * Decides whether an accessed range that contains smaller accessed ranges stays one cell or is
   * split. A range is decided only if several threads access the range, or if `isAwaited` holds.
   * Calls `oneCell` for each range that stays one cell. Returns whether a range was newly split.
   */
  decide(oneCell: (bytes: Bytes) => void, isAwaited: (bytes: Bytes) => boolean): boolean {
    const before = this.#inPieces.size;
    for (const { whole, parts } of this.#nested()) {
      if (whole.size > largestOwnCell || this.isInPieces(whole)) continue;
      if (!areSeveralThreads([whole, ...parts]) && !isAwaited(whole)) continue;
      if (hasApart(parts)) this.#inPieces.add(keyOf(whole));
      else oneCell(whole);
    }
    return this.#inPieces.size > before;
  }

  /**
   * The pieces of a split range, in the order of their addresses: the accessed parts, and cells for
   * the gaps between them. `undefined` if an access reaches beyond the range or parts overlap.
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

  /**
   * Returns a smaller accessed range inside `whole`: a range with a store, or else a range with a
   * locked access; `undefined` without such ranges.
   */
  partOf(whole: Bytes): Taken | undefined {
    const parts = this.#near(whole).filter((each) => isWithin(each, whole));
    return (
      parts.find(({ places }) => places.has('store')) ??
      parts.find(({ places }) => places.has('locked'))
    );
  }

  /** The accessed ranges that overlap the bytes, sorted by address, smaller ranges first. */
  #near(bytes: Bytes): readonly Growing[] {
    const found: Growing[] = [];
    for (let address = bytes.address - mostBytes + 1; address < endOf(bytes); address++)
      for (let size = 1; size <= mostBytes; size++) {
        const each = this.#taken.get(keyOf({ address, size }));
        if (each && endOf(each) > bytes.address) found.push(each);
      }
    return found;
  }

  /** The accessed ranges around smaller accessed ranges, with the smaller ranges. */
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

/**
 * Whether several threads may make these accesses. Locked accesses and accesses at computed
 * addresses count as accesses of several threads.
 */
function areSeveralThreads(all: readonly Growing[]): boolean {
  const threads = new Set(all.flatMap((each) => [...each.threads]));
  return (
    threads.size > 1 || all.some(({ isComputed, places }) => isComputed || places.has('locked'))
  );
}

/**
 * Whether a plain store writes one of the parts of a range, or a part with a locked access is
 * disjoint from another part.
 */
function hasApart(parts: readonly Growing[]): boolean {
  return parts.some(
    (part) =>
      part.places.has('store') ||
      (part.places.has('locked') &&
        parts.some((other) => endOf(other) <= part.address || endOf(part) <= other.address)),
  );
}

/** Divides the bytes from `start` to `end` into aligned cells that are as large as possible. */
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
