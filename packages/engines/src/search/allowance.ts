import type { Budget } from '@fencewright/ground/base/budget.js';

/** The limits of a search in one stage, and the numbers of states and bytes used so far. */
export interface Allowance {
  readonly budget: Budget;
  /** The maximum number of states for the search of each phase in this stage. */
  readonly stage: number;
  /**
   * The numbers of states and bytes of all searches of the round so far, and whether the round has
   * reached its goal.
   */
  readonly usage: { readonly states: number; readonly bytes: number; readonly isOver: boolean };
}
