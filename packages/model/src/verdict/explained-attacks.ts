import type { DecidedAttack } from './attack.js';
import type { Replay } from './replay.js';
import type { Witness } from './verdict.js';

/** An execution of an attack, and its replay. */
export interface AttackExecution {
  readonly witness: Witness;
  readonly replay: Replay;
}

/** The attacks shown by `explain`, with executions. */
export interface ExplainedAttacks {
  /** The name by which attacks were selected; absent if all were. */
  readonly name?: string;
  /** The verdicts on the attacks, in the order of the program. */
  readonly attacks: readonly DecidedAttack[];
  /**
   * Executions of the attacks, in the order of `attacks`, at most one for each feasible attack;
   * missing executions were not searched for, or not found within the limits.
   */
  readonly executions: readonly AttackExecution[];
}
