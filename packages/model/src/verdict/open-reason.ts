import type { ThreadId } from '../program/ids.js';
import type { UnknownReason } from './unknown-reason.js';

/** The reason why a question about all instances has no answer. */
export type OpenReason =
  | { readonly kind: 'limit'; readonly reason: UnknownReason }
  /** Store buffers were bounded, and stores had to wait for room. */
  | { readonly kind: 'buffer' }
  /** Executions end in faults. */
  | { readonly kind: 'faults' }
  /** The cell at this address has too many values to be distinguished. */
  | { readonly kind: 'values'; readonly address: number }
  /** The thread by itself already has too many states. */
  | { readonly kind: 'thread-states'; readonly thread: ThreadId }
  /**
   * The claim depends on the state at the end of all threads, which is only supported for given
   * numbers of copies.
   */
  | { readonly kind: 'ends' }
  /** The question compares states, which is only supported for given numbers of copies. */
  | { readonly kind: 'instances' }
  /**
   * For programs in C: the final states known to single threads only are too many to compare. The
   * shared part of the states is equal.
   */
  | { readonly kind: 'alone' };
