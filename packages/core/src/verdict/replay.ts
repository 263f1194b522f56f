import type { Counterpart } from '../trace/counterpart.js';
import type { MachineState } from '../trace/machine-state.js';

/**
 * The run of a witness through the TSO semantics: `states[0]` is initial, `states[i + 1]` follows
 * action `i` of the computation.
 */
export interface Replay {
  readonly states: readonly MachineState[];
  /** Absent where nobody compares with SC. */
  readonly counterpart?: Counterpart;
}
