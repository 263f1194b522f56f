import type { ThreadId, TransitionId } from '../program/ids.js';
import type { UnknownReason } from './unknown-reason.js';

/** The thread and the instruction of an access that takes part in a race. */
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

/** The data races found in a program in C. */
export interface RaceFindings {
  /** The races found, one for each pair of places in the text, in order. */
  readonly races: readonly DataRace[];
  /**
   * Why there may be more races: the limit that ended the search; `unsupported` if executions end
   * in faults, or a thread computes without end. Absent if all races were found.
   */
  readonly incomplete?: UnknownReason;
}
