import type { AddressSet } from '@fencewright/model/analysis/address-sets.js';
import type { Bytes } from './bytes.js';
import type { Origin } from '@fencewright/model/program/program.js';
import { type AccessDoes, AccessSizes } from './access-sizes.js';

/** The accesses to a cell that have been found. */
export interface CellFacts {
  readonly address: number;
  /** The sizes of the accesses to the cell, in bytes. */
  readonly sizes: ReadonlySet<number>;
  readonly threads: ReadonlySet<number>;
  readonly isStored: boolean;
  /** Whether some access to the cell has a computed address. */
  readonly isComputed: boolean;
  /**
   * The sizes of stores to the cell and of accesses with computed addresses; all other accesses are
   * loads.
   */
  readonly exactSizes: ReadonlySet<number>;
}

interface Growing extends CellFacts {
  readonly sizes: Set<number>;
  readonly threads: Set<number>;
  readonly exactSizes: Set<number>;
  isStored: boolean;
  isComputed: boolean;
}

/** The maximum size of a cell, in bytes. */
export const largestCell = 16;

/**
 * The accesses to memory found so far. Lowering assumes that these are all accesses, and is
 * repeated until no new access is found. The last round's assumption is therefore true.
 */
export class Facts {
  readonly #cells = new Map<number, Growing>();
  /** By thread, the sizes of accesses to unknown addresses, and whether the accesses store. */
  readonly #anywhere = new Map<number, { size: number; isStored: boolean }[]>();
  #firstAnywhere: { readonly origin: Origin; readonly isStored: boolean } | undefined;
  /**
   * The accesses of `main`, as text with kind and address, that cannot be evaluated before threads
   * start.
   */
  readonly #late = new Set<string>();
  readonly #noValue = new Set<number>();
  /**
   * The addresses of the bytes of awaited cells: cells whose known values keep a thread in an
   * endless loop.
   */
  readonly #awaited = new Set<number>();
  readonly #places = new Map<string, Origin>();
  readonly #shown = new Set<number>();
  /** By address, the sizes of atomic accesses to the cell at the address. */
  readonly #wholes = new Map<number, Set<number>>();
  #hasNewWholes = false;
  /**
   * By address, the sizes of the accesses of `main` to `malloc` blocks that happen before threads
   * start and are no steps of the program.
   */
  readonly #early = new Map<number, Set<number>>();
  /**
   * The ranges of bytes that single instructions access as a whole, and their division into cells.
   */
  readonly sizes = new AccessSizes();
  /**
   * The possible values of operands, by the text (`questionSite`) that identifies the instruction
   * with the operand.
   */
  readonly #values = new Map<string, AddressSet>();
  /**
   * The texts (`questionSite`) that identify the instructions lowered separately for each address.
   */
  readonly #asked = new Set<string>();
  /** The texts (`questionSite`) that identify accesses to possibly misaligned addresses. */
  readonly #misaligned = new Set<string>();
  /** The texts (`questionSite`) that identify atomic subtractions of tags from pointers. */
  readonly #tagSums = new Set<string>();
  /**
   * Whether an instruction that computes the address of an element from a computed pointer requests
   * the possible values of the pointer.
   */
  asksBases = false;
  #version = 0;

  /** A counter that grows whenever a fact about accesses to memory is found. */
  get version(): number {
    return this.#version;
  }

  /**
   * Records that an assumption of the current round of lowering was wrong, so that another round is
   * needed.
   */
  bump(): void {
    this.#version += 1;
  }

  get cells(): ReadonlyMap<number, CellFacts> {
    return this.#cells;
  }

  /** Whether some store of the program has an unknown address. */
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
   * Notes an access of `main` to a block of `malloc` that is no step of the program: no other
   * thread sees the access, but a copy of the block has to copy the bytes.
   */
  noteEarly({ address, size }: Bytes): void {
    const sizes = this.#early.get(address) ?? new Set();
    if (sizes.has(size)) return;
    this.#early.set(address, sizes.add(size));
    this.#version += 1;
  }

