import type { LocationId, ThreadId } from '../program/ids.js';
import type { Program } from '../program/program.js';
import type { Computation } from '../trace/computation.js';
import type { MachineState } from '../trace/machine-state.js';
import type { OpenReason } from './open-reason.js';

/** A thread that waits, loops or changes memory for ever and never ends. */
export interface WaitingThread {
  readonly thread: ThreadId;
  /**
   * The behaviour of the thread for ever. `waits`: waits in vain for a change of memory; `busy`:
   * loops without accessing memory; `endless`: changes memory and never ends.
   */
  readonly kind: 'waits' | 'busy' | 'endless';
  /**
   * The locations between which the thread moves from then on, ascending; several locations form a
   * loop.
   */
  readonly places: readonly LocationId[];
  /** The addresses read by the thread at these locations, ascending. */
  readonly reads: readonly number[];
}

/**
 * A state from which threads wait for ever under TSO, but not without store buffers, or not in the
 * same way.
 */
export interface Hang {
  /**
   * The threads that would not wait for ever without store buffers. Empty if TSO and SC differ only
   * in combinations of waiting threads, or in their locations.
   */
  readonly threads: readonly ThreadId[];
  /** All threads that wait for ever from the state on, in order. */
  readonly waiting: readonly WaitingThread[];
  /**
   * The state in which the waiting begins: all buffers are empty, and from here on the threads wait
   * without using buffers.
   */
  readonly state: MachineState;
  /** A computation from the initial state to `state`, where the waiting begins. */
  readonly computation: Computation;
}

/** A state at rest: all threads have ended or wait for ever, and some thread waits. */
export interface WaitingState {
  /** The state at rest: all buffers are empty; registers have the values that users see. */
  readonly state: MachineState;
  /** Whether SC reaches this state at rest as well, as far as users can distinguish states. */
  readonly isSequential: boolean;
  /** The threads that have not ended in the state, in order. */
  readonly waiting: readonly WaitingThread[];
}

/** A thread still waiting at the end of the process, and joined by no thread. */
export interface LeftThread {
  readonly waiting: WaitingThread;
  /** Whether an execution under SC may leave the thread waiting in the same way. */
  readonly isSequential: boolean;
}

/**
 * Returns the waiting threads without those that wait only for the ends of other waiting threads;
 * all waiting threads if none would remain.
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

/** The findings about threads that wait for ever. */
export type HangFindings =
  | {
      readonly kind: 'found';
      /**
       * The states from which threads wait for ever under TSO but not under SC; empty if there are
       * none.
       */
      readonly hangs: readonly Hang[];
      /**
       * The threads that wait for ever under SC, each with its locations in one state of waiting;
       * absent if not computed.
       */
      readonly underSc?: readonly WaitingThread[];
      /**
       * The threads of `underSc` that wait although the program means them to end: a deadlock;
       * absent if not computed.
       */
      readonly deadlocked?: readonly WaitingThread[];
      /**
       * The states at rest, under SC and under TSO, in which threads wait; absent if not computed.
       */
      readonly atRest?: readonly WaitingState[];
      /** The threads that still wait when the process ends, each once; absent if not computed. */
      readonly left?: readonly LeftThread[];
    }
  | { readonly kind: 'unknown'; readonly why: OpenReason };

/** The threads that wait for ever without store buffers although the program means them to end. */
export type DeadlockFindings =
  /** The threads that wait for ever; possibly empty. */
  | { readonly kind: 'found'; readonly waiting: readonly WaitingThread[] }
  | { readonly kind: 'unknown'; readonly why: OpenReason };

/** Returns the deadlocked threads among the findings; unknown if not computed. */
export function deadlocksIn(hangs: HangFindings): DeadlockFindings {
  if (hangs.kind === 'unknown') return hangs;
  const { deadlocked: waiting } = hangs;
  if (waiting) return { kind: 'found', waiting };
  return { kind: 'unknown', why: { kind: 'limit', reason: 'undecided' } };
}
