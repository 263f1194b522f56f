import type { ThreadId } from '../program/ids.js';
import type { UnknownReason } from './unknown-reason.js';

/** The reason why there is no answer. */
export type OpenReason =
  | { readonly kind: 'limit'; readonly reason: UnknownReason }
  /** Buffers were bounded, and stores had to wait for room. */
  | { readonly kind: 'buffer' }
  /** Executions end in faults. */
  | { readonly kind: 'faults' }
  /** The cell at this address has too many values to be distinguished. */
  | { readonly kind: 'values'; readonly address: number }
  /** The thread alone has too many states. */
  | { readonly kind: 'thread-states'; readonly thread: ThreadId }
  /**
   * The claim depends on the state at the end of all threads, which is only supported for given
   * numbers of copies.
   */
  | { readonly kind: 'ends' }
  /** States are compared for given numbers of copies only. */
  | { readonly kind: 'instances' }
  /**
   * For programs in C: the final states local to threads are too many. The shared part of the
   * states is equal.
   */
  | { readonly kind: 'alone' };
