import { binary, constant, registerValue } from '@fencewright/model/program/expression.js';
import { checkCut, checkPlaces, pointerBits } from './address-numbers.js';
import { askValues } from './asked-values.js';
import { bitsOf, constantOf } from './constants.js';
import { computeFloat } from './float-arithmetic.js';
import { floatBits, floatSize } from './float-bits.js';
import type { BlockAllocation } from './lower-blocks.js';
import type { Lowering } from './lowering.js';
import { innermost } from './lowering-state.js';
import { halvesOf, ofHalves, wholeValue } from './integer-pieces.js';
import type { IrOperation, IrType, IrValue, Typed, IrOperationOf } from './syntax.js';
import { floatNotConstant, Unsupported } from './unsupported.js';
import {
  addressValue,
  binaryValue,
  compareValues,
  convertValue,
  nothing,
  numberValue,
  sizeOf,
  toExpression,
  type LoweredValue,
} from './value.js';
import { convertWide, wideBinary, wideCompare } from './wide-integers.js';

/** The maximum size of an expression without a register of its own. */
const largestExpression = 8;

/** The maximum number of objects between which the guard of a moved pointer distinguishes. */
const mostObjects = 8;

/** Computes the values of the instructions of one thread. */
export class ValueLowering {
  constructor(
    readonly lowering: Lowering,
    readonly blocks: BlockAllocation,
  ) {}

  /**
   * The result of an instruction without effect on memory and control; `undefined` for all other
   * instructions. Throws `Unsupported`.
   */
  compute(operation: IrOperation): LoweredValue | undefined {
    switch (operation.kind) {
      case 'binary': {
        const { type, left, right, isSignedOnly } = operation;
        const bits = bitsOf(type);
        const [l, r] = [this.#integer(type, left), this.#integer(type, right)];
        this.#checkPlaces(operation.operation, bits, l, r);
        if (bits > 64) return wideBinary(operation.operation, l, r);
        this.#guardDivision(operation.operation, r);
        return this.settled(binaryValue(operation.operation, bits, l, r, isSignedOnly));
      }
      case 'compare': {
        const { type, left, right, relation } = operation;
        const bits = bitsOf(type);
        const [l, r] = [this.#integer(type, left), this.#integer(type, right)];
        this.#checkPlaces(relation, bits, l, r);
        const isNull = (one: LoweredValue, other: LoweredValue): boolean =>
          one.kind === 'number' && one.number === 0n && this.blocks.sizeOf(other) !== undefined;
        // No block lies at address 0.
        if ((relation === 'eq' || relation === 'ne') && (isNull(l, r) || isNull(r, l)))
          return numberValue(relation === 'ne' ? 1 : 0);
        return this.settled(
          bits > 64 ? wideCompare(relation, l, r) : compareValues(relation, bits, l, r),
        );
      }
      case 'cast': {
        const { from, to } = operation;
        const value = this.#integer(from.type, from.value);
        const [before, after] = [bitsOf(from.type), bitsOf(to)];
        if (value.kind === 'undefined' && operation.operation === 'freeze')
          throw new Unsupported('an uninitialised value is used');
        if (value.kind === 'number')
          checkCut(this.lowering.round.world.image.memory, value.number, before, after);
        if (before > 64 || after > 64)
          return convertWide(operation.operation, before, after, value);
        return this.settled(convertValue(operation.operation, before, after, value));
      }
      case 'float':
        return this.#float(operation);
      case 'element':
        return this.#element(operation);
      case 'select':
        return this.#select(operation);
      case 'extract': {
        const value = this.value(operation.from);
        if (value.kind !== 'parts') throw new Unsupported('a value is not of several parts');
        return value.parts[operation.index] ?? nothing;
      }
      case 'insert': {
        const value = this.value(operation.into);
        const parts = value.kind === 'parts' ? [...value.parts] : [];
        for (let i = parts.length; i < operation.index; i++) parts[i] = nothing;
        parts[operation.index] = this.value(operation.element);
        return { kind: 'parts', parts };
      }
      case 'join':
        return this.#joined(operation);
      default:
        return undefined;
    }
  }

  /**
   * The result of a floating-point operation on constants. Throws `Unsupported` for other operands.
   */
  #float(operation: IrOperationOf<'float'>): LoweredValue {
    const values = operation.operands.map(({ type, value }) => this.#integer(type, value));
    const numbers = values.flatMap((value) => (value.kind === 'number' ? [value.number] : []));
    if (numbers.length < values.length) throw floatNotConstant(operation.operation);
    const { memory } = this.lowering.round.world.image;
    return numberValue(computeFloat(memory, operation, numbers));
  }

  #joined({ low, high }: IrOperationOf<'join'>): LoweredValue {
    const bits = bitsOf(low.type);
    const [lower, upper] = [low, high].map(({ type, value }) => this.#integer(type, value));
    if (bits === 64) return ofHalves(lower!, upper!);
    const [below, above] = [lower!, upper!].map((half) =>
      convertValue('zext', bits, 2 * bits, half),
    );
    const moved = binaryValue('shl', 2 * bits, above!, numberValue(bits), false);
    return this.settled(binaryValue('or', 2 * bits, moved, below!, false));
  }

  /** The value of an integer; a single value if the integer has at most 64 bits. */
  #integer(type: IrType, value: IrValue): LoweredValue {
    const known = this.value({ type, value });
    return bitsOf(type) > 64 ? known : wholeValue(known);
  }

  /** Refuses a computation on known addresses that depends on the memory layout. */
  #checkPlaces(operation: string, bits: number, left: LoweredValue, right: LoweredValue): void {
    if (left.kind === 'number' && right.kind === 'number')
      checkPlaces(
        this.lowering.round.world.image.memory,
        operation,
        bits,
        left.number,
        right.number,
      );
  }

