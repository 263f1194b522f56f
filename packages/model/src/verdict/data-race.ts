import type { ThreadId, TransitionId } from '../program/ids.js';
import type { UnknownReason } from './unknown-reason.js';

/** An access of a thread. */
export interface RacingAccess {
  readonly thread: ThreadId;
  readonly transition: TransitionId;
}

/**
 * A data race of a program in C: in a state that is reachable under SC, both threads come to their
 * accesses of the cell, one of them stores, and one, the first of the two at least, is plain.
 */
export interface DataRace {
  readonly address: number;
  readonly accesses: readonly [RacingAccess, RacingAccess];
}

/** What is known of the data races of a program. */
export interface RaceFindings {
  /** One for each pair of places in the text, in their order. */
  readonly races: readonly DataRace[];
  /**
   * Why there may be more: which limit ended the search; `unsupported` where executions end in
   * faults, or a thread computes without end. Absent where all races were found.
   */
  readonly incomplete?: UnknownReason;
}
