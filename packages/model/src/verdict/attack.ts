import type { ThreadId, TransitionId } from '../program/ids.js';

/**
 * An attack ([BDM13] Def. 1): the attacking thread, the first store that the thread delays, and the
 * last load that overtakes the store; in a lowered event program `load` may be a posting.
 */
export interface Attack {
  readonly thread: ThreadId;
  readonly store: TransitionId;
  readonly load: TransitionId;
}

/**
 * The verdict on one attack. `by-cfg`: infeasible, as every path of the control flow from the store
 * to the load drains the store buffer; no search was needed.
 */
export type AttackVerdict = 'feasible' | 'infeasible' | 'by-cfg' | 'unknown';

/**
 * The stages that can settle an attack, in the order tried: control flow; whether addresses allow a
 * happens-before path; closures of single threads, and of pairs; searches with few active threads,
 * and directed searches, which can only find attacks; the search with all threads. While this last
 * search runs, two more stages have turns: facts that hold for any number of copies of the threads,
 * and a proof.
 */
export const attackStages = [
  'control-flow',
  'static-path',
  'local-closure',
  'pair-closure',
  'few-threads',
  'directed',
  'search',
  'any-number',
  'proof',
] as const;

export type AttackStage = (typeof attackStages)[number];

export interface DecidedAttack {
  readonly attack: Attack;
  readonly verdict: AttackVerdict;
  /**
   * The stage that settled the attack; absent if the attack is not settled, or if the engine has no
   * stages.
   */
  readonly settledBy?: AttackStage;
}
