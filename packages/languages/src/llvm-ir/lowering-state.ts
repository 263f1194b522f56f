import type { Exceptions } from './exceptions.js';
import type { FunctionFlow } from './flow.js';
import type { IrInstruction } from './syntax.js';
import { at } from '@fencewright/ground/base/at.js';
import type { LoweredValue } from './value.js';

/** A call that is in progress during lowering. */
export interface CallFrame {
  readonly flow: FunctionFlow;
  /** A text that identifies the call by the chain of calls in progress. */
  readonly path: string;
  readonly locals: Map<string, LoweredValue>;
  /** The index, in the called function, of the block that is being lowered. */
  block: number;
  /** The label of the block from which control came to the current block of the call. */
  previous: string;
  /** The index of the current instruction of the call in the current block. */
  next: number;
  /** The addresses and sizes of the objects that the call created by `alloca`. */
  readonly objects: { readonly address: number; readonly size: number }[];
  /** Whether the whole call is executed while the thread holds the bus lock. */
  readonly isAtomic: boolean;
  /** Whether the call is one of several candidates for a call through a pointer. */
  readonly isOneOfSeveral: boolean;
}

/** A cell accessed by a single thread only, with the known content. */
export interface OwnCell {
  readonly size: number;
  readonly value: LoweredValue;
  /** Whether the cell is a piece of an integer loaded piece by piece from shared memory. */
  readonly isTorn?: true;
  /**
   * The value of the 8 bytes of which this cell is a part after a cut; absent for a cell that was
   * not cut.
   */
  readonly cutFrom?: bigint;
}

/** The position of a thread during lowering, with the known values. */
export interface LoweringState {
  /** The calls of the thread that are in progress, the outermost first; not empty. */
  readonly frames: CallFrame[];
  /** By address, the contents of the cells accessed by this thread alone. */
  readonly cells: Map<number, OwnCell>;
  /**
   * By call of `malloc`, the number of blocks that the thread has allocated by the call so far; by
   * `freedBlock` and an address, 1 if the thread has freed the block there, and 0 otherwise.
   */
  readonly pools: Map<string, LoweredValue>;
  /** The number of nested sections of the thread's code under the bus lock. */
  locks: number;
  /** The numbers of the threads started so far by this thread, in ascending order. */
  readonly created: number[];
  /** The numbers of the threads joined so far by this thread, in ascending order. */
  readonly joined: number[];
  /** Whether control reaches the thread's position on a single path, without any branch. */
  isTrunk: boolean;
  /** The exceptions of the thread that were thrown and have not ended. */
  exceptions: Exceptions;
  /**
   * The call from user code into library code that has accessed memory; empty once control has left
   * the library code.
   */
  hiddenAt: string;
}

/** The beginning of the keys of `pools` about freed blocks. */
export const freedBlock = 'freed ';

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
