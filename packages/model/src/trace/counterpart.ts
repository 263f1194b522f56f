import type { Action } from './computation.js';
import type { MachineState } from './machine-state.js';

/** An instruction of a computation, with its effect without store buffers. */
export interface CounterpartStep {
  /** The index in the computation of the action that executes the instruction. */
  readonly step: number;
  /** The action under SC; for a store, a single `issue` action represents both issue and store. */
  readonly action: Action;
}

/** The instructions of a TSO computation, run in the original order under SC. */
export interface Counterpart {
  readonly steps: readonly CounterpartStep[];
  /** The contents of memory at the end of the SC run. */
  readonly memory: MachineState['memory'];
  /**
   * The step of the computation at which SC cannot follow, because the step's thread has read a
   * different value before and does not reach the instruction; absent if SC follows to the end.
   */
  readonly partsAt?: number;
}
