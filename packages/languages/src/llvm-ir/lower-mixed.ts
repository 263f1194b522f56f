import { countOf } from '@fencewright/ground/base/number-words.js';
import { constant, negate, registerValue } from '@fencewright/model/program/expression.js';
import { checkPlaces } from './address-numbers.js';
import type { AccessDoes } from './access-sizes.js';
import { cellName } from './cell-names.js';
import type { Bytes } from './bytes.js';
import { pieceOf, wholeValue } from './integer-pieces.js';
import { type AccessManner, mannerOf } from './lower-bytes.js';
import { isEarlyLoad, type Lowering, runsAlone } from './lowering.js';
import { innermost } from './lowering-state.js';
import { largestOwnCell } from './own-cells.js';
import type { WideLoad } from './step.js';
import { severalSizes, Unsupported } from './unsupported.js';
import {
  binaryValue,
  type CellPart,
  compareValues,
  convertValue,
  expressionValue,
  numberValue,
  toExpression,
  type LoweredValue,
} from './value.js';

/** Accesses to single cells, from which mixed-size accesses are built. */
interface SingleCells {
  /** Returns the content of a cell if no access is needed to know it; otherwise `undefined`. */
  readonly known: (address: number, size: number, bits: number) => LoweredValue | undefined;
  /** Notes an access to the cell that must become a step of the program. */
  readonly demand: (cell: Bytes) => void;
}

/**
 * The bytes accessed by a locked instruction, while the thread holds the bus lock. `old` is their
 * value before.
 */
interface Locked {
  readonly old: LoweredValue;
  /**
   * Emits the stores that replace `old` by a value of equal size. The bus lock stays held; the
   * caller releases it.
   */
  readonly store: (value: LoweredValue) => void;
}

/** The accesses of a thread to memory that is accessed with several sizes: see `AccessSizes`. */
export class MixedAccess {
  constructor(
    readonly lowering: Lowering,
    readonly cells: SingleCells,
  ) {}

