import type { Shape } from './shape.js';
import { Fault } from './stop.js';
import { fromBytes, toBytes, toNumber, type Value } from './value.js';
import type { World } from './world.js';

/**
 * The result of an attempt to execute a step. `waits`: the step is not possible yet, or visible to
 * other threads while only invisible steps are allowed.
 */
export type Outcome = 'done' | 'waits';

/** A call of a function that the program does not define. */
export interface LibraryCall {
  readonly id: number;
  readonly name: string;
  readonly operands: readonly Value[];
  /** Whether the current step may be one that is visible to other threads. */
  readonly isSeen: boolean;
  /** The shape (layout in memory) of the returned value. */
  readonly shape: Shape;
}

/**
 * The result of a call: a value; `waits` if the call is not possible yet; `again` if the call has
 * further steps.
 */
export type Result = { readonly value: Value } | 'waits' | 'again';

export const int: Shape = { kind: 'integer', bits: 32, size: 4 };
export const byte: Shape = { kind: 'integer', bits: 8, size: 1 };
export const long: Shape = { kind: 'integer', bits: 64, size: 8 };

export const zero: Result = { value: 0 };
export const nothing: Result = { value: undefined };

/** A function of a library, over memory of the program. */
export type LibraryFunction = (call: Calling) => Result;

/** A call of a library function, and the operations that the function needs. */
export class Calling {
  constructor(
    readonly world: World,
    readonly call: LibraryCall,
  ) {}

  get id(): number {
    return this.call.id;
  }

  value(index: number): Value {
    const value = this.call.operands[index];
    if (value === undefined) throw new Fault('use of a value that is not there');
    return value;
  }

  number(index: number): number {
    return toNumber(this.value(index));
  }

  /** Whether the call is visible to other threads while only invisible steps are allowed. */
  get isTooEarly(): boolean {
    return !this.call.isSeen && !this.world.isAlone(this.id);
  }

  get isDrained(): boolean {
    return this.world.look(this.id).buffer.length === 0;
  }

  /** Whether the step is a locked instruction that is not possible yet. */
  get hasToWait(): boolean {
    return this.isTooEarly || !this.isDrained;
  }

  /** Returns a value in memory without making an access. */
  peek(address: number, shape: Shape = int): number {
    const { piece } = this.world.piece(address, shape.size);
    const value = fromBytes(shape, piece.bytes, address - piece.base);
    if (value === undefined) throw new Fault('use of a value that is not there');
    return toNumber(value);
  }

  load(address: number, shape: Shape = int): number {
    const value = fromBytes(shape, this.world.load(this.id, address, shape.size));
    if (value === undefined) throw new Fault('use of a value that is not there');
    return toNumber(value);
  }

  /** Stores a value as a locked instruction does. */
  put(address: number, value: number, shape: Shape = int): void {
    const wanted = shape === long ? BigInt(value) : shape === int ? value >>> 0 : value;
    this.world.modify(this.id, address, toBytes(shape, wanted));
  }

  get phase(): number {
    return this.world.look(this.id).phase;
  }

  setPhase(phase: number): void {
    this.world.thread(this.id).phase = phase;
  }

  /** Runs a function of the program; the library call continues after its return. */
  callback(address: number, operands: readonly Value[]): Result {
    const frame = this.world.frameOf(this.world.codeAt(address), operands, true);
    this.world.thread(this.id).frames.push(frame);
    return 'again';
  }
}
