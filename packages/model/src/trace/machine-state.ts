import type { LocationId, ThreadId, TransitionId } from '../program/ids.js';

/** A store that was issued, but has not reached memory. */
export interface BufferedStore {
  /** The instruction that issued the store. */
  readonly transition: TransitionId;
  readonly address: number;
  readonly value: number;
}

/**
 * A state of the TSO machine ([BDM13] Sect. 2); under SC the buffers are always empty. `locations`,
 * `registers` and `buffers` are indexed by `ThreadId`.
 */
export interface MachineState {
  readonly locations: readonly LocationId[];
  /** Indexed by thread, then by `RegisterId`. */
  readonly registers: readonly (readonly number[])[];
  /** The value at each address; absent addresses hold 0. */
  readonly memory: ReadonlyMap<number, number>;
  /** The buffer of each thread, the oldest store first. */
  readonly buffers: readonly (readonly BufferedStore[])[];
  readonly lockHolder?: ThreadId;
  /**
   * Indexed by thread: the threads whose buffers the thread's heavy fence waits for, ascending;
   * empty for a thread that is in no heavy fence. Absent if no thread is in a heavy fence.
   */
  readonly asked?: readonly (readonly ThreadId[])[];
}
