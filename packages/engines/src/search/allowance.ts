import type { Budget } from '@fencewright/ground/base/budget.js';

/** What a search may use. */
export interface Allowance {
  readonly budget: Budget;
  /** States for each phase before other phases get their turn. */
  readonly stage: number;
  /** What the whole round uses now, and whether it has found what it looked for. */
  readonly usage: { readonly states: number; readonly bytes: number; readonly isOver: boolean };
}
