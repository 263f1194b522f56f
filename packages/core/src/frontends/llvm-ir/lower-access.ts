import { binary, constant, registerValue, type Expression } from '../../program/expression.js';
import type { AccessKind } from '../../program/program.js';
import { bitsOf } from './constants.js';
import { shownName } from './image.js';
import { innermost, instructionAt } from './lowering-state.js';
import type { Lowering } from './lowering.js';
import type { MemoryObject } from './memory.js';
import type { IrOperation, IrType } from './syntax.js';
import { severalSizes, Unsupported } from './unsupported.js';
import {
  addressValue,
  binaryValue,
  type CellPart,
  compareValues,
  expressionValue,
  nothing,
  numberValue,
  toExpression,
  type Value,
} from './value.js';
import { wrapped } from './arithmetic.js';

type StoreKind = Pick<Operation<'store'>, 'access' | 'isLocked'>;
type Operation<K extends IrOperation['kind']> = Extract<IrOperation, { readonly kind: K }>;

/** The size of the largest cell. */
const largestCell = 8;
/** Blocks of `malloc` that a thread of unrolled code may get from a call: each has its own. */
const mostUnrolledBlocks = 64;

/**
 * The type, or the bytes of an integer of 3 or 5 to 7 bytes: locals of such types are there for
 * structures that calls pass.
 */
function asBytesIfOdd(type: IrType): IrType {
  if (type.kind !== 'int' || type.bits <= 8 || Number.isInteger(Math.log2(type.bits))) return type;
  const length = Math.ceil(type.bits / 8);
  return { kind: 'array', length, element: { kind: 'int', bits: 8 } };
}

/** The accesses of a thread to memory. */
export class MemoryAccess {
  constructor(readonly lowering: Lowering) {}

