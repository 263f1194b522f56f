import type { Expression } from '@fencewright/model/program/expression.js';
import type { RegisterId } from '@fencewright/model/program/ids.js';
import type { Origin } from '@fencewright/model/program/program.js';
import type { LoweringState } from './lowering-state.js';
import type { EndOfThread } from './outputs.js';
import type { FaultReason, Step, WideLoad } from './step.js';
import type { Typed } from './syntax.js';
import type { Value } from './value.js';
import type { Round } from './world.js';

/** A thread during lowering, at some instruction of its code. */
export interface Lowering {
  readonly round: Round;
  /** The number of the thread; `main` is 0. */
  readonly thread: number;
  /**
   * Whether the code is specialised for each combination of known numbers; loops are then unrolled.
   */
  readonly isUnrolled: boolean;
  readonly state: LoweringState;
  /** Whether the current instruction is in a function of the library of the headers. */
  readonly isInLibrary: boolean;
  /** The source place of the current instruction. */
  readonly origin: Origin;
  /** Counts `steps` instructions against the limit. Throws `Unsupported`. */
  readonly spend: (steps: number) => void;
  /** Appends a step; control goes on behind it. `isInner`: no fence can stand before it. */
  readonly emit: (step: Step, isInner?: boolean) => void;
  /** Appends a step, if any, behind which control ends. */
  readonly end: (step?: Step) => never;
  /** Continues if the condition holds; otherwise the execution faults. */
  readonly guard: (condition: Expression, reason: FaultReason) => void;
  /** A register for the result of the current instruction, or for a part of the result. */
  readonly resultRegister: (part?: string) => RegisterId;
  /** Sets a register to `then` or `otherwise`, depending on the condition. */
  readonly choose: (
    into: RegisterId,
    condition: Expression,
    then: Expression,
    otherwise: Expression,
  ) => void;
  /**
   * Runs the current instruction in each of several ways, each of which returns the result or ends.
   * All ways continue after the instruction; `met` is called first there.
   */
  readonly inEachWay: (ways: readonly (() => Value)[], met?: () => void) => never;
  /** The value of an operand. Throws `Unsupported`. */
  readonly value: (typed: Typed) => Value;
  /** Sets the result of the current instruction and moves on to the next instruction. */
  readonly finish: (result: string | undefined, value: Value) => void;
  /** Begins and ends sections under the bus lock; `wideLoad` is the load that it is there for. */
  readonly lock: (wideLoad?: WideLoad) => void;
  readonly unlock: (isInner?: boolean) => void;
  /** The thread ends, and gives a value to who joins it. */
  readonly endThread: (value: Value) => never;
  /** The outputs of the thread. */
  readonly outputs: EndOfThread;
}
