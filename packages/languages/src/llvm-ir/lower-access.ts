import { questionSite } from './asked-values.js';
import { libraryAssumptions } from './assumed.js';
import { constant, registerValue, type Expression } from '@fencewright/model/program/expression.js';
import type { RegisterId } from '@fencewright/model/program/ids.js';
import { checkNoAddress, checkPiece } from './address-numbers.js';
import { bitsOf } from './constants.js';
import { shownName } from './image.js';
import type { Bytes } from './bytes.js';
import {
  boundsOf,
  codeValue,
  type FirstHalf,
  halvesOf,
  hasOneValue,
  integerOfCode,
  numberIfKnown,
  pieceOf,
  wholeValue,
} from './integer-pieces.js';
import {
  type AccessManner,
  asBytesIfOdd,
  mannerOf,
  BytesAccess,
  type CellAccess,
} from './lower-bytes.js';
import { givingToCaller } from './library-functions.js';
import { innermost, instructionAt } from './lowering-state.js';
import { BlockAllocation } from './lower-blocks.js';
import { MixedAccess } from './lower-mixed.js';
import { isOrdered } from './orders-aside.js';
import { isEarlyLoad, type Lowering } from './lowering.js';
import { constantTextHint, type MemoryObject } from './memory.js';
import type { IrType, IrOperationOf } from './syntax.js';
import { cellAround, cellsWithin, dropWithin, largestOwnCell, partOfLarger } from './own-cells.js';
import { floatNotConstant, severalSizes, Unsupported } from './unsupported.js';
import {
  type CellPart,
  type IntegerPieces,
  expressionValue,
  nothing,
  numberValue,
  toExpression,
  type LoweredValue,
} from './value.js';
import { wrappedInteger } from './arithmetic.js';
import { noValue } from './unset-cells.js';

/** A load, a store, or a read-modify-write, conditional or not. */
type AccessOperation = IrOperationOf<'load' | 'store' | 'modify' | 'exchange-if'>;

/** Lowers the accesses of one thread to memory. */
export class AccessLowering implements CellAccess {
  readonly bytes = new BytesAccess(this);
  readonly blocks: BlockAllocation;
  readonly #mixed: MixedAccess;

