import type { ThreadId } from '../program/ids.js';
import type { UnknownReason } from './unknown-reason.js';

/** Why there is no answer. */
export type OpenReason =
  | { readonly kind: 'limit'; readonly reason: UnknownReason }
  /** Buffers were given a bound, and stores had to wait for room. */
  | { readonly kind: 'buffer' }
  /** Executions end in faults. */
  | { readonly kind: 'faults' }
  /** The cell at this address has more values than can be told apart. */
  | { readonly kind: 'values'; readonly address: number }
  /** The thread by itself is in too many states. */
  | { readonly kind: 'thread-states'; readonly thread: ThreadId }
  /** The claim looks at where all threads have ended, which is asked of given numbers of copies. */
  | { readonly kind: 'ends' }
  /** States are compared for given numbers of copies only. */
  | { readonly kind: 'instances' }
  /**
   * Of programs in C: what one thread alone knows at its end takes too many states. What threads
   * share is the same.
   */
  | { readonly kind: 'alone' };
