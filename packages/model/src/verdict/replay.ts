import type { Program } from '../program/program.js';
import type { Computation } from '../trace/computation.js';
import type { Counterpart } from '../trace/counterpart.js';
import type { MachineState } from '../trace/machine-state.js';

/**
 * The run of a witness through the TSO semantics: `states[0]` is initial, `states[i + 1]` follows
 * action `i` of the computation.
 */
export interface Replay {
  readonly states: readonly MachineState[];
  /** Absent if not compared with SC. */
  readonly counterpart?: Counterpart;
}

/** The execution that shows the effect of TSO on claims and states. */
export interface AnswerRun {
  /** The checked program, or the instance that shows the answer. */
  readonly program: Program;
  readonly computation: Computation;
  readonly replay: Replay;
}