  get #world() {
    return this.lowering.round.world;
  }

  get #cells() {
    return this.lowering.state.cells;
  }

  /** The address of a new local of the current instruction. */
  allocate(type: IrType, count: number): Value {
    const { lowering } = this;
    const frame = innermost(lowering.state);
    const { layout } = this.#world.image;
    const { result = 'local', variable } = instructionAt(frame);
    const key = `${lowering.thread}:${frame.path}:${frame.block}.${frame.next}:${count}`;
    const each = asBytesIfOdd(type);
    const whole: IrType = count === 1 ? each : { kind: 'array', length: count, element: each };
    const name = shownName(this.#world.linked, result.replace(/\.addr$/, ''), variable);
    const size = layout.sizeOf(whole);
    const object = this.#world.object(key, name, size, { type: whole, variable });
    frame.objects.push(object);
    this.#forget(object);
    return numberValue(object.address);
  }

  /**
   * The local at the address has no value again, as far as this thread alone knows what it has:
   * memory that others see keeps it, as the machine does.
   */
  comesIntoBeing(address: Value): void {
    if (address.kind !== 'number') return;
    const object = this.#world.image.memory.objectAt(Number(address.number), 1);
    if (!object) return;
    for (const [cell, { size }] of [...this.#cells])
      if (cell >= object.address && cell < object.address + object.size) {
        // What was stored before there were threads would be there otherwise.
        if (this.lowering.round.initialValue(cell, size) === undefined) this.#cells.delete(cell);
        else this.#cells.set(cell, { size, value: nothing });
      }
  }

  /** What was in an object is there no more. */
  #forget({ address, size }: MemoryObject): void {
    for (const cell of [...this.#cells.keys()])
      if (cell >= address && cell < address + size) this.#cells.delete(cell);
  }

  /** The object in which the bytes lie; where there is none, the execution faults. */
  #objectAt(address: number, size: number): MemoryObject {
    return (
      this.#world.image.memory.objectAt(address, size) ??
      this.lowering.end({ kind: 'fault', reason: 'no-object' })
    );
  }

  #sizeAndBits(type: IrType): { readonly size: number; readonly bits: number } {
    return { bits: bitsOf(type), size: this.#world.image.layout.accessSizeOf(type) };
  }

  /** Structures are loaded part by part; `part` tells those of one instruction apart. */
  load(type: IrType, address: Value, access: AccessKind, part = ''): Value {
    const fields = this.#world.image.layout.partsOf(type);
    if (fields) {
      const parts = fields.map((field, i) =>
        this.load(field.type, this.#offset(address, field.offset), access, `${part}.${i}`),
      );
      return { kind: 'parts', parts };
    }
    const { size, bits } = this.#sizeAndBits(type);
    if (address.kind === 'number') {
      const at = Number(address.number);
      const { name } = this.#objectAt(at, size);
      const isInteger = access === 'plain' && type.kind === 'int';
      const cells = isInteger ? this.#cellsOf(at, size) : undefined;
      if (cells) return this.#loadCells(address, cells, part);
      const value = this.#known(at, size, bits);
      if (value) return this.#defined(value, name);
    }
    const into = this.lowering.resultRegister(part);
    this.lowering.emit({ kind: 'load', into, address: toExpression(address), size, access });
    return { kind: 'expression', expression: registerValue(into) };
  }

  /** The value, which has to be defined. */
  #defined(value: Value, name: string): Value {
    if (value.kind === 'undefined' || value.kind === 'parts')
      throw new Unsupported(
        `'${name}' is read before it has a value`,
        'give it one where it is declared',
      );
    if (value.kind !== 'maybe') return value;
    this.lowering.guard(value.defined, 'no-value');
    return expressionValue(value.expression);
  }

  /** What a cell holds, where that is known without an access. */
  #known(address: number, size: number, bits: number): Value | undefined {
    const { lowering } = this;
    const { facts } = this.#world;
    const { round, state, thread } = lowering;
    if (state.isTrunk && !facts.isLate(`load${address}`)) {
      const own = this.#ownCell(address, size);
      round.trunk.push({ kind: 'load', address, size, created: [...state.created] });
      return own ?? this.initialOf(address, size, bits);
    }
    facts.touch(thread, address, size, { isStored: false, isComputed: false });
    this.#notePlace(address, size);
    switch (facts.kindOf(thread, address)) {
      case 'own':
        return this.#ownCell(address, size) ?? this.initialOf(address, size, bits);
      case 'constant':
        return this.initialOf(address, size, bits);
      case 'memory':
        return undefined;
    }
  }

  #notePlace(address: number, size: number): void {
    this.#world.facts.notePlace(address, size, this.lowering.origin);
  }

  #ownCell(address: number, size: number): Value | undefined {
    this.#demandOneSize(address, size);
    return this.#cells.get(address)?.value;
  }

  /** Throws `Unsupported` where a cell of its own would be cut. */
  #demandOneSize(address: number, size: number): void {
    for (let at = address - largestCell + 1; at < address + size; at++) {
      const cell = this.#cells.get(at);
      if (!cell || at + cell.size <= address || (at === address && cell.size === size)) continue;
      throw severalSizes(this.#objectAt(address, size).name);
    }
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
  #cellsOf(address: number, size: number): readonly CellPart[] | undefined {
    const own = this.#ownCellsAt(address, size);
    const isInside = ({ offset, size: part }: CellPart): boolean =>
      offset >= 0 && offset + part <= size;
    const isWhole = ({ offset, size: part }: CellPart): boolean => offset === 0 && part === size;
    if (!own.every(isInside) || own.some(isWhole)) return undefined;
    const object = this.#objectAt(address, size);
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

  #loadCells(from: Value, cells: readonly CellPart[], part: string): Value {
    const parts = cells.map(({ offset, size }, i) =>
      this.#loadPart(from, offset, size, `${part}.${i}`),
    );
    return { kind: 'parts', parts, cells };
  }

  /** What a cell holds before there are threads. */
  initialOf(address: number, size: number, bits = 8 * size): Value {
    const number = this.lowering.round.initialValue(address, size);
    return number === undefined ? nothing : numberValue(wrapped(number, bits));
  }

  /** Structures are stored part by part. */
  store(type: IrType, address: Value, value: Value, how: StoreKind): void {
    const { access, isLocked } = how;
    const fields = this.#world.image.layout.partsOf(type);
    if (fields) {
      const parts = value.kind === 'parts' ? value.parts : [];
      for (const [i, { type: part, offset }] of fields.entries())
        this.store(part, this.#offset(address, offset), parts[i] ?? nothing, how);
      return;
    }
    const { size, bits } = this.#sizeAndBits(type);
    if (value.kind === 'parts' && value.cells) {
      if (access !== 'plain' || isLocked) throw severalSizes('a structure');
      this.#storeCells(address, size, value.cells, value.parts);
      return;
    }
    const stored = value.kind === 'number' ? numberValue(wrapped(value.number, bits)) : value;
    if (address.kind === 'number') {
      const at = Number(address.number);
      this.#objectAt(at, size);
      if (isLocked) this.#demand(address, size);
      else if (this.#keep(at, size, stored)) return;
    }
    this.lowering.emit({
      kind: 'store',
      address: toExpression(address),
      value: this.#storable(stored),
      size,
      access,
      isLocked,
    });
  }

  #storable(value: Value): Expression {
    if (value.kind === 'undefined') throw new Unsupported('a value that is not defined is stored');
    return toExpression(value);
  }

  /** Notes a store that nobody else can see; false where it has to be made. */
  #keep(address: number, size: number, value: Value): boolean {
    const { lowering } = this;
    const { facts } = this.#world;
    const { round, state, thread } = lowering;
    if (state.isTrunk && value.kind === 'number' && !facts.isLate(`store${address}`)) {
      this.#demandOneSize(address, size);
      round.trunk.push({ kind: 'store', address, size, created: [...state.created] });
      round.setInitial(address, size, value.number);
      this.#cells.set(address, { size, value });
      return true;
    }
    facts.touch(thread, address, size, { isStored: true, isComputed: false });
    this.#notePlace(address, size);
    if (facts.kindOf(thread, address) !== 'own') return false;
    this.#demandOneSize(address, size);
    this.#cells.set(address, { size, value });
    return true;
  }

  modify({ operation, operand }: Operation<'modify'>, address: Value): Value {
    const { lowering } = this;
    const { size, bits } = this.#sizeAndBits(operand.type);
    const by = lowering.value(operand);
    this.#demand(address, size);
    const into = lowering.resultRegister();
    lowering.emit({
      kind: 'modify',
      into,
      operation,
      bits,
      address: toExpression(address),
      operand: toExpression(by),
      size,
      isInLock: lowering.state.locks > 0,
    });
    return { kind: 'expression', expression: registerValue(into) };
  }

  exchangeIf({ expected, desired }: Operation<'exchange-if'>, address: Value): Value {
    const { lowering } = this;
    const { size } = this.#sizeAndBits(expected.type);
    const before = lowering.value(expected);
    const after = lowering.value({ type: expected.type, value: desired });
    this.#demand(address, size);
    const [old, success] = [lowering.resultRegister('.0'), lowering.resultRegister('.1')];
    lowering.emit({
      kind: 'exchange-if',
      old,
      success,
      address: toExpression(address),
      expected: toExpression(before),
      desired: toExpression(after),
      size,
      isInLock: lowering.state.locks > 0,
    });
    return {
      kind: 'parts',
      parts: [old, success].map((register) => expressionValue(registerValue(register))),
    };
  }

  /** A locked access is made in any case, for it empties the buffer. */
  #demand(address: Value, size: number): void {
    const { facts } = this.#world;
    const { thread } = this.lowering;
    if (address.kind !== 'number') return;
    const at = Number(address.number);
    this.#objectAt(at, size);
    facts.touch(thread, at, size, { isStored: true, isComputed: true });
    this.#notePlace(at, size);
  }

  /** Sets or copies bytes, cell by cell. */
  fill(to: Value, byte: Value, length: Value): void {
    const size = this.#lengthOf(length);
    if (size === 0) return;
    if (byte.kind !== 'number') throw new Unsupported('memset of a byte that is not known');
    const pattern = BigInt.asUintN(8, byte.number);
    for (const { offset, size: part } of this.#partition(to, size)) {
      let value = 0n;
      for (let i = 0; i < part; i++) value = (value << 8n) | pattern;
      this.#storePart(to, offset, part, numberValue(BigInt.asIntN(8 * part, value)));
    }
  }

  /** `part` tells several copies of one instruction apart. */
  copy(to: Value, from: Value, length: Value, part = ''): void {
    const size = this.#lengthOf(length);
    if (size === 0) return;
    const cells = this.#copied(to, from, size);
    const values = cells.map((cell, i) =>
      this.#loadPart(from, cell.offset, cell.size, `${part}.${i}`),
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
    this.#forget(object);
    this.copy(numberValue(object.address), from, numberValue(size), `.copy${index}`);
    return object;
  }

  #storeParts(to: Value, cells: readonly CellPart[], values: readonly Value[]): void {
    cells.forEach(({ offset, size }, i) => {
      const value = values[i]!;
      const isHere = to.kind === 'number';
      if (value.kind !== 'undefined') this.#storePart(to, offset, size, value);
      else if (isHere && this.#cells.has(Number(to.number) + offset))
        this.#cells.set(Number(to.number) + offset, { size, value });
    });
  }

  /** Stores an integer that is several cells: those become the cells of these bytes. */
  #storeCells(to: Value, size: number, cells: readonly CellPart[], values: readonly Value[]): void {
    if (to.kind !== 'number') throw severalSizes('a structure');
    const start = Number(to.number);
    for (const own of this.#ownCellsAt(start, size)) {
      const at = start + own.offset;
      if (own.offset < 0 || own.offset + own.size > size)
        throw severalSizes(this.#objectAt(start, size).name);
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
      address.kind === 'number' && this.#objectAt(Number(address.number), size).type !== undefined;
    if (hasType(to)) return this.#partition(to, size);
    const parts = this.#partition(from, size);
    if (hasType(from)) return parts;
    if (to.kind !== 'number')
      throw new Unsupported(
        'a block of memory is copied to an address that is not known',
        'assign the parts one by one',
      );
    const both = [...parts, ...this.#partition(to, size)];
    return [...new Map(both.map((part) => [`${part.offset}:${part.size}`, part])).values()];
  }

  #lengthOf(length: Value): number {
    if (length.kind === 'number') return Number(length.number);
    throw new Unsupported('how many bytes are copied or set has to be known');
  }

  /** The cells of so many bytes, with their distances from `address`. */
  #partition(address: Value, size: number): readonly CellPart[] {
    if (address.kind !== 'number')
      throw new Unsupported(
        'bytes are copied or set at an address that is not known',
        'assign the parts one by one',
      );
    const start = Number(address.number);
    const object = this.#objectAt(start, size);
    const { layout } = this.#world.image;
    const cells = object.type
      ? layout
          .scalarsOf(object.type)
          .map((each) => ({ offset: object.address + each.offset - start, size: each.size }))
      : [...this.#world.facts.cells.values()].map((each) => ({
          offset: each.address - start,
          size: Math.max(...each.sizes),
        }));
    const inside = cells.filter(({ offset, size: part }) => offset + part > 0 && offset < size);
    if (inside.some(({ offset, size: part }) => offset < 0 || offset + part > size))
      throw new Unsupported(`a part of '${object.name}' is copied or set, which cuts a cell`);
    return inside;
  }

  #offset(address: Value, by: number): Value {
    return addressValue('add', address, numberValue(by));
  }

  #storePart(to: Value, offset: number, size: number, value: Value): void {
    const type: IrType = { kind: 'int', bits: 8 * size };
    this.store(type, this.#offset(to, offset), value, { access: 'plain', isLocked: false });
  }

  #loadPart(from: Value, offset: number, size: number, part: string): Value {
    const address = this.#offset(from, offset);
    if (address.kind === 'number') {
      const at = Number(address.number);
      this.#objectAt(at, size);
      const cells = this.#cellsOf(at, size);
      if (cells) return this.#loadCells(address, cells, part);
      const known = this.#known(at, size, 8 * size);
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

  /** The next block of the pool of the current call; the model ends where there is none. */
  reserve(length: Value, isZero: boolean): Value {
    const { lowering } = this;
    const { image, pool } = this.#world;
    const { memory } = image;
    const size = this.#lengthOf(length);
    const { state, thread, isUnrolled } = lowering;
    const path = state.frames.map((frame) => `${frame.path}:${frame.block}.${frame.next}`).at(-1)!;
    const site = `${path}#${size}`;
    const blocks = isUnrolled ? mostUnrolledBlocks : pool;
    const stride = Math.ceil((size + 1) / 16) * 16;
    const objects = Array.from({ length: blocks }, (_, i) =>
      this.#world.object(`${thread}:${site}:${i}`, `block${i}`, size),
    );
    const first = objects[0];
    if (!first) return lowering.end({ kind: 'fault', reason: 'empty-pool' });
    if (isZero)
      for (const { address } of objects)
        if (memory.loadIfAny(address, 1) === undefined) memory.fill(address, size, 0);
    const count = state.pools.get(site) ?? numberValue(0);
    const isLeft = compareValues('slt', 32, count, numberValue(blocks));
    lowering.guard(toExpression(isLeft), 'empty-pool');
    const next = binaryValue('add', 32, count, numberValue(1), false);
    if (count.kind !== 'number') {
      // The count is in a register: it is set here, and read nowhere in between.
      const taken = lowering.resultRegister('.block');
      lowering.emit({ kind: 'assign', into: taken, value: toExpression(count) });
      state.pools.set(
        site,
        binaryValue('add', 32, expressionValue(registerValue(taken)), numberValue(1), false),
      );
      return expressionValue(
        binary('+', binary('*', registerValue(taken), constant(stride)), constant(first.address)),
      );
    }
    state.pools.set(site, next);
    return numberValue(first.address + Number(count.number) * stride);
  }
}
