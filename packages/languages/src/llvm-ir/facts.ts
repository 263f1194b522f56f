import type { Origin } from '@fencewright/model/program/program.js';
import { type AccessDoes, AccessSizes } from './access-sizes.js';

/** How a cell is accessed, as far as it is known. */
export interface CellFacts {
  readonly address: number;
  /** By size in bytes, who accesses it so. */
  readonly sizes: ReadonlySet<number>;
  readonly threads: ReadonlySet<number>;
  readonly isStored: boolean;
  /** Through an address that is computed when the program runs. */
  readonly isComputed: boolean;
  /** The sizes in which it is more than loaded from an address that is known. */
  readonly exactSizes: ReadonlySet<number>;
}

interface Growing extends CellFacts {
  readonly sizes: Set<number>;
  readonly threads: Set<number>;
  readonly exactSizes: Set<number>;
  isStored: boolean;
  isComputed: boolean;
}

/** Bytes that are accessed at once. */
export interface Bytes {
  readonly address: number;
  readonly size: number;
}

/** The size of the largest cell. */
export const largestCell = 16;

/**
 * What threads were seen to do to memory. Threads are lowered as if there were nothing else, until
 * there is nothing else: then what was supposed is so.
 */
export class Facts {
  readonly #cells = new Map<number, Growing>();
  /** Threads that access what cannot be told. */
  readonly #anywhere = new Map<number, { size: number; isStored: boolean }[]>();
  #firstAnywhere: { readonly origin: Origin; readonly isStored: boolean } | undefined;
  /** Stores of `main` that cannot be counted as initial values. */
  readonly #late = new Set<string>();
  readonly #noValue = new Set<number>();
  readonly #places = new Map<string, Origin>();
  readonly #shown = new Set<number>();
  /** By address, the sizes in which cells are accessed atomically. */
  readonly #wholes = new Map<number, Set<number>>();
  #hasNewWholes = false;
  /** Which bytes are accessed at once. */
  readonly sizes = new AccessSizes();
  #version = 0;

  /** Grows when a fact is added. */
  get version(): number {
    return this.#version;
  }

  /** Says that something else was wrongly supposed. */
  bump(): void {
    this.#version += 1;
  }

  get cells(): ReadonlyMap<number, CellFacts> {
    return this.#cells;
  }

