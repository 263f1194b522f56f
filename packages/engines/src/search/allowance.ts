import type { Budget } from '@fencewright/ground/base/budget.js';

/** The resources that a search may use. */
export interface Allowance {
  readonly budget: Budget;
  /** The number of states for each phase before other phases get a turn. */
  readonly stage: number;
  /** The current usage of the whole round, and whether the round has found its goal. */
  readonly usage: { readonly states: number; readonly bytes: number; readonly isOver: boolean };
}
