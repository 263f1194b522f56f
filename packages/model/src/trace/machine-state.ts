import type { LocationId, ThreadId, TransitionId } from '../program/ids.js';

/** A store that was issued, but has not reached memory. */
export interface BufferedStore {
  /** The index of the instruction that issued the store. */
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
  /** The values of the registers, indexed by thread, then by `RegisterId`. */
  readonly registers: readonly (readonly number[])[];
  /** The content of memory: the value at each address; absent addresses hold 0. */
  readonly memory: ReadonlyMap<number, number>;
  /** The store buffer of each thread, indexed by `ThreadId`, the oldest store first. */
  readonly buffers: readonly (readonly BufferedStore[])[];
  readonly lockHolder?: ThreadId;
  /**
   * For each thread, the threads for whose buffers its heavy fence waits, ascending; empty for a
   * thread that is in no heavy fence. Absent if no thread is in a heavy fence.
   */
  readonly asked?: readonly (readonly ThreadId[])[];
}
