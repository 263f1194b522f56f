import type { AccessKind } from '../../program/program.js';
import { registerValue } from '../../program/expression.js';
import { innermost } from './lowering-state.js';
import type { Lowering } from './lowering.js';
import type { MemoryObject } from './memory.js';
import type { IrOperation, IrType } from './syntax.js';
import { severalSizes, Unsupported } from './unsupported.js';
import {
  addressValue,
  type CellPart,
  nothing,
  numberValue,
  toExpression,
  type Value,
} from './value.js';

/** The size of the largest cell. */
export const largestCell = 8;

type StoreKind = Pick<Extract<IrOperation, { readonly kind: 'store' }>, 'access' | 'isLocked'>;

/** The accesses to single cells that those to several are made of. */
export interface CellAccess {
  readonly lowering: Lowering;
  /** The object in which the bytes lie; where there is none, the execution faults. */
  readonly objectAt: (address: number, size: number) => MemoryObject;
  /** What a cell holds, where that is known without an access. */
  readonly known: (address: number, size: number, bits: number) => Value | undefined;
  readonly load: (type: IrType, address: Value, access: AccessKind, part: string) => Value;
  readonly store: (type: IrType, address: Value, value: Value, how: StoreKind) => void;
  /** A cell gets what has no value, as where a structure is copied only some of which was set. */
  readonly storeNoValue: (address: number, size: number) => void;
  /** What was in an object is there no more. */
  readonly forget: (object: MemoryObject) => void;
  /** The cells of the block that a pointer is to, where it is known to be to one. */
  readonly cellsOfBlock: (pointer: Value) => readonly CellPart[] | undefined;
}

/**
 * The type, or the bytes of an integer of 3 or 5 to 7 bytes: locals of such types are there for
 * structures that calls pass.
 */
export function asBytesIfOdd(type: IrType): IrType {
  if (type.kind !== 'int' || type.bits <= 8 || Number.isInteger(Math.log2(type.bits))) return type;
  const length = Math.ceil(type.bits / 8);
  return { kind: 'array', length, element: { kind: 'int', bits: 8 } };
}

