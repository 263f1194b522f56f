import { atEachAddress, questionSite } from './asked-values.js';
import {
  areMeeting,
  areSomeOutside,
  inOrder,
  insideOf,
  piecesOf,
  withOthers,
  withPadding,
} from './cell-parts.js';
import type { Room } from './computed-lengths.js';
import { shownName } from './image.js';
import { innermost } from './lowering-state.js';
import type { Lowering } from './lowering.js';
import type { MemoryObject } from './memory.js';
import type { IrFunction, IrOperationOf, IrType } from './syntax.js';
import { largestCell } from './facts.js';
import { severalSizes, unknownAddress, Unsupported } from './unsupported.js';
import {
  addressValue,
  type CellPart,
  type IntegerPieces,
  nothing,
  numberValue,
  type LoweredValue,
} from './value.js';
import { cellsWithin, largestOwnCell } from './own-cells.js';

/** The kind of an access (plain, volatile or atomic), and its memory order if it is atomic. */
export type AccessManner = Pick<IrOperationOf<'load'>, 'access' | 'order'>;

export function mannerOf({ access, order }: AccessManner): AccessManner {
  return { access, ...(order && { order }) };
}

/** Accesses to single cells, from which accesses to several cells are built. */
export interface CellAccess {
  readonly lowering: Lowering;
  /** Returns the object around the bytes; the execution faults outside of objects. */
  readonly objectAt: (address: number, size: number) => MemoryObject;
  readonly load: (
    type: IrType,
    address: LoweredValue,
    how: AccessManner,
    part: string,
  ) => LoweredValue;
  /** The loaded value, which may be uninitialised. */
  readonly read: (
    type: IrType,
    address: LoweredValue,
    how: AccessManner,
    part: string,
  ) => LoweredValue;
  readonly store: (
    type: IrType,
    address: LoweredValue,
    value: LoweredValue,
    how: AccessManner,
  ) => void;
  /** Makes a cell uninitialised, as by a copy of a partly initialised structure. */
  readonly storeNoValue: (address: number, size: number) => void;
  /**
   * Removes the cells of an object from the cells of this thread alone (cells with known contents).
   */
  readonly forget: (object: MemoryObject) => void;
  /** The cells of the block that a pointer is known to point to; otherwise `undefined`. */
  readonly cellsOfBlock: (pointer: LoweredValue) => readonly CellPart[] | undefined;
}

/**
 * The type, with an integer of an odd number of bytes (3, 5, 6, 7) replaced by an array of bytes.
 * Locals of such types hold structures that calls pass.
 */
export function asBytesIfOdd(type: IrType): IrType {
  if (type.kind !== 'int' || type.bits <= 8 || Number.isInteger(Math.log2(type.bits))) return type;
  const length = Math.ceil(type.bits / 8);
  return { kind: 'array', length, element: { kind: 'int', bits: 8 } };
}

/** Accesses of a thread to several cells at once: structures, and bytes that are copied or set. */
export class BytesAccess {
  constructor(readonly access: CellAccess) {}

  get lowering(): Lowering {
    return this.access.lowering;
  }