  #guardDivision(operation: string, right: LoweredValue): void {
    if (!/^[us](?:div|rem)$/.test(operation) || right.kind === 'number') return;
    this.lowering.guard(binary('!=', toExpression(right), constant(0)), 'division');
  }

  /** The result of arithmetic, put into a register if the expression is large. */
  settled(value: LoweredValue, part = ''): LoweredValue {
    if (value.kind !== 'expression' || sizeOf(value.expression) <= largestExpression) return value;
    const into = this.lowering.resultRegister(part);
    this.lowering.emit({ kind: 'assign', into, value: value.expression });
    return { kind: 'expression', expression: registerValue(into) };
  }

  #element({ source, operands, isInBounds }: IrOperationOf<'element'>): LoweredValue {
    const [pointer, ...indices] = operands;
    const { layout } = this.lowering.round.world.image;
    if (!pointer) throw new Unsupported('an instruction is not well-formed');
    let address = this.value(pointer);
    let type = source;
    if (source.kind === 'named' && address.kind === 'number')
      this.lowering.round.world.image.memory.noteStructure(Number(address.number), {
        name: source.name,
        size: layout.sizeOf(source),
      });
    indices.forEach((typed, i) => {
      let index = this.value(typed);
      const resolved = layout.resolve(type);
      if (i > 0 && resolved.kind === 'struct') {
        const part = layout.part(resolved, Number(this.number(typed)));
        address = this.#plus(address, numberValue(part.offset), `${i}`);
        type = part.type;
        return;
      }
      if (i > 0) {
        if (resolved.kind !== 'array')
          throw new Unsupported('an index is applied to a value without elements');
        type = resolved.element;
        // An array with less than two elements may be a flexible array member.
        if (resolved.length > 1) index = this.#between(index, 0, resolved.length - 1, `b${i}`);
        else if (isInBounds) index = this.#inObject(address, index, layout.sizeOf(type));
      } else if (isInBounds) index = this.#inObject(address, index, layout.sizeOf(type));
      const scale = numberValue(layout.sizeOf(type));
      this.#checkPlaces('mul', pointerBits, index, scale);
      const offset = this.settled(addressValue('mul', index, scale), `s${i}`);
      address = this.#plus(address, offset, `${i}`);
    });
    return address;
  }

  /**
   * The index of an element. A computed index gets a guard, so that a pointer into a known object
   * stays in the object or at its end. For a pointer with several possible values, the guard has
   * the widest bounds.
   */
  #inObject(address: LoweredValue, index: LoweredValue, stride: number): LoweredValue {
    if (stride === 0) return index;
    if (index.kind === 'number') this.#baseInObject(address, index.number * BigInt(stride));
    if (index.kind !== 'expression') return index;
    const bounds = this.#pointersOf(address).map((start) => this.#boundsIn(start, stride));
    const known = bounds.flatMap((each) => (each ? [each] : []));
    if (!known.some(({ size }) => size > 0) || known.length < bounds.length) return index;
    const low = Math.min(...known.map((each) => each.low));
    const high = Math.max(...known.map((each) => each.high));
    return this.#between(index, low, high, 'o');
  }

  /**
   * Adds a guard to a pointer with several possible values, which is moved by `offset` bytes: the
   * moved pointer stays in the object of the pointer, or at the end of the object. The null pointer
   * is not moved.
   */
  #baseInObject(address: LoweredValue, offset: bigint): void {
    if (offset === 0n || address.kind !== 'expression') return;
    const { memory } = this.lowering.round.world.image;
    const starts = this.#pointersOf(address);
    const objects = new Set(starts.map((start) => memory.objectAt(start, 0)));
    if (starts.some((start) => start !== 0 && !memory.objectAt(start, 0))) return;
    const ranges = [...objects].flatMap((object) => {
      if (!object) return [];
      const low = BigInt(object.address) - (offset < 0n ? offset : 0n);
      const high = BigInt(object.address + object.size) - (offset > 0n ? offset : 0n);
      return low > high ? [] : [{ low, high }];
    });
    const [first, ...others] = ranges.map(({ low, high }) =>
      binary(
        '&&',
        binary('>=', toExpression(address), toExpression(numberValue(low))),
        binary('<=', toExpression(address), toExpression(numberValue(high))),
      ),
    );
    if (!first || ranges.length > mostObjects) return;
    this.lowering.guard(
      others.reduce((all, each) => binary('||', all, each), first),
      'index',
    );
  }

  /** The known values of a pointer; none if they are unknown. */
  #pointersOf(address: LoweredValue): readonly number[] {
    if (address.kind === 'number') return [Number(address.number)];
    if (address.kind !== 'expression' || !this.lowering.round.world.facts.asksBases) return [];
    const { known } = askValues(this.lowering, address, 'base');
    return known === 'any' ? [] : known;
  }

  /**
   * The least and the largest index of the elements in the object at `start`; `undefined` if there
   * is no object. The null pointer allows only the index 0.
   */
  #boundsIn(
    start: number,
    stride: number,
  ): { readonly low: number; readonly high: number; readonly size: number } | undefined {
    const object = this.lowering.round.world.image.memory.objectAt(start, 0);
    if (!object) return start === 0 ? { low: 0, high: 0, size: 0 } : undefined;
    return {
      size: object.size,
      low: Math.ceil((object.address - start) / stride),
      high: Math.floor((object.address + object.size - start) / stride),
    };
  }

  /**
   * The index of an element. A computed index gets a guard: an execution with an index outside of
   * the bounds faults.
   */
  #between(index: LoweredValue, least: number, most: number, part: string): LoweredValue {
    if (index.kind !== 'expression') return index;
    let { expression } = index;
    if (expression.kind !== 'register') {
      const into = this.lowering.resultRegister(part);
      this.lowering.emit({ kind: 'assign', into, value: expression });
      expression = registerValue(into);
    }
    const low = binary('>=', expression, constant(least));
    const high = binary('<=', expression, constant(most));
    this.lowering.guard(binary('&&', low, high), 'index');
    return { kind: 'expression', expression };
  }

  #plus(left: LoweredValue, right: LoweredValue, part: string): LoweredValue {
    this.#checkPlaces('add', pointerBits, left, right);
    return this.settled(addressValue('add', left, right), part);
  }

  #select({ condition, type, then, otherwise }: IrOperationOf<'select'>): LoweredValue {
    const test = this.value({ type: { kind: 'int', bits: 1 }, value: condition });
    const [yes, no] = [this.value({ type, value: then }), this.value({ type, value: otherwise })];
    if (test.kind === 'number') return test.number === 0n ? no : yes;
    if (bitsIfInteger(type) > 64) {
      const [one, other] = [halvesOf(yes), halvesOf(no)];
      const [low, high] = [0, 1].map((i) => this.#chosen(test, one[i]!, other[i]!, `.${i}`));
      return ofHalves(low!, high!);
    }
    return this.#chosen(test, wholeValue(yes), wholeValue(no));
  }

  #chosen(test: LoweredValue, yes: LoweredValue, no: LoweredValue, part = ''): LoweredValue {
    const into = this.lowering.resultRegister(part);
    this.lowering.choose(into, toExpression(test), toExpression(yes), toExpression(no));
    return { kind: 'expression', expression: registerValue(into) };
  }

  pointer(value: IrValue): LoweredValue {
    return wholeValue(this.value({ type: { kind: 'pointer' }, value }));
  }

  /** The number of a value that has to be known. Throws `Unsupported`. */
  number(typed: Typed, message = 'a number has to be known here'): bigint {
    const value = this.value(typed);
    if (value.kind === 'number') return value.number;
    throw new Unsupported(message);
  }

  /** Returns the value of an operand at the current instruction. Throws `Unsupported`. */
  value(typed: Typed): LoweredValue {
    const { type, value } = typed;
    const { thread, round } = this.lowering;
    const { image } = round.world;
    switch (value.kind) {
      case 'undefined':
        return nothing;
      case 'other': {
        // Among the other constants, instructions only use the bits of floating-point numbers.
        const bits = floatBits(type, value.text);
        return bits === undefined ? nothing : numberValue(bits);
      }
      case 'local': {
        const known = innermost(this.lowering.state).locals.get(value.name);
        if (!known) throw new Unsupported(`'%${value.name}' has no value here`);
        return known;
      }
      case 'aggregate':
        return { kind: 'parts', parts: value.elements.map((each) => this.value(each)) };
      case 'zero':
        if (type.kind === 'int' || type.kind === 'pointer' || floatSize(type) !== undefined)
          return numberValue(0);
        return {
          kind: 'parts',
          parts: (image.layout.partsOf(type) ?? []).map((part) =>
            this.value({ type: part.type, value }),
          ),
        };
      default:
        return numberValue(
          constantOf(
            image.memory,
            image.layout,
            (name) => round.world.addressFor(thread, name),
            typed,
          ),
        );
    }
  }
}

/** The number of bits of an integer; 0 for other types. */
function bitsIfInteger(type: IrType): number {
  return type.kind === 'int' ? type.bits : 0;
}
