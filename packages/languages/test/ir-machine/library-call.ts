import type { Shape } from './shape.js';
import { Fault } from './stop.js';
import { fromBytes, toBytes, toNumber, type Value } from './value.js';
import type { World } from './world.js';

/** `waits`: others see the step, and it was not to be made, or it cannot be made yet. */
export type Outcome = 'done' | 'waits';

/** A call of a function that the program does not have. */
export interface LibraryCall {
  readonly id: number;
  readonly name: string;
  readonly operands: readonly Value[];
  /** Whether the step may be one that others see. */
  readonly isSeen: boolean;
  /** What it returns. */
  readonly shape: Shape;
}

/** What a call comes to: a value, or that it cannot be made yet, or has to be made again. */
export type Result = { readonly value: Value } | 'waits' | 'again';

export const int: Shape = { kind: 'integer', bits: 32, size: 4 };
export const byte: Shape = { kind: 'integer', bits: 8, size: 1 };
export const long: Shape = { kind: 'integer', bits: 64, size: 8 };

export const zero: Result = { value: 0 };
export const nothing: Result = { value: undefined };

/** A function of a library, over memory of the program. */
export type LibraryFunction = (call: Calling) => Result;

/** A call with what its function needs to do it. */
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

  /** Others may see it, and nobody has said that it may be. */
  get isTooEarly(): boolean {
    return !this.call.isSeen && !this.world.isAlone(this.id);
  }

  get isDrained(): boolean {
    return this.world.look(this.id).buffer.length === 0;
  }

  /** Whether a locked instruction has to wait. */
  get hasToWait(): boolean {
    return this.isTooEarly || !this.isDrained;
  }

  /** What is in memory, without being an access. */
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

  /** A locked instruction. */
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

  /** Runs a function of the program; the call is made again behind that. */
  callback(address: number, operands: readonly Value[]): Result {
    const frame = this.world.frameOf(this.world.codeAt(address), operands, true);
    this.world.thread(this.id).frames.push(frame);
    return 'again';
  }
}
