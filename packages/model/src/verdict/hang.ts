import type { LocationId, ThreadId } from '../program/ids.js';
import type { Program } from '../program/program.js';
import type { Computation } from '../trace/computation.js';
import type { MachineState } from '../trace/machine-state.js';
import type { OpenReason } from './open-reason.js';

/** A thread that never progresses any more. */
export interface WaitingThread {
  readonly thread: ThreadId;
  /**
   * How the thread waits. `waits`: for memory that never changes; `busy`: loops without accessing
   * memory; `endless`: changes memory for ever and never ends.
   */
  readonly kind: 'waits' | 'busy' | 'endless';
  /**
   * The locations at which the thread is from the state on, ascending; several locations form a
   * loop.
   */
  readonly places: readonly LocationId[];
  /** The addresses read at these locations, ascending. */
  readonly reads: readonly number[];
}

/**
 * A state from which threads wait for ever under TSO, but not, or not in this way, without store
 * buffers.
 */
export interface Hang {
  /**
   * The threads that always progress without store buffers. Empty if TSO and SC differ only in
   * combinations of waiting threads, or in their locations.
   */
  readonly threads: readonly ThreadId[];
  /** All threads that never progress from the state, in order. */
  readonly waiting: readonly WaitingThread[];
  /**
   * The state in which the waiting begins: all buffers are empty, and from here on the threads wait
   * without using buffers.
   */
  readonly state: MachineState;
  /** The computation to the state. */
  readonly computation: Computation;
}

/** A state at rest: all threads have ended or wait for ever, and some thread waits. */
export interface WaitingState {
  /** All buffers are empty; registers are as users know them. */
  readonly state: MachineState;
  /** Whether SC comes to rest in this state as well, as far as users see the state. */
  readonly isSequential: boolean;
  /** The threads that have not ended, in order. */
  readonly waiting: readonly WaitingThread[];
}

/** A thread that still waits when the process ends, and that no other thread joins. */
export interface LeftThread {
  readonly waiting: WaitingThread;
  /** Whether an execution under SC may leave the thread waiting in the same way. */
  readonly isSequential: boolean;
}

/**
 * Returns the waiting threads without those that wait only for the ends of others among them; all
 * of them if nothing would be left.
 */
export function withoutJoiners(
  { threads }: Program,
  waiting: readonly WaitingThread[],
): readonly WaitingThread[] {
  const ends = new Set(waiting.map(({ thread }) => threads[thread]?.done));
  const first = waiting.filter(
    ({ reads }) => reads.length === 0 || !reads.every((address) => ends.has(address)),
  );
  return first.length > 0 ? first : waiting;
}

/** The ways in which threads wait for ever, if computed. */
export type HangFindings =
  | {
      readonly kind: 'found';
      /** Hangs under TSO but not under SC; empty if there are none. */
      readonly hangs: readonly Hang[];
      /**
       * The threads that wait for ever under SC, each with its locations in one such state; absent
       * if not computed.
       */
      readonly underSc?: readonly WaitingThread[];
      /**
       * The threads of `underSc` that wait although the program means them to end: a deadlock;
       * absent if not computed.
       */
      readonly deadlocked?: readonly WaitingThread[];
      /** The states at rest of both models; absent if not computed. */
      readonly atRest?: readonly WaitingState[];
      /** The threads that processes leave behind, each once; absent if not computed. */
      readonly left?: readonly LeftThread[];
    }
  | { readonly kind: 'unknown'; readonly why: OpenReason };

/** The threads that wait for ever without store buffers although the program means them to end. */
export type DeadlockFindings =
  /** The threads that wait for ever; empty if there are none. */
  | { readonly kind: 'found'; readonly waiting: readonly WaitingThread[] }
  | { readonly kind: 'unknown'; readonly why: OpenReason };

/** Returns the deadlocked threads among those that wait for ever; unknown if not computed. */
export function deadlocksIn(hangs: HangFindings): DeadlockFindings {
  if (hangs.kind === 'unknown') return hangs;
  const { deadlocked: waiting } = hangs;
  if (waiting) return { kind: 'found', waiting };
  return { kind: 'unknown', why: { kind: 'limit', reason: 'undecided' } };
}
