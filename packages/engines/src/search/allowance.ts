import type { Budget } from '@fencewright/ground/base/budget.js';

/**
 * The limits of a search up to the end of its present stage, and the numbers of states and bytes
 * used so far. In each stage, a search may store twice as many states as in the stage before.
 */
export interface Allowance {
  readonly budget: Budget;
  /** The maximum number of states for the search of each phase in this stage. */
  readonly stage: number;
  /**
   * The numbers of states and bytes of all searches that belong to the same `AttackRound`.
   * `isOver`: one attack is enough, and was found.
   */
  readonly usage: { readonly states: number; readonly bytes: number; readonly isOver: boolean };
}
