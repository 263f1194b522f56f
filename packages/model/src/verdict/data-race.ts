import type { ThreadId, TransitionId } from '../program/ids.js';
import type { FreedUse } from './freed-use.js';
import type { UnknownReason } from './unknown-reason.js';

/** An access that takes part in a data race: its thread and its instruction. */
export interface RacingAccess {
  readonly thread: ThreadId;
  readonly transition: TransitionId;
}

/**
 * A data race of a program in C: in a state reachable under SC, both threads are about to access
 * the cell, at least one stores, and at least the first access is plain.
 */
export interface DataRace {
  readonly address: number;
  readonly accesses: readonly [RacingAccess, RacingAccess];
}

/** The data races and uses of freed memory found in a program in C. */
export interface RaceFindings {
  /** The races that were found, one for each pair of places in the text, in order. */
  readonly races: readonly DataRace[];
  /**
   * The reason why there may be more races: the limit that ended the search; `unsupported` if
   * executions end in faults, or a thread computes without end. Absent if all races were found.
   */
  readonly incomplete?: UnknownReason;
  /** The uses of freed memory that were found, one for each place in the text, in order. */
  readonly freedUses: readonly FreedUse[];
}
