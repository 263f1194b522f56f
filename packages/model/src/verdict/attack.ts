import type { ThreadId, TransitionId } from '../program/ids.js';

/**
 * An attack ([BDM13] Def. 1): the attacking thread, the first store that the thread delays, and the
 * last load that overtakes the store; in an event program that was converted to threads, `load` may
 * be the posting of a task.
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
 * The methods that can decide an attack, in the order tried: control flow; whether addresses allow
 * a happens-before path; closures of single threads, and of pairs; searches with few active
 * threads, and directed searches, which can only find attacks; the search with all threads. While
 * this last search runs, two more methods take turns with it: facts that hold for any number of
 * copies of the threads, and a proof.
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
   * The method that decided the attack; absent if the attack is not decided, or if the engine
   * distinguishes no methods.
   */
  readonly settledBy?: AttackStage;
}
