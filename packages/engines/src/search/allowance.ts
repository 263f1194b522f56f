import type { Budget } from '@fencewright/ground/base/budget.js';

/** The resources that a search may use in one stage. */
export interface Allowance {
  readonly budget: Budget;
  /**
   * The number of states up to which each phase may be searched before other phases have a turn.
   */
  readonly stage: number;
  /**
   * The number of states and bytes used by all searches of the round so far, and whether the round
   * has reached its goal.
   */
  readonly usage: { readonly states: number; readonly bytes: number; readonly isOver: boolean };
}