  constructor(readonly lowering: Lowering) {
    this.blocks = new BlockAllocation(lowering, this.bytes);
    this.#mixed = new MixedAccess(lowering, {
      known: (address, size, bits) => this.known(address, size, bits),
      demand: ({ address, size }) => {
        this.#demand(numberValue(address), size);
      },
    });
  }

  get #world() {
    return this.lowering.round.world;
  }

  get #cells() {
    return this.lowering.state.cells;
  }

  /** The address of a new local, created by the current instruction. */
  allocate({ type, alignment }: IrOperationOf<'alloca'>, count: number): LoweredValue {
    const { lowering } = this;
    const frame = innermost(lowering.state);
    const { layout } = this.#world.image;
    const { result = 'local', variable } = instructionAt(frame);
    const key = `${lowering.thread}:${frame.path}:${frame.block}.${frame.next}:${count}`;
    const each = asBytesIfOdd(type);
    const whole: IrType = count === 1 ? each : { kind: 'array', length: count, element: each };
    const name = shownName(this.#world.linked, result.replace(/\.addr$/, ''), variable);
    const size = layout.sizeOf(whole);
    const mayEndEarly = !lowering.isInLibrary && frame.flow.of.name !== 'main';
    const object = this.#world.object(key, name, size, {
      ...{ type: whole, variable, alignment },
      ...(lowering.thread === 0 && { lifetime: 'main' as const }),
      ...(mayEndEarly && { owner: lowering.thread }),
    });
    frame.objects.push(object);
    this.forget(object);
    return numberValue(object.address);
  }

  /**
   * Makes the cells of a local uninitialised, if no other thread accesses the cells. Shared cells
   * keep their content, as on the machine.
   */
  startLifetime(address: LoweredValue): void {
    if (address.kind !== 'number') return;
    const object = this.#world.image.memory.objectAt(Number(address.number), 1);
    if (!object) return;
    for (const [cell, { size }] of [...this.#cells])
      if (cell >= object.address && cell < object.address + object.size) {
        // Without an own cell, a load would give the initial value from before the threads.
        if (this.lowering.round.initialValue(cell, size) === undefined) this.#cells.delete(cell);
        else this.#cells.set(cell, { size, value: nothing });
      }
  }

  cellsOfBlock(pointer: LoweredValue): readonly CellPart[] | undefined {
    return this.blocks.cellsAt(pointer);
  }

  /**
   * Removes the cells of an object from the cells of this thread alone (cells with known contents).
   */
  forget({ address, size }: Pick<MemoryObject, 'address' | 'size'>): void {
    for (const cell of [...this.#cells.keys()])
      if (cell >= address && cell < address + size) this.#cells.delete(cell);
  }

  /** The object around the bytes; the execution faults outside of objects. */
  objectAt(address: number, size: number): MemoryObject {
    return (
      this.#world.image.memory.objectAt(address, size) ??
      this.lowering.end({ kind: 'fault', reason: 'no-object' })
    );
  }

  #sizeAndBits(type: IrType): { readonly size: number; readonly bits: number } {
    return { bits: bitsOf(type), size: this.#world.image.layout.accessSizeOf(type) };
  }

  /**
   * The loaded value. Structures are loaded part by part; `part` distinguishes the loads of one
   * instruction. An uninitialised value is refused.
   */
  load(type: IrType, address: LoweredValue, how: AccessManner, part = ''): LoweredValue {
    const fields = this.bytes.loadFields(type, address, how, part);
    if (fields) return fields;
    const value = this.read(type, address, how, part);
    const isDefined = value.kind === 'number' || value.kind === 'expression';
    if (isDefined || (value.kind === 'parts' && value.integer)) return value;
    const { size } = this.#sizeAndBits(type);
    const at = address.kind === 'number' ? Number(address.number) : 0;
    return this.#defined(value, this.objectAt(at, size).name);
  }

  /** The loaded value of a scalar, which may be uninitialised. */
  read(type: IrType, address: LoweredValue, how: AccessManner, part: string): LoweredValue {
    const { access } = how;
    const { size, bits } = this.#sizeAndBits(type);
    if (address.kind === 'number') {
      const at = Number(address.number);
      this.objectAt(at, size);
      this.#noteWhole(address, size, access === 'atomic');
      const pieces = this.#mixed.load(at, size, how, part);
      if (pieces) return pieces;
      const whole = this.#world.facts.wholeAround(at, size);
      // If `main` loads the part by a step, it has to load the whole by a step.
      if (whole && !isEarlyLoad(this.lowering, { address: at, size }))
        this.#world.facts.noteLate(`load${whole.address}`);
      const isPart = whole && this.#isSharedWhole(whole.address, whole.size);
      // A load of a part leaves the cell whole: its other parts may be parts of an address.
      const isAround = cellAround(this.#cells, at, size) !== undefined;
      if (!isAround && !this.#isSharedWhole(at, size)) {
        const isPlain = access === 'plain' && type.kind === 'int';
        const isInPieces = isPlain || size > largestOwnCell || this.#isOwnInPieces(at, size);
        const cells = isInPieces ? this.bytes.cellsOf(at, size) : undefined;
        if (cells) {
          const loaded = this.bytes.loadCells(address, size, cells, part);
          return isPlain || size > largestOwnCell ? loaded : wholeValue(loaded);
        }
      }
      this.#mixed.note(at, size, 'load');
      if (isPart) return this.#loadPartOf(whole, { offset: at - whole.address, size }, how, part);
      const value = this.known(at, size, bits);
      if (value) return value;
    }
    const into = this.lowering.resultRegister(part);
    this.lowering.emit({
      kind: 'load',
      into,
      address: toExpression(address),
      size,
      ...mannerOf(how),
    });
    return this.#integerIn(into, size);
  }

  /** A part of an atomically accessed cell, extracted from a load of the whole cell. */
  #loadPartOf(whole: Bytes, piece: CellPart, how: AccessManner, part: string): LoweredValue {
    const type: IrType = { kind: 'int', bits: 8 * whole.size };
    const value = this.read(type, numberValue(whole.address), how, part);
    return wholeValue(pieceOf(value, whole.size, piece));
  }

  #isOwnInPieces(address: number, size: number): boolean {
    const own = cellsWithin(this.#cells, address, size);
    return own.length > 0 && own.every(([, cell]) => cell.size < size);
  }

  /** Notes an access to the bytes if it is atomic and at a known address. */
  #noteWhole(address: LoweredValue, size: number, isAtomic: boolean): void {
    if (isAtomic && address.kind === 'number')
      this.#world.facts.noteWhole(Number(address.number), size);
  }

  /**
   * Whether the bytes form an atomically accessed cell whose value has to be loaded from memory.
   */
  #isSharedWhole(address: number, size: number): boolean {
    const { facts } = this.#world;
    if (!facts.isWhole(address, size) || isEarlyLoad(this.lowering, { address, size }))
      return false;
    return facts.kindOf(this.lowering.thread, address) === 'memory';
  }

  /**
   * Returns the value, which has to be initialised. If the value may be uninitialised, a guard ends
   * the executions in which it is. A value that is uninitialised in every execution is refused. In
   * code specialised for the known numbers of one path, the value ends the path instead: the
   * conditions of the path may contradict each other, so that no execution takes the path.
   */
  #defined(value: LoweredValue, name: string): LoweredValue {
    if (value.kind === 'undefined' || value.kind === 'parts') {
      const said = `'${name}' is read before its initialisation`;
      const { lowering } = this;
      if (lowering.isUnrolled && !lowering.state.isTrunk)
        lowering.end({ kind: 'fault', reason: 'unset-variable', said });
      throw new Unsupported(said, 'initialise the variable where it is declared');
    }
    if (value.kind !== 'maybe') return value;
    this.lowering.guard(value.defined, 'no-value');
    return expressionValue(value.expression);
  }

  /** The content of a cell if no access is needed to know it; otherwise `undefined`. */
  known(address: number, size: number, bits: number): LoweredValue | undefined {
    const { lowering } = this;
    const { facts } = this.#world;
    const { round, state, thread } = lowering;
    const { isConstant, whyRefused } = this.objectAt(address, size);
    if (isConstant && whyRefused !== undefined) throw new Unsupported(whyRefused, constantTextHint);
    if (isEarlyLoad(this.lowering, { address, size })) {
      const own = this.#ownCell(address, size);
      this.#noteKnown('load', address, size);
      round.trunk.push({ kind: 'load', address, size, created: [...state.created] });
      this.#noteEarly({ address, size });
      return own ?? this.initialOf(address, size, bits);
    }
    facts.touch(thread, address, size, { isStored: false, isComputed: false });
    this.#notePlace(address, size);
    const kind = facts.kindOf(thread, address);
    if (kind !== 'memory') this.#noteKnown('load', address, size);
    switch (kind) {
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
    const { isInLibrary, state } = this.lowering;
    const { name } = innermost(state).flow.of;
    if (!isInLibrary || givingToCaller.has(name)) this.#world.facts.noteShown(address);
  }

  /**
   * Notes an access that needs no step in the thread's graph. Accesses to locals of threads are not
   * noted. Accesses to locals of `main` are noted without their source places.
   */
  #noteKnown(does: 'load' | 'store', address: number, size: number): void {
    const { lowering } = this;
    const { lifetime } = this.objectAt(address, size);
    if (isOrdered(instructionAt(innermost(lowering.state))))
      lowering.round.ownOrdered.add(lowering.origin.span);
    if (lifetime === undefined) return;
    lowering.noteKnownAccess(does, address, size);
    this.blocks.noteAccess(does === 'load' ? 'loaded' : 'stored', address);
    if (lifetime !== 'main') lowering.round.known.add(lowering.origin.span);
  }

  /**
   * Notes an access to a block before threads start. A block of `malloc` has no type, so only
   * accesses show the cells of the block.
   */
  #noteEarly(bytes: Bytes): void {
    const { type } = this.objectAt(bytes.address, bytes.size);
    if (type === undefined) this.#world.facts.noteEarly(bytes);
  }

  #ownCell(address: number, size: number): LoweredValue | undefined {
    const part = partOfLarger(this.#world.image.memory, this.#cells, address, size);
    if (part) return part;
    const [first] = cellsWithin(this.#cells, address, size);
    if (!first) return undefined;
    const [at, cell] = first;
    if (at === address && cell.size === size) {
      const { cutFrom } = cell;
      if (cutFrom !== undefined && size < largestOwnCell)
        checkNoAddress(this.#world.image.memory, cutFrom);
      return cell.value;
    }
    throw severalSizes(this.objectAt(address, size).name);
  }

  /**
   * Makes the bytes one cell of this thread alone, with known content; overlapping cells are
   * dropped.
   */
  #setOwn(address: number, size: number, value: LoweredValue): void {
    dropWithin(this.#cells, address, size);
    if (size <= largestOwnCell) {
      this.#cells.set(address, { size, value });
      return;
    }
    for (const offset of [0, largestOwnCell]) {
      const piece = pieceOf(value, size, { offset, size: largestOwnCell });
      this.#cells.set(address + offset, { size: largestOwnCell, value: wholeValue(piece) });
    }
  }

  /** Returns the content that a cell has before threads start. */
  initialOf(address: number, size: number, bits = 8 * size): LoweredValue {
    const { round } = this.lowering;
    checkPiece(this.#world.image.memory, address, size);
    const number = round.initialValue(address, size);
    if (number !== undefined) return numberValue(wrappedInteger(number, bits));
    const isSet = Array.from({ length: size }, (_, i) => round.initialValue(address + i, 1));
    if (this.#world.facts.isWhole(address, size) && isSet.some((byte) => byte !== undefined))
      throw new Unsupported(
        `only parts of '${this.objectAt(address, size).name}' are initialised before threads start`,
        'initialise all bytes, padding included: by calloc, memset, or atomic_store',
      );
    return nothing;
  }

  /** Stores a value; structures are stored part by part. */
  store(type: IrType, address: LoweredValue, value: LoweredValue, how: AccessManner): void {
    const { access, order } = how;
    const isLocked = order === 'seq_cst';
    if (this.bytes.storeFields(type, address, value, how)) return;
    const { size, bits } = this.#sizeAndBits(type);
    const isOneAccess = access === 'atomic' || isLocked;
    this.#noteWhole(address, size, isOneAccess);
    const isWhole =
      isOneAccess ||
      address.kind !== 'number' ||
      this.#world.facts.isWhole(Number(address.number), size);
    if (!isWhole) {
      const pieces = this.#piecesToStore(Number(address.number), size, value);
      if (pieces) {
        const parts = pieces.cells.map((cell) => pieceOf(value, size, cell));
        this.bytes.storeCells(address, pieces, parts);
        return;
      }
    }
    const whole = size > largestOwnCell ? numberIfKnown(value) : wholeValue(value);
    const stored =
      whole.kind === 'number' ? numberValue(wrappedInteger(whole.number, bits)) : whole;
    if (address.kind === 'number') {
      const at = Number(address.number);
      this.objectAt(at, size);
      if (isLocked) {
        if (this.#mixed.change(at, size, () => stored)) return;
        this.#demand(address, size);
      } else if (this.#keep(at, size, stored)) return;
    }
    this.lowering.emit({
      kind: 'store',
      address: toExpression(address),
      value: this.#storable(stored, size),
      size,
      access,
      isLocked,
      ...(order && { order }),
    });
  }

  /** The cells for storing an integer, if several; otherwise `undefined`. */
  #piecesToStore(address: number, size: number, value: LoweredValue): IntegerPieces | undefined {
    if (value.kind === 'undefined') return undefined;
    const cells = this.bytes.finerCells(address, size);
    if (cells) return { size, cells };
    const isOne = size <= largestOwnCell && this.bytes.isField(address, size) && hasOneValue(value);
    return value.kind === 'parts' && !isOne ? value.integer : undefined;
  }

  /**
   * The half of 16-byte integers that is in the lowest bits of their codes. The call also notes
   * that the program has codes.
   */
  get #firstHalf(): FirstHalf {
    this.#world.hasCodes = true;
    return this.#world.manner.firstHalf;
  }

  /** The integer of `size` bytes loaded from a cell into a register. */
  #integerIn(register: RegisterId, size: number): LoweredValue {
    const value: LoweredValue = { kind: 'expression', expression: registerValue(register) };
    return size > largestOwnCell ? integerOfCode(value, this.#firstHalf) : value;
  }

  /** The value of a cell of `size` bytes as an expression. */
  #storable(value: LoweredValue, size: number): Expression {
    if (value.kind === 'undefined') throw new Unsupported('an uninitialised value is stored');
    if (size <= largestOwnCell) return toExpression(wholeValue(value));
    const [lower, upper] = halvesOf(value);
    const firstHalf = this.#firstHalf;
    for (const bound of boundsOf(lower, upper, firstHalf))
      this.lowering.guard(bound, 'wide-integer');
    return toExpression(codeValue(lower, upper, firstHalf));
  }

  /**
   * Records a store that no other thread can read; returns false if the store needs a step in the
   * thread's graph.
   */
  #keep(address: number, size: number, value: LoweredValue): boolean {
    const { lowering } = this;
    const { facts } = this.#world;
    const { round, state, thread } = lowering;
    const isEarly = !facts.isLate(`store${address}`) && !facts.isAwaited({ address, size });
    if (state.isTrunk && value.kind === 'number' && isEarly) {
      this.#noteKnown('store', address, size);
      round.trunk.push({ kind: 'store', address, size, created: [...state.created] });
      this.#noteEarly({ address, size });
      round.setInitial(address, size, value.number);
      this.#setOwn(address, size, value);
      return true;
    }
    this.#noteStore(address, size);
    if (facts.kindOf(thread, address) !== 'own') return false;
    this.#noteKnown('store', address, size);
    this.#setOwn(address, size, value);
    return true;
  }

  /** Notes a plain store. Throws `Unsupported` if the bytes are split into several cells. */
  #noteStore(address: number, size: number): void {
    const { facts } = this.#world;
    this.#mixed.note(address, size, 'store');
    this.#mixed.checkStore(address, size);
    facts.touch(this.lowering.thread, address, size, { isStored: true, isComputed: false });
    this.#notePlace(address, size);
  }

  storeNoValue(address: number, size: number): void {
    const { facts } = this.#world;
    const { lowering } = this;
    const { round, thread } = lowering;
    this.objectAt(address, size);
    this.#noteStore(address, size);
    if (facts.kindOf(thread, address) === 'own') {
      this.blocks.noteAccess('stored', address);
      const isSet =
        cellsWithin(this.#cells, address, size).length > 0 ||
        round.initialValue(address, size) !== undefined;
      if (isSet) this.#setOwn(address, size, nothing);
      return;
    }
    facts.noteNoValue(address);
    const value = constant(noValue);
    lowering.emit({
      ...{ kind: 'store', address: constant(address), value, size },
      ...{ access: 'plain', isLocked: false },
    });
  }

  /** Performs an access at an address; returns its result. */
  perform(operation: AccessOperation, address: LoweredValue): LoweredValue {
    switch (operation.kind) {
      case 'load':
        return this.load(operation.type, address, operation);
      case 'store':
        this.store(operation.from.type, address, this.lowering.value(operation.from), operation);
        return nothing;
      case 'modify':
        return this.modify(operation, address);
      case 'exchange-if':
        return this.exchangeIf(operation, address);
    }
  }

  fence({ order, isOfAssembly }: IrOperationOf<'fence'>): void {
    if (order) this.lowering.emit({ kind: 'fence', order });
    if (isOfAssembly) this.#world.assumedOfC11.note(libraryAssumptions.assemblyFence);
  }

  modify(
    { operation, operand, order }: IrOperationOf<'modify'>,
    address: LoweredValue,
  ): LoweredValue {
    const { lowering } = this;
    if (operation.startsWith('f')) throw floatNotConstant(operation);
    const { size, bits } = this.#sizeAndBits(operand.type);
    if (size > largestOwnCell && operation !== 'xchg')
      throw new Unsupported(`'${operation}' of 16 bytes is not supported`);
    const value = lowering.value(operand);
    if (address.kind === 'number') {
      const at = Number(address.number);
      this.objectAt(at, size);
      const old = this.#mixed.change(at, size, (before) =>
        this.#mixed.changed(operation, bits, before, defined(value)),
      );
      if (old) return old;
    }
    const by = this.#storable(value, size);
    this.#demand(address, size);
    const into = lowering.resultRegister();
    lowering.emit({
      kind: 'modify',
      into,
      operation,
      bits,
      address: toExpression(address),
      operand: by,
      ...(order && { order }),
      size,
      ...(this.#world.facts.isTagSum(questionSite(lowering)) && { isOfTag: true }),
      isInLock: lowering.state.locks > 0,
    });
    return this.#integerIn(into, size);
  }

  exchangeIf(
    { expected, desired, order, failureOrder, isWeak }: IrOperationOf<'exchange-if'>,
    address: LoweredValue,
  ): LoweredValue {
    const { lowering } = this;
    // The bus lock may belong to an assembly instruction or to a wider access.
    if (isWeak && lowering.state.locks > 0)
      this.#world.assumedOfC11.note(libraryAssumptions.weakExchange);
    const { size } = this.#sizeAndBits(expected.type);
    const old = lowering.value(expected);
    const next = lowering.value({ type: expected.type, value: desired });
    if (address.kind === 'number') {
      const at = Number(address.number);
      this.objectAt(at, size);
      this.#mixed.exchangeIf(
        at,
        size,
        () => defined(old),
        () => defined(next),
      );
    }
    const [before, after] = [this.#storable(old, size), this.#storable(next, size)];
    this.#demand(address, size);
    const [read, success] = [lowering.resultRegister('.0'), lowering.resultRegister('.1')];
    lowering.emit({
      kind: 'exchange-if',
      old: read,
      success,
      address: toExpression(address),
      expected: before,
      desired: after,
      ...(order && { order, failureOrder }),
      ...(isWeak && { mayFail: isWeak }),
      size,
      isInLock: lowering.state.locks > 0,
    });
    return {
      kind: 'parts',
      parts: [this.#integerIn(read, size), expressionValue(registerValue(success))],
    };
  }

  /** Notes a locked access, which always needs a step: a locked access drains the store buffer. */
  #demand(address: LoweredValue, size: number): void {
    const { facts } = this.#world;
    const { thread } = this.lowering;
    if (address.kind !== 'number') return;
    const at = Number(address.number);
    this.objectAt(at, size);
    this.#noteWhole(address, size, true);
    facts.touch(thread, at, size, { isStored: true, isComputed: true });
    this.#notePlace(at, size);
  }
}

/**
 * The value stored by a locked instruction, as one integer. Throws `Unsupported` for uninitialised
 * values.
 */
function defined(value: LoweredValue): LoweredValue {
  const whole = wholeValue(value);
  if (whole.kind === 'number' || whole.kind === 'expression') return whole;
  throw new Unsupported('an uninitialised value is stored');
}
