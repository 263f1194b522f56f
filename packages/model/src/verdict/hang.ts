import type { LocationId, ThreadId } from '../program/ids.js';
import type { Computation } from '../trace/computation.js';
import type { MachineState } from '../trace/machine-state.js';
import type { OpenReason } from './open-reason.js';

/** A thread that never gets on any more. */
export interface WaitingThread {
  readonly thread: ThreadId;
  /**
   * `waits`: for memory that nobody changes; `busy`: it goes round without memory; `endless`: it
   * changes memory for ever and never comes to its end.
   */
  readonly kind: 'waits' | 'busy' | 'endless';
  /** Where the thread stands from then on, ascending; several are a loop. */
  readonly places: readonly LocationId[];
  /** The addresses of what the thread reads there, ascending. */
  readonly reads: readonly number[];
}

/** Threads that wait for ever under TSO and not, or not so, without store buffers. */
export interface Hang {
  /**
   * Without store buffers each of these always gets on. Empty where it is only that threads wait
   * together, or at places, as they never do without store buffers.
   */
  readonly threads: readonly ThreadId[];
  /** All that never get on from the state, in the order of threads. */
  readonly waiting: readonly WaitingThread[];
  /** All buffers are empty; from here on none is needed for the threads to wait. */
  readonly state: MachineState;
  /** Leads to the state. */
  readonly computation: Computation;
}

/** Who waits for ever. */
export type HangFindings =
  | {
      readonly kind: 'found';
      /** Under TSO and not under SC; empty if nobody. */
      readonly hangs: readonly Hang[];
      /** The threads that SC lets wait for ever, each as in one such state, where it was asked. */
      readonly underSc?: readonly WaitingThread[];
    }
  | { readonly kind: 'unknown'; readonly why: OpenReason };
