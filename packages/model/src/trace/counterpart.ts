import type { Action } from './computation.js';
import type { MachineState } from './machine-state.js';

/** An instruction of a computation, with its effect if there are no store buffers. */
export interface CounterpartStep {
  /** Index into the computation. */
  readonly step: number;
  /** The action under SC; for a store, its issue stands for issue and store. */
  readonly action: Action;
}

/** The instructions of a computation run in the original order under SC. */
export interface Counterpart {
  readonly steps: readonly CounterpartStep[];
  /** Memory at the end. */
  readonly memory: MachineState['memory'];
  /**
   * The step of the computation whose thread does not reach its instruction, because of a different
   * value read before.
   */
  readonly partsAt?: number;
}
