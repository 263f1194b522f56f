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

/**
 * What can settle an attack, in the order in which it is tried: control flow; whether addresses
 * allow a happens-before path; closures of threads by themselves, and in pairs; searches with few
 * active threads, which only find attacks; the search with all threads. In turns with it, what is
 * true of any number of copies of the threads; and a proof.
 */
export const attackStages = [
  'control-flow',
  'static-path',
  'local-closure',
  'pair-closure',
  'few-threads',
  'search',
  'any-number',
  'proof',
] as const;

export type AttackStage = (typeof attackStages)[number];

export interface DecidedAttack {
  readonly attack: Attack;
  readonly verdict: AttackVerdict;
  /** Absent where nothing is known, and where the engine has no stages. */
  readonly settledBy?: AttackStage;
}
