import type { ThreadId, TransitionId } from '../program/ids.js';
import type { Computation } from '../trace/computation.js';
import type { MemoryModel } from '../trace/memory-model.js';
import type { UnknownReason } from './unknown-reason.js';

/** An instruction that takes part in a data race, or in a use of freed memory, and its thread. */
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

/**
 * A use of freed memory of a program in C: in an execution, an instruction accesses the
 * cell, or frees its block, after another instruction has freed the block, which was not allocated
 * again in between.
 */
export interface FreedUse {
  readonly address: number;
  /** The name of the cell: of a variable, else by its block. */
  readonly cell: string;
  /** The instruction that accesses the cell, or frees the block again. */
  readonly use: RacingAccess;
  /** The instruction that freed the block earlier in the execution found. */
  readonly free: RacingAccess;
  /** SC, or a memory model under which alone the use was found. */
  readonly model: MemoryModel;
  /**
   * The execution that was found: its last action is the use. Absent if the execution fails an
   * assertion before.
   */
  readonly computation?: Computation;
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
  /** The reason why there may be more uses of freed memory; has the same values as `incomplete`. */
  readonly freedIncomplete?: UnknownReason;
}