  get #facts() {
    return this.lowering.round.world.facts;
  }

  /** Notes that an instruction accesses the bytes as a whole. */
  note(address: number, size: number, does: AccessDoes): void {
    const { lowering } = this;
    if (does === 'load' && isEarlyLoad(lowering, { address, size })) return;
    this.#facts.noteTaken(lowering.thread, { address, size }, does, lowering.origin);
  }

  /** Refuses a store to the whole of a range that is split into pieces. Throws `Unsupported`. */
  checkStore(address: number, size: number): void {
    const whole = { address, size };
    const { sizes } = this.#facts;
    if (!sizes.isInPieces(whole)) return;
    const { name, part, line } = this.#inWords(whole);
    throw new Unsupported(
      `'${name}' is written with ${countOf(size, 'byte')} here and with ${part}${line}: ` +
        'the values that loads read in between are unknown',
      `store ${part} at a time, or all bytes at once by a locked instruction: atomic_exchange`,
    );
  }

  /**
   * Loads all pieces of a split range in one atomic step; piece by piece if no other thread runs,
   * or if other threads access at most one piece. Returns `undefined` if the range is a single
   * cell.
   */
  load(address: number, size: number, how: AccessManner, part: string): LoweredValue | undefined {
    const whole = { address, size };
    if (!this.#facts.sizes.isInPieces(whole)) return undefined;
    const { lowering } = this;
    this.note(address, size, 'load');
    const pieces = this.#piecesOf(whole);
    const shared = pieces.filter((piece) => this.#isShared(piece));
    const isBlock = shared.length > 1 && !runsAlone(lowering);
    if (isBlock) lowering.lock({ wideLoad: this.#wideLoad(whole) });
    const values = pieces.map((piece, i): LoweredValue => {
      const value = this.cells.known(piece.address, piece.size, 8 * piece.size);
      if (value) return value;
      const into = lowering.resultRegister(`${part}.p${i}`);
      const isInner = isBlock && { isInWideLoad: true as const };
      lowering.emit(
        {
          kind: 'load',
          into,
          address: constant(piece.address),
          size: piece.size,
          ...mannerOf(how),
          ...isInner,
        },
        isBlock,
      );
      return expressionValue(registerValue(into));
    });
    if (isBlock) lowering.unlock(true);
    return joinedValue(whole, pieces, values);
  }

  /** Whether a load of the cell reads memory possibly accessed by other threads, too. */
  #isShared(cell: Bytes): boolean {
    const { lowering } = this;
    if (isEarlyLoad(lowering, cell)) return false;
    const kind = this.#facts.kindOf(lowering.thread, cell.address);
    return kind === 'memory' && this.#facts.isOfOthers(lowering.thread, cell.address);
  }

  /**
   * Takes the bus lock for a locked instruction on a split range, or on a part of a larger cell.
   * The caller releases the lock by `unlock`. Returns `undefined`, without a lock, if the bytes are
   * one cell.
   */
  lock(address: number, size: number): Locked | undefined {
    this.note(address, size, 'locked');
    const bytes = { address, size };
    const cells = this.#cellsAround(bytes);
    const [first] = cells ?? [];
    if (!cells || !first) return undefined;
    const { lowering } = this;
    const all = { address: first.address, size: cells.reduce((sum, cell) => sum + cell.size, 0) };
    if (all.size > largestOwnCell) throw severalSizes(this.#nameOf(all));
    lowering.lock();
    const values = cells.map((cell, i) => {
      this.cells.demand(cell);
      const into = lowering.resultRegister(`.p${i}`);
      lowering.emit(
        {
          ...{ kind: 'load', into, address: constant(cell.address), size: cell.size },
          access: 'atomic',
        },
        true,
      );
      return expressionValue(registerValue(into));
    });
    const before = this.#inRegister('.whole', joinedValue(all, cells, values));
    const part = { offset: address - all.address, size };
    const old = this.#inRegister('.old', pieceOf(before, all.size, part));
    const store = (value: LoweredValue): void => {
      const after = this.#inRegister('.new', placed(before, all.size, part, value));
      for (const cell of cells) {
        const offset = cell.address - all.address;
        const stored = pieceOf(after, all.size, { offset, size: cell.size });
        lowering.emit(
          {
            ...{ kind: 'store', address: constant(cell.address), value: toExpression(stored) },
            ...{ size: cell.size, access: 'atomic', isLocked: false },
          },
          true,
        );
      }
    };
    return { old, store };
  }

  /**
   * Performs a locked instruction that stores `make(old)`; returns the old value. Returns
   * `undefined`, without any step, if the bytes are one cell.
   */
  change(
    address: number,
    size: number,
    make: (old: LoweredValue) => LoweredValue,
  ): LoweredValue | undefined {
    const locked = this.lock(address, size);
    if (!locked) return undefined;
    locked.store(make(locked.old));
    this.lowering.unlock(true);
    return locked.old;
  }

  /**
   * Performs a compare-exchange on bytes that are not one cell, and finishes the instruction on
   * both outcomes; the call does not return. If the bytes are one cell, the call returns without
   * any step.
   */
  exchangeIf(
    address: number,
    size: number,
    expected: () => LoweredValue,
    desired: () => LoweredValue,
  ): void {
    const locked = this.lock(address, size);
    if (!locked) return;
    const { lowering } = this;
    const { old, store } = locked;
    const isEqual = toExpression(compareValues('eq', 8 * size, old, expected()));
    lowering.state.isTrunk = false;
    const way = (success: 0 | 1): LoweredValue => {
      const condition = success === 1 ? isEqual : negate(isEqual);
      lowering.emit({ kind: 'assume', condition }, true);
      if (success === 1) store(desired());
      lowering.unlock(true);
      return { kind: 'parts', parts: [old, numberValue(success)] };
    };
    lowering.inEachWay([() => way(1), () => way(0)]);
  }

  /** The value that `atomicrmw` stores. Throws `Unsupported`. */
  changed(operation: string, bits: number, old: LoweredValue, operand: LoweredValue): LoweredValue {
    if (operation !== 'xchg' && old.kind === 'number' && operand.kind === 'number')
      checkPlaces(
        this.lowering.round.world.image.memory,
        operation,
        bits,
        old.number,
        operand.number,
      );
    switch (operation) {
      case 'xchg':
        return operand;
      case 'add':
      case 'sub':
      case 'and':
      case 'or':
      case 'xor':
        return binaryValue(operation, bits, old, operand, false);
      case 'nand':
        return binaryValue(
          'xor',
          bits,
          binaryValue('and', bits, old, operand, false),
          numberValue(-1),
          false,
        );
      case 'max':
        return this.#chosen('sge', bits, old, operand);
      case 'min':
        return this.#chosen('sle', bits, old, operand);
      case 'umax':
        return this.#chosen('uge', bits, old, operand);
      case 'umin':
        return this.#chosen('ule', bits, old, operand);
      default:
        throw new Unsupported(`'${operation}' of a part of a cell is not supported`);
    }
  }

  /**
   * The old value if the relation between the old value and the operand holds; otherwise the
   * operand.
   */
  #chosen(relation: string, bits: number, old: LoweredValue, operand: LoweredValue): LoweredValue {
    const into = this.lowering.resultRegister('.chosen');
    const condition = toExpression(compareValues(relation, bits, old, operand));
    this.lowering.choose(into, condition, toExpression(old), toExpression(operand));
    return expressionValue(registerValue(into));
  }

  #inRegister(part: string, value: LoweredValue): LoweredValue {
    if (value.kind === 'number') return value;
    const into = this.lowering.resultRegister(part);
    this.lowering.emit({ kind: 'assign', into, value: toExpression(value) }, true);
    return expressionValue(registerValue(into));
  }

  /**
   * The pieces of a split range, or the larger cell that contains the bytes; `undefined` if the
   * bytes are one cell.
   */
  #cellsAround(bytes: Bytes): readonly Bytes[] | undefined {
    const facts = this.#facts;
    if (facts.sizes.isInPieces(bytes)) return this.#piecesOf(bytes);
    const whole = facts.wholeAround(bytes.address, bytes.size);
    return whole && [whole];
  }

  #piecesOf(bytes: Bytes): readonly Bytes[] {
    const pieces = this.#facts.sizes.piecesOf(bytes);
    if (!pieces) throw severalSizes(this.#nameOf(bytes));
    return pieces;
  }

  #wideLoad(whole: Bytes): WideLoad {
    const { name, part, line } = this.#inWords(whole);
    const isSplit = canBeSplit(this.lowering) && { isSplit: true as const };
    return {
      ...isSplit,
      what: `'${name}' is read with ${countOf(whole.size, 'byte')} here and written with ${part}${line}`,
      part,
    };
  }

  /**
   * The name of the bytes, the size of a part to which some access stores, and the line of that
   * store, for messages.
   */
  #inWords(whole: Bytes) {
    const part = this.#facts.sizes.partOf(whole);
    const { span } = part?.places.get('store') ?? part?.places.get('locked') ?? {};
    return {
      name: this.#nameOf(whole),
      part: countOf(part?.size ?? 1, 'byte'),
      line: span ? ` at line ${span.start.line + 1}` : '',
    };
  }

  #nameOf({ address, size }: Bytes): string {
    const { image } = this.lowering.round.world;
    const object = image.memory.objectAt(address, 1);
    return object ? cellName(image, object, address, size) : 'a cell';
  }
}