  get #world() {
    return this.lowering.round.world;
  }

  get #cells() {
    return this.lowering.state.cells;
  }

  /** Loads a structure or an array part by part; returns `undefined` for a type without parts. */
  loadFields(
    type: IrType,
    address: LoweredValue,
    how: AccessManner,
    part: string,
  ): LoweredValue | undefined {
    const fields = this.#world.image.layout.partsOf(type);
    const parts = fields?.map((field, i) =>
      this.access.load(field.type, this.#offset(address, field.offset), how, `${part}.${i}`),
    );
    return parts && { kind: 'parts', parts };
  }

  /** Stores a structure or an array part by part; returns false for a type without parts. */
  storeFields(
    type: IrType,
    address: LoweredValue,
    value: LoweredValue,
    how: AccessManner,
  ): boolean {
    const fields = this.#world.image.layout.partsOf(type);
    const parts = value.kind === 'parts' ? value.parts : [];
    for (const [i, { type: part, offset }] of fields?.entries() ?? [])
      this.access.store(part, this.#offset(address, offset), parts[i] ?? nothing, how);
    return fields !== undefined;
  }

  /** Whether only this thread accesses the cells. */
  #areOwn(address: number, cells: readonly CellPart[]): boolean {
    const { facts } = this.#world;
    const { thread } = this.lowering;
    return cells.every(({ offset }) => facts.kindOf(thread, address + offset) === 'own');
  }

  /**
   * The fields of the object's type that overlap the bytes; `undefined` for an object without a
   * type.
   */
  #fieldsAt(address: number, size: number): readonly CellPart[] | undefined {
    const object = this.access.objectAt(address, size);
    const start = address - object.address;
    return (
      object.type &&
      this.#world.image.layout
        .scalarsWithin(object.type, start, start + size)
        .flatMap((each) =>
          piecesOf({ offset: each.offset - start, size: each.size }, largestOwnCell),
        )
    );
  }

  /**
   * The cells of bytes that an instruction accesses as one integer, if they are several cells of
   * the thread or several fields of a structure: calls pass small structures as integers.
   * `undefined` if the bytes are one cell, or if no division into cells is known.
   */
  cellsOf(address: number, size: number): readonly CellPart[] | undefined {
    const own = cellsWithin(this.#cells, address, size).map(([at, cell]): CellPart => ({
      offset: at - address,
      size: cell.size,
    }));
    const isInside = ({ offset, size: part }: CellPart): boolean =>
      offset >= 0 && offset + part <= size;
    const isWhole = ({ offset, size: part }: CellPart): boolean => offset === 0 && part === size;
    if (own.some(isWhole)) return undefined;
    const all = { offset: 0, size };
    const fields = this.#fieldsAt(address, size);
    if (own.length === 0) {
      if (size > largestOwnCell && !fields?.every(isInside)) return piecesOf(all, largestOwnCell);
      if (!fields) return undefined;
      // An array of single bytes may be storage for anything.
      const areFields = fields.some(({ size: part }) => part > 1) && fields.every(isInside);
      return areFields && !fields.some(isWhole) ? withPadding(fields, size) : undefined;
    }
    // Fields that the thread did not set keep their initial values or stay uninitialised.
    const isFree = (cell: CellPart): boolean =>
      isInside(cell) && !own.some((each) => areMeeting(each, cell));
    const others = (fields ?? [all]).flatMap((field) =>
      isFree(field) && fields ? [field] : piecesOf(field, 1).filter(isFree),
    );
    return withPadding([...own, ...others], size);
  }

  /** Whether the bytes are one field of a structure, or a variable. */
  isField(address: number, size: number): boolean {
    const fields = this.#fieldsAt(address, size) ?? [];
    return fields.some(({ offset, size: part }) => offset === 0 && part === size);
  }

  /**
   * The fields into which an integer stored to the bytes is split; `undefined` if the bytes should
   * be one cell, or if other threads access the fields.
   */
  finerCells(address: number, size: number): readonly CellPart[] | undefined {
    const fields = this.#fieldsAt(address, size) ?? piecesOf({ offset: 0, size }, largestOwnCell);
    const isFiner = ({ offset, size: part }: CellPart): boolean =>
      offset >= 0 && offset + part <= size && part < size;
    // An array of single bytes may be storage for anything.
    const areFields = fields.some(({ size: part }) => part > 1) && fields.every(isFiner);
    if (!areFields) return undefined;
    return this.#areOwn(address, fields) ? fields : undefined;
  }

  loadCells(
    from: LoweredValue,
    size: number,
    cells: readonly CellPart[],
    part: string,
  ): LoweredValue {
    const parts = cells.map((cell, i) =>
      cell.isPadding
        ? numberValue(0)
        : this.#loadPart(from, cell.offset, cell.size, `${part}.${i}`),
    );
    const isTorn = this.#isTorn(from, size, cells);
    return { kind: 'parts', parts, integer: { size, cells, ...(isTorn && { isTorn }) } };
  }

  /** Whether another thread may store to the bytes between the loads of the single cells. */
  #isTorn(from: LoweredValue, size: number, cells: readonly CellPart[]): boolean {
    if (from.kind !== 'number') return true;
    const start = Number(from.number);
    const { facts } = this.#world;
    const { thread } = this.lowering;
    const isShared = ({ offset, isPadding }: CellPart): boolean =>
      !isPadding && facts.kindOf(thread, start + offset) === 'memory';
    return (
      cells.some(isShared) ||
      cellsWithin(this.#cells, start, size).some(([, { isTorn }]) => isTorn === true)
    );
  }

  /** Sets bytes, cell by cell. */
  fill(to: LoweredValue, byte: LoweredValue, length: LoweredValue): void {
    const size = this.lengthOf(length);
    if (size === 0) return;
    if (byte.kind !== 'number')
      throw new Unsupported('the byte that memset stores has to be known');
    if (!this.#isKnown(to)) {
      this.#atEach(to, size, '.to', (known) => {
        this.fill(known, byte, length);
      });
      return;
    }
    const pattern = BigInt.asUintN(8, byte.number);
    const cells = this.#partition(to, size);
    this.#noteUnnamed([to], size, cells);
    for (const { offset, size: part } of cells) {
      let value = 0n;
      for (let i = 0; i < part; i++) value = (value << 8n) | pattern;
      this.#storePart(to, offset, part, numberValue(BigInt.asIntN(8 * part, value)));
    }
  }

  /** Makes bytes at a known address uninitialised, cell by cell. */
  forget(to: LoweredValue, size: number): void {
    if (to.kind !== 'number') throw new Unsupported('the address of a text has to be known');
    for (const { offset, size: part } of this.#partition(to, size))
      this.access.storeNoValue(Number(to.number) + offset, part);
  }

  /**
   * Copies bytes cell by cell, as compilers do: a cell is stored before the next is loaded. `part`
   * distinguishes the copies of one instruction.
   */
  copy(to: LoweredValue, from: LoweredValue, length: LoweredValue, part = ''): void {
    const size = this.lengthOf(length);
    if (
      size === 0 ||
      this.#isAsked(to, from, size, (...known) => {
        this.copy(...known, length, part);
      })
    )
      return;
    for (const [i, cell] of this.#copied(to, from, size).entries()) {
      const value = this.#loadPart(from, cell.offset, cell.size, `${part}.${i}`);
      this.#storeParts(to, [cell], [value]);
    }
  }

  /** Copies bytes that may overlap: all cells are loaded before the first is stored. */
  move(to: LoweredValue, from: LoweredValue, length: LoweredValue): void {
    const size = this.lengthOf(length);
    if (
      size === 0 ||
      this.#isAsked(to, from, size, (...known) => {
        this.move(...known, length);
      })
    )
      return;
    const cells = this.#copied(to, from, size);
    const values = cells.map(({ offset, size: part }, i) =>
      this.#loadPart(from, offset, part, `.${i}`),
    );
    this.#storeParts(to, cells, values);
  }

  /**
   * Whether the division of the bytes at the address into cells is known: the address is a number,
   * or the address points to a block with known cells and the instruction is not lowered separately
   * for each address.
   */
  #isKnown(address: LoweredValue): boolean {
    if (address.kind === 'number') return true;
    return !this.#isEachAsked && this.access.cellsOfBlock(address) !== undefined;
  }

  get #isEachAsked(): boolean {
    return this.#world.facts.isAsked(questionSite(this.lowering));
  }

  #atEach(
    address: LoweredValue,
    size: number,
    part: string,
    run: (address: LoweredValue) => void,
  ): void {
    atEachAddress(this.lowering, address, size, part, (known) => {
      run(known);
      return nothing;
    });
  }

  /**
   * Copies by `run` separately for each value of a computed address, if the cells to copy depend on
   * the address. Returns whether the bytes were copied.
   */
  #isAsked(
    to: LoweredValue,
    from: LoweredValue,
    size: number,
    run: (to: LoweredValue, from: LoweredValue) => void,
  ): boolean {
    const [isTo, isFrom] = [this.#isKnown(to), this.#isKnown(from)];
    const hasType = this.#hasType(to, size) || (isFrom && this.#hasType(from, size));
    if ((isTo && isFrom) || (hasType && !this.#isEachAsked)) return false;
    if (!isFrom)
      this.#atEach(from, size, '.from', (known) => {
        run(to, known);
      });
    else
      this.#atEach(to, size, '.to', (known) => {
        run(known, from);
      });
    return true;
  }

  #hasType(address: LoweredValue, size: number): boolean {
    return (
      address.kind === 'number' &&
      this.access.objectAt(Number(address.number), size).type !== undefined
    );
  }

  /** By number of the parameter, the objects that hold copies of arguments passed by value. */
  copiesForCall(of: IrFunction, given: readonly LoweredValue[]): ReadonlyMap<number, MemoryObject> {
    return new Map(
      of.parameters.flatMap(({ byValue, name }, i): [number, MemoryObject][] => {
        const from = given[i];
        if (!byValue || !from) return [];
        const { linked } = this.#world;
        const shown = shownName(linked, /^[0-9]+$/.test(name) ? 'argument' : name);
        return [[i, this.#copyForCall(byValue, from, shown, i)]];
      }),
    );
  }

  #copyForCall(type: IrType, from: LoweredValue, name: string, index: number): MemoryObject {
    const { lowering } = this;
    const frame = innermost(lowering.state);
    const size = this.#world.image.layout.sizeOf(type);
    const key = `${lowering.thread}:${frame.path}:${frame.block}.${frame.next}:copy${index}`;
    const object = this.#world.object(key, name, size, { type });
    this.access.forget(object);
    this.copy(numberValue(object.address), from, numberValue(size), `.copy${index}`);
    return object;
  }

  #storeParts(to: LoweredValue, cells: readonly CellPart[], values: readonly LoweredValue[]): void {
    cells.forEach(({ offset, size }, i) => {
      const value = values[i]!;
      if (value.kind !== 'undefined') this.#storePart(to, offset, size, value);
      else if (to.kind === 'number') this.access.storeNoValue(Number(to.number) + offset, size);
      else throw new Unsupported('an uninitialised value is stored');
    });
  }

  /** Stores an integer consisting of several cells; afterwards the bytes consist of these cells. */
  storeCells(
    to: LoweredValue,
    { size, cells, isTorn }: IntegerPieces,
    values: readonly LoweredValue[],
  ): void {
    if (to.kind !== 'number') throw severalSizes('a structure');
    const start = Number(to.number);
    for (const [at, own] of cellsWithin(this.#cells, start, size)) {
      // Bytes that no part covers are padding or were uninitialised in the source.
      const isKept = cells.some(
        ({ offset, size: part }) => start + offset === at && part === own.size,
      );
      if (isKept) this.#cells.set(at, { size: own.size, value: nothing });
      else this.#cells.delete(at);
    }
    // Padding is stored only to bytes that the thread alone accesses.
    cells.forEach((cell, i) => {
      const isOwn = this.#areOwn(start, [cell]);
      if (!cell.isPadding || isOwn) this.#storeParts(to, [cell], [values[i]!]);
      if (isTorn && isOwn)
        for (const [at, own] of cellsWithin(this.#cells, start + cell.offset, cell.size))
          this.#cells.set(at, { ...own, isTorn });
    });
  }

  /**
   * The cells of the bytes to copy: the cells of the target if its object has a type, else of the
   * source if its object has a type, else the known cells of both (blocks of `malloc`). An atomic
   * cell replaces its parts.
   */
  #copied(to: LoweredValue, from: LoweredValue, size: number): readonly CellPart[] {
    const fields = this.#fieldsCopied(to, from, size);
    this.#noteUnnamed([to, from], size, fields);
    return this.#withWholes(to, from, size, fields);
  }

  /**
   * Notes that an instruction copies or sets bytes that belong to no known cell of an object
   * without a type.
   */
  #noteUnnamed(addresses: readonly LoweredValue[], size: number, cells: readonly CellPart[]): void {
    const { round, thread } = this.lowering;
    if (addresses.some((address) => this.#hasType(address, size))) return;
    if (!areSomeOutside(cells, size)) return;
    for (const address of addresses)
      round.unnamed.note(
        thread,
        address.kind === 'number'
          ? this.access.objectAt(Number(address.number), size).address
          : 'unknown',
      );
  }

  #fieldsCopied(to: LoweredValue, from: LoweredValue, size: number): readonly CellPart[] {
    if (this.#hasType(to, size)) return this.#partition(to, size);
    const parts = this.#partition(from, size);
    if (this.#hasType(from, size)) return parts;
    const both = [...parts, ...this.#partition(to, size)];
    return inOrder([
      ...new Map(both.map((part) => [`${part.offset}:${part.size}`, part])).values(),
    ]);
  }

  /**
   * The given cells, with atomically accessed cells of source or target in place of the cells
   * inside them.
   */
  #withWholes(
    to: LoweredValue,
    from: LoweredValue,
    size: number,
    cells: readonly CellPart[],
  ): readonly CellPart[] {
    const wholes = [to, from].flatMap((address) => {
      if (address.kind !== 'number') return [];
      const start = Number(address.number);
      return this.#world.facts
        .wholesWithin(start, size)
        .filter((whole) => whole.address >= start && whole.address + whole.size <= start + size)
        .map((whole): CellPart => ({ offset: whole.address - start, size: whole.size }));
    });
    return wholes.reduce((all, whole) => {
      const inside = all.filter((cell) => areMeeting(cell, whole));
      const isCut = ({ offset, size: part }: CellPart): boolean =>
        offset < whole.offset || offset + part > whole.offset + whole.size;
      if (inside.length === 0 || inside.some(isCut)) return all;
      const others = all.filter((cell) => !inside.includes(cell));
      return inOrder([...others, whole]);
    }, cells);
  }

  /**
   * For each known address, the rest of its object from the address on; computed addresses are left
   * out.
   */
  rooms(addresses: readonly LoweredValue[]): readonly Room[] {
    return addresses.flatMap((address): Room[] => {
      if (address.kind !== 'number') return [];
      const start = Number(address.number);
      const object = this.access.objectAt(start, 0);
      const size = object.address + object.size - start;
      return [{ size, cells: this.#cellsIn(object, start, size) }];
    });
  }

  /** The cells in `size` bytes of an object, with their offsets from `start`. */
  #cellsIn(object: MemoryObject, start: number, size: number): readonly CellPart[] {
    const { facts, image } = this.#world;
    const from = start - object.address;
    const cellAt = (address: number, bytes: number): CellPart => ({
      offset: address - start,
      size: bytes,
    });
    if (object.type)
      return image.layout
        .scalarsWithin(object.type, from, from + size)
        .map((each) => cellAt(object.address + each.offset, each.size));
    const known = [...facts.cells.values()]
      .filter(({ address }) => address < start + size && address + largestCell > start)
      .map((each) => cellAt(each.address, Math.max(...each.sizes)))
      .filter((each) => each.offset + each.size > 0);
    const early = facts
      .earlyWithin({ address: start, size })
      .map((each) => cellAt(each.address, each.size));
    // The accesses were found in any order.
    return inOrder(withOthers(known, early));
  }

  lengthOf(length: LoweredValue): number {
    if (length.kind === 'number') return Number(length.number);
    throw new Unsupported('the number of bytes copied or set has to be known');
  }

  /** The cells of `size` bytes, with offsets from `address`. */
  #partition(address: LoweredValue, size: number): readonly CellPart[] {
    const block = this.access.cellsOfBlock(address);
    if (block) return insideOf(block, size, 'block');
    if (address.kind !== 'number') throw unknownAddress();
    const start = Number(address.number);
    const object = this.access.objectAt(start, size);
    this.lowering.spend(Math.floor(size / largestOwnCell));
    return insideOf(this.#cellsIn(object, start, size), size, object.name);
  }

  #offset(address: LoweredValue, by: number): LoweredValue {
    return addressValue('add', address, numberValue(by));
  }

  #storePart(to: LoweredValue, offset: number, size: number, value: LoweredValue): void {
    const type: IrType = { kind: 'int', bits: 8 * size };
    this.access.store(type, this.#offset(to, offset), value, { access: 'plain' });
  }

  #loadPart(from: LoweredValue, offset: number, size: number, part: string): LoweredValue {
    const type: IrType = { kind: 'int', bits: 8 * size };
    return this.access.read(type, this.#offset(from, offset), { access: 'plain' }, part);
  }
}
