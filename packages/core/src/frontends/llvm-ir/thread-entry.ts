import type { Origin } from '../../program/program.js';
import type { LoweringState } from './lowering-state.js';

/** Where the lowering of a thread begins, with what its locals hold. */
export interface ThreadEntry {
  readonly id: number;
  readonly state: LoweringState;
  /** Copies of code for each choice of numbers: loops that start threads are unrolled. */
  readonly isUnrolled: boolean;
  /** Where it is started; that of what is in no function of the user's. */
  readonly origin: Origin;
  /** Where it finds its argument, if that is computed when it is started. */
  readonly argument?: { readonly address: number; readonly size: number };
}

/** Receives what is refused, with where. */
export type Refuse = (origin: Origin, message: string, hint?: string) => void;