/** The accesses of a thread to several cells at once: structures, bytes that are copied or set. */
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

  /** A structure or an array, part by part; `undefined` for what has no parts. */
  loadFields(type: IrType, address: Value, access: AccessKind, part: string): Value | undefined {
    const fields = this.#world.image.layout.partsOf(type);
    const parts = fields?.map((field, i) =>
      this.access.load(field.type, this.#offset(address, field.offset), access, `${part}.${i}`),
    );
    return parts && { kind: 'parts', parts };
  }

  /** Stores a structure or an array part by part; false for what has no parts. */
  storeFields(type: IrType, address: Value, value: Value, how: StoreKind): boolean {
    const fields = this.#world.image.layout.partsOf(type);
    const parts = value.kind === 'parts' ? value.parts : [];
    for (const [i, { type: part, offset }] of fields?.entries() ?? [])
      this.access.store(part, this.#offset(address, offset), parts[i] ?? nothing, how);
    return fields !== undefined;
  }

  /** The cells of this thread alone that have bytes of these. */
  #ownCellsAt(address: number, size: number): readonly CellPart[] {
    const found: CellPart[] = [];
    for (let at = address - largestCell + 1; at < address + size; at++) {
      const cell = this.#cells.get(at);
      if (cell && at + cell.size > address) found.push({ offset: at - address, size: cell.size });
    }
    return found;
  }

  /**
   * The cells of bytes that are accessed as one integer though they are several fields of a
   * structure: calls pass small structures so. `undefined` where they are one cell, or cut some.
   */
  cellsOf(address: number, size: number): readonly CellPart[] | undefined {
    const own = this.#ownCellsAt(address, size);
    const isInside = ({ offset, size: part }: CellPart): boolean =>
      offset >= 0 && offset + part <= size;
    const isWhole = ({ offset, size: part }: CellPart): boolean => offset === 0 && part === size;
    if (!own.every(isInside) || own.some(isWhole)) return undefined;
    const object = this.access.objectAt(address, size);
    const start = address - object.address;
    const fields = object.type
      ? this.#world.image.layout
          .scalarsWithin(object.type, start, start + size)
          .map((each) => ({ offset: each.offset - start, size: each.size }))
      : [];
    if (own.length === 0) {
      // Bytes that no field has a name for may be room for anything.
      const areFields = fields.some(({ size: part }) => part > 1) && fields.every(isInside);
      return areFields && !fields.some(isWhole) ? fields : undefined;
    }
    const others = fields.filter(
      (field) =>
        isInside(field) &&
        own.every(
          ({ offset, size: part }) =>
            offset + part <= field.offset || field.offset + field.size <= offset,
        ),
    );
    return [...own, ...others].sort((one, other) => one.offset - other.offset);
  }

  loadCells(from: Value, cells: readonly CellPart[], part: string): Value {
    const parts = cells.map(({ offset, size }, i) =>
      this.#loadPart(from, offset, size, `${part}.${i}`),
    );
    return { kind: 'parts', parts, cells };
  }

  /** Sets or copies bytes, cell by cell. */
  fill(to: Value, byte: Value, length: Value): void {
    const size = this.lengthOf(length);
    if (size === 0) return;
    if (byte.kind !== 'number') throw new Unsupported('memset of a byte that is not known');
    const pattern = BigInt.asUintN(8, byte.number);
    for (const { offset, size: part } of this.#partition(to, size)) {
      let value = 0n;
      for (let i = 0; i < part; i++) value = (value << 8n) | pattern;
      this.#storePart(to, offset, part, numberValue(BigInt.asIntN(8 * part, value)));
    }
  }

  /**
   * Copies bytes, cell by cell, as compilers do: a cell is stored before the next is loaded. `part`
   * tells several copies of one instruction apart.
   */
  copy(to: Value, from: Value, length: Value, part = ''): void {
    const size = this.lengthOf(length);
    if (size === 0) return;
    for (const [i, cell] of this.#copied(to, from, size).entries()) {
      const value = this.#loadPart(from, cell.offset, cell.size, `${part}.${i}`);
      this.#storeParts(to, [cell], [value]);
    }
  }

  /** Copies bytes that may overlap: all are loaded first. */
  move(to: Value, from: Value, length: Value): void {
    const size = this.lengthOf(length);
    if (size === 0) return;
    const cells = this.#copied(to, from, size);
    const values = cells.map(({ offset, size: part }, i) =>
      this.#loadPart(from, offset, part, `.${i}`),
    );
    this.#storeParts(to, cells, values);
  }

  /** A copy for a function that gets what an address leads to by value; its address. */
  copyForCall(type: IrType, from: Value, name: string, index: number): MemoryObject {
    const { lowering } = this;
    const frame = innermost(lowering.state);
    const size = this.#world.image.layout.sizeOf(type);
    const key = `${lowering.thread}:${frame.path}:${frame.block}.${frame.next}:copy${index}`;
    const object = this.#world.object(key, name, size, { type });
    this.access.forget(object);
    this.copy(numberValue(object.address), from, numberValue(size), `.copy${index}`);
    return object;
  }

  #storeParts(to: Value, cells: readonly CellPart[], values: readonly Value[]): void {
    cells.forEach(({ offset, size }, i) => {
      const value = values[i]!;
      if (value.kind !== 'undefined') this.#storePart(to, offset, size, value);
      else if (to.kind === 'number') this.access.storeNoValue(Number(to.number) + offset, size);
      else throw new Unsupported('a value that is not defined is stored');
    });
  }

  /** Stores an integer that is several cells: those become the cells of these bytes. */
  storeCells(to: Value, size: number, cells: readonly CellPart[], values: readonly Value[]): void {
    if (to.kind !== 'number') throw severalSizes('a structure');
    const start = Number(to.number);
    for (const own of this.#ownCellsAt(start, size)) {
      const at = start + own.offset;
      if (own.offset < 0 || own.offset + own.size > size)
        throw severalSizes(this.access.objectAt(start, size).name);
      // What no part covers is padding, or was not defined where it comes from.
      this.#cells.set(at, { size: own.size, value: nothing });
      if (cells.every(({ offset, size: part }) => offset !== own.offset || part !== own.size))
        this.#cells.delete(at);
    }
    this.#storeParts(to, cells, values);
  }

  /**
   * The cells of so many bytes that are copied. Where neither object has a type, as from `malloc`,
   * they are those that are known of either.
   */
  #copied(to: Value, from: Value, size: number): readonly CellPart[] {
    const hasType = (address: Value): boolean =>
      address.kind === 'number' &&
      this.access.objectAt(Number(address.number), size).type !== undefined;
    if (hasType(to)) return this.#partition(to, size);
    const parts = this.#partition(from, size);
    if (hasType(from)) return parts;
    if (to.kind !== 'number' && !this.access.cellsOfBlock(to))
      throw new Unsupported(
        'a block of memory is copied to an address that is not known',
        'assign the parts one by one',
      );
    const both = [...parts, ...this.#partition(to, size)];
    return [...new Map(both.map((part) => [`${part.offset}:${part.size}`, part])).values()];
  }

  lengthOf(length: Value): number {
    if (length.kind === 'number') return Number(length.number);
    throw new Unsupported('how many bytes are copied or set has to be known');
  }

  /** The cells of so many bytes, with their distances from `address`. */
  #partition(address: Value, size: number): readonly CellPart[] {
    const block = this.access.cellsOfBlock(address);
    if (block) return insideOf(block, size, 'block');
    if (address.kind !== 'number')
      throw new Unsupported(
        'bytes are copied or set at an address that is not known',
        'assign the parts one by one',
      );
    const start = Number(address.number);
    const object = this.access.objectAt(start, size);
    this.lowering.spend(Math.floor(size / largestCell));
    const { layout } = this.#world.image;
    const from = start - object.address;
    const cells = object.type
      ? layout
          .scalarsWithin(object.type, from, from + size)
          .map((each) => ({ offset: each.offset - from, size: each.size }))
      : [...this.#world.facts.cells.values()].map((each) => ({
          offset: each.address - start,
          size: Math.max(...each.sizes),
        }));
    return insideOf(cells, size, object.name);
  }

  #offset(address: Value, by: number): Value {
    return addressValue('add', address, numberValue(by));
  }

  #storePart(to: Value, offset: number, size: number, value: Value): void {
    const type: IrType = { kind: 'int', bits: 8 * size };
    this.access.store(type, this.#offset(to, offset), value, { access: 'plain', isLocked: false });
  }

  #loadPart(from: Value, offset: number, size: number, part: string): Value {
    const address = this.#offset(from, offset);
    if (address.kind === 'number') {
      const at = Number(address.number);
      this.access.objectAt(at, size);
      const cells = this.cellsOf(at, size);
      if (cells) return this.loadCells(address, cells, part);
      const known = this.access.known(at, size, 8 * size);
      if (known) return known;
    }
    const into = this.lowering.resultRegister(part);
    this.lowering.emit({
      kind: 'load',
      into,
      address: toExpression(address),
      size,
      access: 'plain',
    });
    return { kind: 'expression', expression: registerValue(into) };
  }
}

/** The cells inside of so many bytes of what has the name, none of which may be cut. */
function insideOf(cells: readonly CellPart[], size: number, name: string): readonly CellPart[] {
  const inside = cells.filter(({ offset, size: part }) => offset + part > 0 && offset < size);
  if (inside.some(({ offset, size: part }) => offset < 0 || offset + part > size))
    throw new Unsupported(`a part of '${name}' is copied or set, which cuts a cell`);
  return inside;
}
