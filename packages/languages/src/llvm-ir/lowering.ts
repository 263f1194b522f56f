import type { Expression } from '@fencewright/model/program/expression.js';
import type { RegisterId } from '@fencewright/model/program/ids.js';
import type { Origin } from '@fencewright/model/program/program.js';
import type { LoweringState } from './lowering-state.js';
import type { EndOfThread } from './outputs.js';
import type { FaultReason, Step, WideLoad } from './step.js';
import type { Typed } from './syntax.js';
import type { Value } from './value.js';
import type { Round } from './world.js';

/** A thread that is being lowered, at some instruction of its code. */
export interface Lowering {
  readonly round: Round;
  /** Its number; `main` is 0. */
  readonly thread: number;
  /** Code has a copy for each choice of numbers. */
  readonly isUnrolled: boolean;
  readonly state: LoweringState;
  /** The current instruction is of a function of the library of the headers. */
  readonly isInLibrary: boolean;
  /** Of the current instruction. */
  readonly origin: Origin;
  /** Notes that what is done counts for so many instructions. Throws `Unsupported`. */
  readonly spend: (steps: number) => void;
  /** Appends a step; control goes on behind it. `isInner`: no fence can stand before it. */
  readonly emit: (step: Step, isInner?: boolean) => void;
  /** Appends a step, if any, behind which control ends. */
  readonly end: (step?: Step) => never;
  /** Goes on where the condition holds; the execution faults elsewhere. */
  readonly guard: (condition: Expression, reason: FaultReason) => void;
  /** A register for the result of the current instruction, or a part of it. */
  readonly resultRegister: (part?: string) => RegisterId;
  /** Sets a register to the first or the second value, as the condition holds or does not. */
  readonly choose: (
    into: RegisterId,
    condition: Expression,
    then: Expression,
    otherwise: Expression,
  ) => void;
  /**
   * Does the current instruction in each of several ways, which give its result or end; control
   * goes on behind it, where `met` is called first.
   */
  readonly inEachWay: (ways: readonly (() => Value)[], met?: () => void) => never;
  /** Throws `Unsupported`. */
  readonly value: (typed: Typed) => Value;
  /** Gives the current instruction its result, and goes on to the next. */
  readonly finish: (result: string | undefined, value: Value) => void;
  /** Begins and ends sections under the bus lock; `wideLoad` is the load that it is there for. */
  readonly lock: (wideLoad?: WideLoad) => void;
  readonly unlock: (isInner?: boolean) => void;
  /** The thread ends, and gives a value to who joins it. */
  readonly endThread: (value: Value) => never;
  /** What it gives to the outside. */
  readonly outputs: EndOfThread;
}
