import type { Exceptions } from './exceptions.js';
import type { FunctionFlow } from './flow.js';
import type { IrInstruction } from './syntax.js';
import { at } from '@fencewright/ground/base/at.js';
import type { Value } from './value.js';

/** A call that has not returned. */
export interface Frame {
  readonly flow: FunctionFlow;
  /** The calls that lead to it. */
  readonly path: string;
  readonly locals: Map<string, Value>;
  /** The index of the block. */
  block: number;
  /** The label of the block before. */
  previous: string;
  /** The index of the instruction in its block. */
  next: number;
  /** The addresses of what was made by `alloca`. */
  readonly objects: { readonly address: number; readonly size: number }[];
  /** The whole call is under the bus lock. */
  readonly isAtomic: boolean;
  /** Several functions may have been called from there. */
  readonly isOneOfSeveral: boolean;
}

/** A cell that nobody else has, and what is in it. */
export interface OwnCell {
  readonly size: number;
  readonly value: Value;
  /** It is a piece of an integer that was loaded piece by piece from what others see. */
  readonly isTorn?: true;
}

/** Where a thread is while it is lowered, and what is known of its values. */
export interface LoweringState {
  /** The outermost first; not empty. */
  readonly frames: Frame[];
  /** By address. */
  readonly cells: Map<number, OwnCell>;
  /** How many blocks each call of `malloc` has given. */
  readonly pools: Map<string, Value>;
  /** How many sections under the bus lock it is in. */
  locks: number;
  /** Threads that it has started, and joined, in ascending order. */
  readonly created: number[];
  readonly joined: number[];
  /** There was no choice so far, and there is but one way here. */
  isTrunk: boolean;
  /** Those that were thrown and have not ended. */
  exceptions: Exceptions;
  /** Where code that is never shown was called that has accessed memory; empty if that is over. */
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

export function innermost({ frames }: LoweringState): Frame {
  return frames.at(-1)!;
}

/** The instruction that the frame is at: that to come, or the call that has not returned. */
export function instructionAt({ flow, block, next }: Frame): IrInstruction {
  return at(at(flow.of.blocks, block).instructions, next);
}
