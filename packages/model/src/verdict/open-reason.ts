import type { ThreadId } from '../program/ids.js';
import type { UnknownReason } from './unknown-reason.js';

/** The reason why a question about all instances has no answer. */
export type OpenReason =
  | { readonly kind: 'limit'; readonly reason: UnknownReason }
  /** Store buffers were bounded, and stores had to wait because a buffer was full. */
  | { readonly kind: 'buffer' }
  /** Executions of the program end in faults. */
  | { readonly kind: 'faults' }
  /** The cell at this address may hold too many values for the method. */
  | { readonly kind: 'values'; readonly address: number }
  /** The thread with this number has too many states even when running alone. */
  | { readonly kind: 'thread-states'; readonly thread: ThreadId }
  /**
   * The claim depends on the state at the end of all threads, which is only supported for given
   * numbers of copies.
   */
  | { readonly kind: 'ends' }
  /** The question compares states, which is only supported for given numbers of copies. */
  | { readonly kind: 'instances' }
  /** No search supports the program, and no proof of the claim was found. */
  | { readonly kind: 'no-proof' }
  /**
   * For programs in C: comparing the parts of final states that only one thread knows takes too
   * many states. The shared parts of the states are equal.
   */
  | { readonly kind: 'alone' };