  /** Whether some store goes nobody knows where. */
  get storesAnywhere(): boolean {
    return [...this.#anywhere.values()].flat().some(({ isStored }) => isStored);
  }

  get anywhere(): readonly { readonly size: number; readonly isStored: boolean }[] {
    return [...this.#anywhere.values()].flat();
  }

  touch(
    thread: number,
    address: number,
    size: number,
    { isStored, isComputed }: { readonly isStored: boolean; readonly isComputed: boolean },
  ): void {
    let cell = this.#cells.get(address);
    if (!cell) {
      cell = {
        address,
        sizes: new Set(),
        threads: new Set(),
        exactSizes: new Set(),
        isStored: false,
        isComputed: false,
      };
      this.#cells.set(address, cell);
    }
    const isExact = isStored || isComputed;
    const isKnown =
      cell.sizes.has(size) &&
      (cell.exactSizes.has(size) || !isExact) &&
      cell.threads.has(thread) &&
      (cell.isStored || !isStored) &&
      (cell.isComputed || !isComputed);
    if (isKnown) return;
    cell.sizes.add(size);
    if (isExact) cell.exactSizes.add(size);
    cell.threads.add(thread);
    cell.isStored ||= isStored;
    cell.isComputed ||= isComputed;
    this.#version += 1;
  }

  /**
   * Notes that bytes are accessed atomically: they are a cell, of which parts may be loaded, and
   * which is copied at once.
   */
  noteWhole(address: number, size: number): void {
    let sizes = this.#wholes.get(address);
    if (!sizes) this.#wholes.set(address, (sizes = new Set()));
    if (sizes.has(size)) return;
    sizes.add(size);
    this.#hasNewWholes = true;
    this.#version += 1;
  }

  /** Whether bytes are accessed atomically, and are one cell. */
  isWhole(address: number, size: number): boolean {
    const isAtomic = this.#wholes.get(address)?.has(size) === true;
    return isAtomic && !this.sizes.isInPieces({ address, size });
  }

  /** Notes that a thread accesses bytes at once. */
  noteTaken(
    thread: number,
    bytes: Bytes,
    does: AccessDoes,
    origin: Origin,
    isComputed = false,
  ): void {
    const isCell = this.sizes.isTaken(bytes);
    if (!this.sizes.note(thread, bytes, does, origin, isComputed)) return;
    this.#version += 1;
    // Pieces may have been cells before.
    if (!isCell && this.sizes.areAnyInPieces) this.#hasNewWholes = true;
  }

  /** Decides which bytes are one cell and which are in pieces, as far as accesses are known. */
  decideSizes(): void {
    const areNew = this.sizes.decide(({ address, size }) => {
      this.noteWhole(address, size);
    });
    if (!areNew) return;
    this.#hasNewWholes = true;
    this.#version += 1;
  }

  /** The cells that are accessed atomically and have bytes of these, in the order of addresses. */
  wholesWithin(address: number, size: number): readonly Bytes[] {
    const found: Bytes[] = [];
    for (let at = address - largestCell + 1; at < address + size; at++)
      for (const whole of this.#wholes.get(at) ?? [])
        if (at + whole > address && this.isWhole(at, whole))
          found.push({ address: at, size: whole });
    return found;
  }

  /** The largest cell of those that have all of these bytes and more. */
  wholeAround(address: number, size: number): Bytes | undefined {
    return this.wholesWithin(address, size)
      .filter(
        (whole) =>
          whole.size > size &&
          whole.address <= address &&
          address + size <= whole.address + whole.size,
      )
      .reduce<Bytes | undefined>(
        (largest, each) => (largest && largest.size >= each.size ? largest : each),
        undefined,
      );
  }

  /**
   * Forgets what was seen, but for which cells are accessed atomically; false where nothing would
   * be different then.
   */
  startAgain(): boolean {
    if (!this.#hasNewWholes) return false;
    this.#hasNewWholes = false;
    this.#cells.clear();
    this.#anywhere.clear();
    this.#firstAnywhere = undefined;
    this.#late.clear();
    this.#noValue.clear();
    this.#places.clear();
    this.#version += 1;
    return true;
  }

  /** Whether the thread accesses, or else stores to, what cannot be told. */
  isAnywhere(thread: number, ifStores: boolean): boolean {
    const known = this.#anywhere.get(thread) ?? [];
    return known.some(({ isStored }) => isStored || !ifStores);
  }

  /** Whether some thread accesses what cannot be told. */
  get isAnyAnywhere(): boolean {
    return this.#anywhere.size > 0;
  }

  touchAnywhere(thread: number, size: number, isStored: boolean, origin: Origin): void {
    const known = this.#anywhere.get(thread) ?? [];
    if (known.some((each) => each.size === size && each.isStored === isStored)) return;
    this.#anywhere.set(thread, [...known, { size, isStored }]);
    // What else cannot be told may be so because of this store.
    const first = this.#firstAnywhere;
    if (!first || (isStored && !first.isStored)) this.#firstAnywhere = { origin, isStored };
    this.#version += 1;
  }

  /** The first access that was found of which cannot be told what it accesses. */
  get firstAnywhere(): { readonly origin: Origin; readonly isStored: boolean } | undefined {
    return this.#firstAnywhere;
  }

  /** Remembers where a cell was first accessed with that size. */
  notePlace(address: number, size: number, origin: Origin): void {
    const key = `${address}:${size}`;
    if (!this.#places.has(key)) this.#places.set(key, origin);
  }

  /** Remembers that more than the library of the headers accesses a cell. */
  noteShown(address: number): void {
    this.#shown.add(address);
  }

  isShown(address: number): boolean {
    return this.#shown.has(address);
  }

  placeOf(address: number, size: number): Origin | undefined {
    return this.#places.get(`${address}:${size}`);
  }

  /** Remembers a cell that something without a value is stored to. */
  noteNoValue(address: number): void {
    if (this.#noValue.has(address)) return;
    this.#noValue.add(address);
    this.#version += 1;
  }

  /** Whether something without a value may be stored to a cell. */
  mayGetNoValue(address: number): boolean {
    return this.#noValue.has(address);
  }

  noteLate(store: string): void {
    if (this.#late.has(store)) return;
    this.#late.add(store);
    this.#version += 1;
  }

  isLate(store: string): boolean {
    return this.#late.has(store);
  }

  /**
   * Whether the thread alone accesses these bytes, and stores to some of them, not only in the
   * library of the headers.
   */
  storesAlone(thread: number, address: number, size: number): boolean {
    for (let at = address - largestCell + 1; at < address + size; at++) {
      const cell = this.#cells.get(at);
      if (!cell?.isStored || at + Math.max(...cell.sizes) <= address) continue;
      if (this.isShown(at) && this.kindOf(thread, at) === 'own') return true;
    }
    return false;
  }

  /** Where what a cell holds is to be found, for a thread. */
  kindOf(thread: number, address: number): 'own' | 'constant' | 'memory' {
    const cell = this.#cells.get(address);
    const isComputed = this.#anywhere.size > 0 || cell?.isComputed === true;
    const isOthers = [...(cell?.threads ?? [])].some((each) => each !== thread);
    if (!isComputed && !isOthers) return 'own';
    return this.storesAnywhere || cell?.isStored === true ? 'memory' : 'constant';
  }
}
