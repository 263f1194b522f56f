import type { DecidedAttack } from './attack.js';
import type { Replay } from './replay.js';
import type { Witness } from './verdict.js';

/** An execution that carries an attack out, and its replay. */
export interface AttackExecution {
  readonly witness: Witness;
  readonly replay: Replay;
}

/** The attacks that somebody wants to see, and the executions that carry them out. */
export interface ExplainedAttacks {
  /** What they were asked for by; absent where all of them were. */
  readonly name?: string;
  /** In the order of the program. */
  readonly attacks: readonly DecidedAttack[];
  /**
   * In the same order, at most one for each feasible attack; those of further ones were not looked
   * for, or not found within the limits.
   */
  readonly executions: readonly AttackExecution[];
}
