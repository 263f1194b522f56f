import type { ThreadId, TransitionId } from '../program/ids.js';

/**
 * An attack ([BDM13] Def. 1): the attacker, the first store it delays, the last load that overtakes
 * it; in a lowered event program `load` may be a posting.
 */
export interface Attack {
  readonly thread: ThreadId;
  readonly store: TransitionId;
  readonly load: TransitionId;
}

/**
 * `by-cfg`: every path of the control flow from the store to the load drains the store buffer, no
 * search was needed.
 */
export type AttackVerdict = 'feasible' | 'infeasible' | 'by-cfg' | 'unknown';

export interface DecidedAttack {
  readonly attack: Attack;
  readonly verdict: AttackVerdict;
}
