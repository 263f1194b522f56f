import type { Action } from './computation.js';
import type { MachineState } from './machine-state.js';

/** An instruction of a computation, and what it does where there are no store buffers. */
export interface CounterpartStep {
  /** Index into the computation. */
  readonly step: number;
  /** A store is its issue, which reaches memory at once. */
  readonly action: Action;
}

/** The same instructions in the same order under SC. */
export interface Counterpart {
  readonly steps: readonly CounterpartStep[];
  /** At the end. */
  readonly memory: MachineState['memory'];
  /**
   * The step of the computation whose thread does not come to its instruction, since a value that
   * it has read is another one.
   */
  readonly partsAt?: number;
}