/** Matches the function of libstdc++ by which an owner of a `std::shared_ptr` gives it up. */
const release = /^_ZNSt16_Sp_counted_baseIL\w+E10_M_releaseEv$/;
/** Matches the functions of libstdc++ by which a `std::weak_ptr` makes an owner. */
const addOwner = /^_ZNSt16_Sp_counted_baseIL\w+E\d+_M_add_ref_lock/;

/**
 * Whether loads of the parts may stand for the load of several cells of the current instruction.
 * They may for the load of both counts of a `std::shared_ptr`, which only asks whether both are 1,
 * if no `std::weak_ptr` makes an owner. If the count of owners is 1, then the thread is the owner,
 * and the count stays; if both counts are read as 1, they are 1 at the second load. All other
 * values have one meaning.
 */
function canBeSplit({ round, state }: Lowering): boolean {
  const { functions } = round.world.linked;
  if (!release.test(innermost(state).flow.of.name)) return false;
  return ![...functions.keys()].some((name) => addOwner.test(name));
}

/** The integer made of the values of the cells. */
function joinedValue(
  all: Bytes,
  cells: readonly Bytes[],
  values: readonly LoweredValue[],
): LoweredValue {
  const [only] = values;
  if (only && cells.length === 1) return only;
  const parts = cells.map(({ address, size }): CellPart => ({
    offset: address - all.address,
    size,
  }));
  return wholeValue({ kind: 'parts', parts: values, integer: { size: all.size, cells: parts } });
}

/** The integer `before` of `size` bytes, with `value` in place of a part. */
function placed(
  before: LoweredValue,
  size: number,
  part: CellPart,
  value: LoweredValue,
): LoweredValue {
  if (part.size === size) return value;
  const bits = 8 * size;
  const mask = ((1n << BigInt(8 * part.size)) - 1n) << BigInt(8 * part.offset);
  const kept = numberValue(BigInt.asIntN(bits, ~mask));
  const wide = convertValue('zext', 8 * part.size, bits, value);
  const moved = binaryValue('shl', bits, wide, numberValue(8 * part.offset), false);
  return binaryValue('or', bits, binaryValue('and', bits, before, kept, false), moved, false);
}