  /** The accesses of `main` to blocks of `malloc` that are no steps and overlap the bytes. */
  earlyWithin({ address, size }: Bytes): readonly Bytes[] {
    const found: Bytes[] = [];
    for (let at = address - largestCell + 1; at < address + size; at++)
      for (const early of this.#early.get(at) ?? [])
        if (at + early > address) found.push({ address: at, size: early });
    return found;
  }

  /**
   * Notes an atomic access: the bytes form one cell. Parts of the cell may be loaded, and a copy
   * copies the cell in one step.
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

  /**
   * Notes that an instruction of a thread accesses the bytes as a whole. `isComputed`: whether the
   * address is computed at run time.
   */
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

  /**
   * Decides which ranges of bytes stay one cell and which are split, from the accesses known so
   * far. Returns whether a decision is new.
   */
  decideSizes(): boolean {
    const before = this.#version;
    const areNew = this.sizes.decide(
      ({ address, size }) => {
        this.noteWhole(address, size);
      },
      (bytes) => this.isAwaited(bytes),
    );
    if (areNew) {
      this.#hasNewWholes = true;
      this.#version += 1;
    }
    return this.#version !== before;
  }

  /** The atomically accessed cells that overlap the bytes, in the order of addresses. */
  wholesWithin(address: number, size: number): readonly Bytes[] {
    const found: Bytes[] = [];
    for (let at = address - largestCell + 1; at < address + size; at++)
      for (const whole of this.#wholes.get(at) ?? [])
        if (at + whole > address && this.isWhole(at, whole))
          found.push({ address: at, size: whole });
    return found;
  }

  /**
   * The largest atomically accessed cell around the bytes, and larger than the bytes; `undefined`
   * if no such cell exists.
   */
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
   * Forgets the accesses to cells and to unknown addresses, late accesses, uninitialised values and
   * places. Keeps the atomic cells, the split ranges, the shown cells, and the facts about
   * operands. Returns false, without any change, if since the last call no atomic cell, no split
   * range or piece, and no instruction to be lowered separately (`ask`) was found.
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

  /** Whether the thread accesses or, if `ifStores`, stores to unknown addresses. */
  isAnywhere(thread: number, ifStores: boolean): boolean {
    const known = this.#anywhere.get(thread) ?? [];
    return known.some(({ isStored }) => isStored || !ifStores);
  }

  /** Whether some thread accesses an unknown address. */
  get isAnyAnywhere(): boolean {
    return this.#anywhere.size > 0;
  }

  touchAnywhere(thread: number, size: number, isStored: boolean, origin: Origin): void {
    const known = this.#anywhere.get(thread) ?? [];
    if (known.some((each) => each.size === size && each.isStored === isStored)) return;
    this.#anywhere.set(thread, [...known, { size, isStored }]);
    // A store to an unknown address may cause further unknown addresses.
    const first = this.#firstAnywhere;
    if (!first || (isStored && !first.isStored)) this.#firstAnywhere = { origin, isStored };
    this.#version += 1;
  }

  /** The first access found with an unknown address; stores take precedence. */
  get firstAnywhere(): { readonly origin: Origin; readonly isStored: boolean } | undefined {
    return this.#firstAnywhere;
  }

  /** Notes the source place of the first access to a cell with this size. */
  notePlace(address: number, size: number, origin: Origin): void {
    const key = `${address}:${size}`;
    if (!this.#places.has(key)) this.#places.set(key, origin);
  }

  /** Notes that code outside the library's headers accesses a cell. */
  noteShown(address: number): void {
    this.#shown.add(address);
  }

  isShown(address: number): boolean {
    return this.#shown.has(address);
  }

  placeOf(address: number, size: number): Origin | undefined {
    return this.#places.get(`${address}:${size}`);
  }

  /** Notes that an uninitialised value is stored to a cell. */
  noteNoValue(address: number): void {
    if (this.#noValue.has(address)) return;
    this.#noValue.add(address);
    this.#version += 1;
  }

  /** Whether an uninitialised value may be stored to a cell. */
  mayGetNoValue(address: number): boolean {
    return this.#noValue.has(address);
  }

  /** Whether the known value of some cell keeps a thread in an endless loop. */
  get hasAwaited(): boolean {
    return this.#awaited.size > 0;
  }

  /** Whether the known value of one of the bytes keeps a thread in an endless loop. */
  isAwaited({ address, size }: Bytes): boolean {
    if (!this.hasAwaited) return false;
    return Array.from({ length: size }, (_, i) => address + i).some((at) => this.#awaited.has(at));
  }

  /**
   * Notes awaited cells: their known values keep a thread in an endless loop. Accesses to these
   * cells, and to all cells that overlap them directly or through other cells, become steps from
   * now on. The program then contains the loop and the code after the loop.
   */
  noteAwaited(cells: readonly Bytes[]): void {
    const before = this.#awaited.size;
    const add = ({ address, size }: Bytes): void => {
      for (let at = address; at < address + size; at++) this.#awaited.add(at);
    };
    cells.forEach(add);
    for (let size = -1; size !== this.#awaited.size;) {
      ({ size } = this.#awaited);
      for (const { address, sizes } of this.#cells.values()) {
        const cell = { address, size: Math.max(...sizes) };
        if (this.isAwaited(cell)) add(cell);
      }
    }
    if (this.#awaited.size > before) this.#version += 1;
  }

  /**
   * Returns the possible values, found so far, of the operand of an instruction with the text
   * `site` (`questionSite`); `undefined` if none is known.
   */
  valuesAt(site: string): AddressSet | undefined {
    return this.#values.get(site);
  }

  /**
   * Notes possible values of the operand of an instruction with the text `site` (`questionSite`).
   */
  noteValues(site: string, found: AddressSet): void {
    const known = this.#values.get(site);
    if (known === 'any') return;
    const all = found === 'any' ? found : [...new Set([...(known ?? []), ...found])];
    if (known && all !== 'any' && all.length === known.length) return;
    this.#values.set(site, all === 'any' ? all : all.sort((one, other) => one - other));
    this.#version += 1;
  }

  /**
   * Whether the instruction with the text `site` (`questionSite`) is lowered separately for each
   * address.
   */
  isAsked(site: string): boolean {
    return this.#asked.has(site);
  }

  /**
   * Requests that an instruction be lowered separately for each address. Returns false, without any
   * change, if it was requested before.
   */
  ask(site: string): boolean {
    if (this.#asked.has(site)) return false;
    this.#asked.add(site);
    this.#hasNewWholes = true;
    this.#version += 1;
    return true;
  }

  /**
   * Whether the instruction with the text `site` (`questionSite`) may access an address that is no
   * multiple of the alignment.
   */
  isMisaligned(site: string): boolean {
    return this.#misaligned.has(site);
  }

  /**
   * Notes that the instruction with the text `site` (`questionSite`) may access an address that is
   * no multiple of the alignment.
   */
  noteMisaligned(site: string): void {
    if (this.#misaligned.has(site)) return;
    this.#misaligned.add(site);
    this.#version += 1;
  }

  /** Whether the instruction with the text `site` (`questionSite`) removes tags from pointers. */
  isTagSum(site: string): boolean {
    return this.#tagSums.has(site);
  }

  /** Notes that an instruction removes tags from pointers. */
  noteTagSum(site: string): void {
    if (this.#tagSums.has(site)) return;
    this.#tagSums.add(site);
    this.#version += 1;
  }

  /**
   * If an access has an unknown address, requests the values of the pointers from which elements
   * are computed, so that elements stay in the objects of the pointers, and starts again.
   */
  askBases(): void {
    if (this.asksBases || !this.isAnyAnywhere) return;
    this.asksBases = true;
    this.#hasNewWholes = true;
    this.startAgain();
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
   * Whether the bytes overlap a cell stored to by this thread, accessed by no other thread, and
   * accessed by code outside the library's headers.
   */
  storesAlone(thread: number, address: number, size: number): boolean {
    for (let at = address - largestCell + 1; at < address + size; at++) {
      const cell = this.#cells.get(at);
      if (!cell?.isStored || at + Math.max(...cell.sizes) <= address) continue;
      if (this.isShown(at) && this.kindOf(thread, at) === 'own') return true;
    }
    return false;
  }

  /** Whether another thread may access the cell. */
  isOfOthers(thread: number, address: number): boolean {
    const { threads = [] } = this.#cells.get(address) ?? {};
    return this.#anywhere.size > 0 || [...threads].some((each) => each !== thread);
  }

  /**
   * The kind of a cell for a thread: `own` if only this thread accesses it, `constant` if no thread
   * stores to it, otherwise shared `memory`.
   */
  kindOf(thread: number, address: number): 'own' | 'constant' | 'memory' {
    if (this.#awaited.has(address)) return 'memory';
    const cell = this.#cells.get(address);
    const isComputed = this.#anywhere.size > 0 || cell?.isComputed === true;
    const isOthers = [...(cell?.threads ?? [])].some((each) => each !== thread);
    if (!isComputed && !isOthers) return 'own';
    return this.storesAnywhere || cell?.isStored === true ? 'memory' : 'constant';
  }
}
