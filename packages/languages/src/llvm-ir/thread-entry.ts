import type { Origin } from '@fencewright/model/program/program.js';
import type { LoweringState } from './lowering-state.js';

/** Where the lowering of a thread begins, with what its locals hold. */
export interface ThreadEntry {
  readonly id: number;
  readonly state: LoweringState;
  /** Copies of code for each choice of numbers: loops that start threads are unrolled. */
  readonly isUnrolled: boolean;
  /** The place of the creation; of code in no function of the user's, the place of its call. */
  readonly origin: Origin;
  /** The cell with the thread's argument, if the creator computes the argument. */
  readonly argument?: { readonly address: number; readonly size: number };
}

/** Receives a refusal and its place. */
export type Refuse = (origin: Origin, message: string, hint?: string) => void;
