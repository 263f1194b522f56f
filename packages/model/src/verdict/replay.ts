import type { Program } from '../program/program.js';
import type { Computation } from '../trace/computation.js';
import type { Counterpart } from '../trace/counterpart.js';
import type { MachineState } from '../trace/machine-state.js';

/**
 * The states of a witness's computation under TSO: `states[0]` is initial, `states[i + 1]` follows
 * action `i`.
 */
export interface Replay {
  readonly states: readonly MachineState[];
  /**
   * The same instructions executed without store buffers, under SC; absent if not compared with SC.
   */
  readonly counterpart?: Counterpart;
}

/** The execution that shows an answer: how TSO affects claims or states. */
export interface AnswerRun {
  /** The program of the execution: the checked one, or the instance that shows the answer. */
  readonly program: Program;
  readonly computation: Computation;
  readonly replay: Replay;
}
