import { constant, registerValue, type Expression } from '../../program/expression.js';
import type { AccessKind } from '../../program/program.js';
import { bitsOf } from './constants.js';
import { shownName } from './image.js';
import { asBytesIfOdd, BytesAccess, type CellAccess, largestCell } from './lower-bytes.js';
import { innermost, instructionAt } from './lowering-state.js';
import { BlockAllocation } from './lower-blocks.js';
import type { Lowering } from './lowering.js';
import type { MemoryObject } from './memory.js';
import type { AssemblyAccess, AssemblyOutput, IrOperation, IrType, IrValue } from './syntax.js';
import { severalSizes, Unsupported } from './unsupported.js';
import {
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
import { noValue } from './unset-cells.js';

type StoreKind = Pick<Operation<'store'>, 'access' | 'isLocked'>;
type Operation<K extends IrOperation['kind']> = Extract<IrOperation, { readonly kind: K }>;

/** The accesses of a thread to memory. */
export class MemoryAccess implements CellAccess {
  readonly bytes = new BytesAccess(this);
  readonly blocks: BlockAllocation;

  constructor(readonly lowering: Lowering) {
    this.blocks = new BlockAllocation(lowering, this.bytes);
  }

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
    this.forget(object);
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

  cellsOfBlock(pointer: Value): readonly CellPart[] | undefined {
    return this.blocks.cellsAt(pointer);
  }

  /** What was in an object is there no more. */
  forget({ address, size }: MemoryObject): void {
    for (const cell of [...this.#cells.keys()])
      if (cell >= address && cell < address + size) this.#cells.delete(cell);
  }

  /** The object in which the bytes lie; where there is none, the execution faults. */
  objectAt(address: number, size: number): MemoryObject {
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
    const fields = this.bytes.loadFields(type, address, access, part);
    if (fields) return fields;
    const { size, bits } = this.#sizeAndBits(type);
    if (address.kind === 'number') {
      const at = Number(address.number);
      const { name } = this.objectAt(at, size);
      const isInteger = access === 'plain' && type.kind === 'int';
      const cells = isInteger ? this.bytes.cellsOf(at, size) : undefined;
      if (cells) return this.bytes.loadCells(address, cells, part);
      const value = this.known(at, size, bits);
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
  known(address: number, size: number, bits: number): Value | undefined {
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
      throw severalSizes(this.objectAt(address, size).name);
    }
  }

  /** What a cell holds before there are threads. */
  initialOf(address: number, size: number, bits = 8 * size): Value {
    const number = this.lowering.round.initialValue(address, size);
    return number === undefined ? nothing : numberValue(wrapped(number, bits));
  }

  /** Structures are stored part by part. */
  store(type: IrType, address: Value, value: Value, how: StoreKind): void {
    const { access, isLocked } = how;
    if (this.bytes.storeFields(type, address, value, how)) return;
    const { size, bits } = this.#sizeAndBits(type);
    if (value.kind === 'parts' && value.cells) {
      if (access !== 'plain' || isLocked) throw severalSizes('a structure');
      this.bytes.storeCells(address, size, value.cells, value.parts);
      return;
    }
    const stored = value.kind === 'number' ? numberValue(wrapped(value.number, bits)) : value;
    if (address.kind === 'number') {
      const at = Number(address.number);
      this.objectAt(at, size);
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

  storeNoValue(address: number, size: number): void {
    const { facts } = this.#world;
    const { lowering } = this;
    const { round, thread } = lowering;
    this.objectAt(address, size);
    facts.touch(thread, address, size, { isStored: true, isComputed: false });
    this.#notePlace(address, size);
    if (facts.kindOf(thread, address) === 'own') {
      const isSet = this.#cells.has(address) || round.initialValue(address, size) !== undefined;
      if (isSet) this.#cells.set(address, { size, value: nothing });
      return;
    }
    facts.noteNoValue(address);
    const value = constant(noValue);
    lowering.emit({
      ...{ kind: 'store', address: constant(address), value, size },
      ...{ access: 'plain', isLocked: false },
    });
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

  /** Does what assembly does to a cell, and gives its result. */
  assembly({ operation, results, stores }: AssemblyAccess): Value {
    const pointer = (value: IrValue): Value =>
      this.lowering.value({ type: { kind: 'pointer' }, value });
    const address = pointer(operation.address);
    let [old, isZero]: Value[] = [];
    if (operation.kind === 'exchange-if') {
      const both = this.exchangeIf(operation, address);
      [old, isZero] = both.kind === 'parts' ? both.parts : [];
    } else old = this.modify(operation, address);
    const output = (wanted: AssemblyOutput): Value => {
      if (wanted === 'old') return old ?? nothing;
      isZero ??= this.#becomesZero(operation, old ?? nothing);
      return wanted === 'zero' ? isZero : compareValues('eq', 1, isZero, numberValue(0));
    };
    for (const { address: to, type, output: wanted } of stores)
      this.store(type, pointer(to), output(wanted), { access: 'plain', isLocked: false });
    const parts = results.map(output);
    return parts.length > 1 ? { kind: 'parts', parts } : (parts[0] ?? nothing);
  }

  /** Whether a cell that held the value has 0 after the operation. */
  #becomesZero(operation: AssemblyAccess['operation'], old: Value): Value {
    if (operation.kind !== 'modify') return nothing;
    const { bits } = this.#sizeAndBits(operation.operand.type);
    const by = this.lowering.value(operation.operand);
    const after = binaryValue(operation.operation, bits, old, by, false);
    return compareValues('eq', bits, after, numberValue(0));
  }

  /** A locked access is made in any case, for it empties the buffer. */
  #demand(address: Value, size: number): void {
    const { facts } = this.#world;
    const { thread } = this.lowering;
    if (address.kind !== 'number') return;
    const at = Number(address.number);
    this.objectAt(at, size);
    facts.touch(thread, at, size, { isStored: true, isComputed: true });
    this.#notePlace(at, size);
  }
}
