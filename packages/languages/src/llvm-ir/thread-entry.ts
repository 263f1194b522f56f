import type { Origin } from '@fencewright/model/program/program.js';
import type { LoweringState } from './lowering-state.js';

/** The start of a thread's lowering, with the contents of locals. */
export interface ThreadEntry {
  readonly id: number;
  readonly state: LoweringState;
  /**
   * Whether the code is specialised for each combination of known numbers; loops that start threads
   * are then unrolled.
   */
  readonly isUnrolled: boolean;
  /**
   * The place of the creation. If the creation is in hidden code, the place of the call into that
   * code.
   */
  readonly origin: Origin;
  /** The cell with the thread's argument, if the creator computes the argument. */
  readonly argument?: { readonly address: number; readonly size: number };
}

/** Receives a refusal and its place. */
export type Refuse = (origin: Origin, message: string, hint?: string) => void;
