import type { Expression } from '@fencewright/model/program/expression.js';
import type { Bytes } from './bytes.js';
import type { RegisterId } from '@fencewright/model/program/ids.js';
import type { Origin } from '@fencewright/model/program/program.js';
import type { LoweringState } from './lowering-state.js';
import type { ThreadOutputs } from './outputs.js';
import type { FaultReason, LockManner, LoweredStep } from './step.js';
import type { Typed } from './syntax.js';
import type { LoweredValue } from './value.js';
import type { Round } from './world.js';

/** A thread during lowering, at some instruction of its code. */
export interface Lowering {
  readonly round: Round;
  /** The number of the thread that is being lowered; 0 for `main`. */
  readonly thread: number;
  /**
   * Whether the code is specialised for each combination of known numbers; loops are then unrolled.
   */
  readonly isUnrolled: boolean;
  readonly state: LoweringState;
  /**
   * Whether the instruction that is being lowered is in a function of the library of the headers.
   */
  readonly isInLibrary: boolean;
  /** The source place of the instruction that is being lowered. */
  readonly origin: Origin;
  /** Counts `steps` lowered instructions towards the limit of the thread. Throws `Unsupported`. */
  readonly spend: (steps: number) => void;
  /** Counts the instructions from here on as part of `main` after its last join. */
  readonly beginTail: () => void;
  /**
   * Appends a step; control continues after the step. `isInner`: no fence can be inserted before
   * the step.
   */
  readonly emit: (step: LoweredStep, isInner?: boolean) => void;
  /** Notes that a load or store at the current point of the path needs no step. */
  readonly noteKnownAccess: (does: 'load' | 'store', address: number, size: number) => void;
  /** Ends the path that is being lowered, after a last step if given. */
  readonly end: (step?: LoweredStep) => never;
  /**
   * Continues the path if the condition holds; otherwise the execution faults, for the given
   * reason.
   */
  readonly guard: (condition: Expression, reason: FaultReason) => void;
  /** A register for the result of the current instruction, or for a part of the result. */
  readonly resultRegister: (part?: string) => RegisterId;
  /** Emits steps that set a register to `then` or `otherwise`, depending on the condition. */
  readonly choose: (
    into: RegisterId,
    condition: Expression,
    then: Expression,
    otherwise: Expression,
  ) => void;
  /**
   * Runs the current instruction once for each of `ways`, functions that return the result or end
   * the path. All paths continue after the instruction; `met` is called first there.
   */
  readonly inEachWay: (ways: readonly (() => LoweredValue)[], met?: () => void) => never;
  /** Returns the value of an operand at the current point of the path. Throws `Unsupported`. */
  readonly value: (typed: Typed) => LoweredValue;
  /** Sets the result of the current instruction and moves on to the next instruction. */
  readonly finish: (result: string | undefined, value: LoweredValue) => void;
  /** Begins a section that the thread executes under the bus lock. */
  readonly lock: (how?: LockManner) => void;
  readonly unlock: (isInner?: boolean) => void;
  /** Ends the current thread; `value` is the thread's result, returned by a join. */
  readonly endThread: (value: LoweredValue) => never;
  /** The outputs of the thread: printed values and results. */
  readonly outputs: ThreadOutputs;
}

/** Whether a load of the bytes runs in `main` before threads start, as far as is known. */
export function isEarlyLoad({ round, state }: Lowering, { address, size }: Bytes): boolean {
  const { facts } = round.world;
  return state.isTrunk && !facts.isLate(`load${address}`) && !facts.isAwaited({ address, size });
}

/**
 * Whether no other thread runs: `main` has joined all threads, and no joined thread started
 * threads.
 */
export function runsAlone({ round, state, thread }: Lowering): boolean {
  const { created, joined } = state;
  return thread === 0 && !round.world.hasNested && created.every((id) => joined.includes(id));
}
