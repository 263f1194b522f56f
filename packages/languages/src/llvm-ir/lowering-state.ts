import type { Exceptions } from './exceptions.js';
import type { FunctionFlow } from './flow.js';
import type { IrInstruction } from './syntax.js';
import { at } from '@fencewright/ground/base/at.js';
import type { LoweredValue } from './value.js';

/** A call in progress. */
export interface CallFrame {
  readonly flow: FunctionFlow;
  /** A text that identifies the call, made of the surrounding calls. */
  readonly path: string;
  readonly locals: Map<string, LoweredValue>;
  /** The index of the block. */
  block: number;
  /** The label of the previous block. */
  previous: string;
  /** The index of the instruction in its block. */
  next: number;
  /** The objects created by `alloca`. */
  readonly objects: { readonly address: number; readonly size: number }[];
  /** Whether the whole call runs under the bus lock. */
  readonly isAtomic: boolean;
  /** Whether the call is one of several candidates for a call through a pointer. */
  readonly isOneOfSeveral: boolean;
}

/** A cell that a single thread accesses, with the content. */
export interface OwnCell {
  readonly size: number;
  readonly value: LoweredValue;
  /** Whether the cell is a piece of an integer loaded piece by piece from shared memory. */
  readonly isTorn?: true;
  /** The value of the 8 bytes from which the cell was cut; absent for a cell that was not cut. */
  readonly cutFrom?: bigint;
}

/** The position of a thread during lowering, with the known values. */
export interface LoweringState {
  /** The calls in progress, the outermost first; not empty. */
  readonly frames: CallFrame[];
  /** The thread's own cells, by address. */
  readonly cells: Map<number, OwnCell>;
  /** By call of `malloc`, the number of blocks allocated so far. */
  readonly pools: Map<string, LoweredValue>;
  /** The number of nested sections under the bus lock. */
  locks: number;
  /** The threads that this thread has started, in ascending order. */
  readonly created: number[];
  /** The threads that this thread has joined, in ascending order. */
  readonly joined: number[];
  /** Whether a single path leads here, without any choice. */
  isTrunk: boolean;
  /** The exceptions that were thrown and have not ended. */
  exceptions: Exceptions;
  /** The call into hidden code that has accessed memory; empty once control has left that code. */
  hiddenAt: string;
}

export function copyState(state: LoweringState): LoweringState {
  return {
    ...state,
    frames: state.frames.map((frame) => ({
      ...frame,
      locals: new Map(frame.locals),
      objects: [...frame.objects],
    })),
    cells: new Map(state.cells),
    pools: new Map(state.pools),
    created: [...state.created],
    joined: [...state.joined],
  };
}

export function innermost({ frames }: LoweringState): CallFrame {
  return frames.at(-1)!;
}

/** The instruction at a frame: the next one, or the call in progress. */
export function instructionAt({ flow, block, next }: CallFrame): IrInstruction {
  return at(at(flow.of.blocks, block).instructions, next);
}
