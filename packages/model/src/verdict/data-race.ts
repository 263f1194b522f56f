import type { ThreadId, TransitionId } from '../program/ids.js';
import type { UnknownReason } from './unknown-reason.js';

/** An access of a thread. */
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

/** The findings on data races of a program. */
export interface RaceFindings {
  /** One race for each pair of places in the text, in order. */
  readonly races: readonly DataRace[];
  /**
   * Why there may be more races: the limit that ended the search; `unsupported` if executions end
   * in faults, or a thread computes without end. Absent if all races were found.
   */
  readonly incomplete?: UnknownReason;
}
