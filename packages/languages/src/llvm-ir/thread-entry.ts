import type { Origin } from '@fencewright/model/program/program.js';
import type { LoweringState } from './lowering-state.js';

/** The data from which the lowering of a thread starts, with the contents of locals. */
export interface ThreadEntry {
  readonly id: number;
  readonly state: LoweringState;
  /**
   * Whether the code is specialised for each combination of known numbers; loops that start threads
   * are then unrolled.
   */
  readonly isUnrolled: boolean;
  /**
   * The source place of the call that creates the thread. If the call is in library code that is
   * never shown, the place of the call into that code.
   */
  readonly origin: Origin;
  /** The cell with the thread's argument, if the creator computes the argument. */
  readonly argument?: { readonly address: number; readonly size: number };
}

/** Called with a refusal of the program and its place. */
export type Refuse = (origin: Origin, message: string, hint?: string) => void;
