import type { ThreadId } from '@fencewright/model/program/ids.js';
import { isSubword, type Word } from './words.js';

/** Any node of a thread, any value of a cell. */
export const any = -1;
/** Nobody holds the bus lock. */
export const nobody = -1;

/**
 * The set of all configurations above the minor: equal to the minor except at `any`, and with words
 * that contain the minor's words as subwords. A configuration of the machine with load buffers
 * consists of the threads' nodes, memory, and the contents of each thread's buffer.
 */
export interface Minor {
  /** Indexed by thread: node, or `any`. */
  readonly nodes: readonly number[];
  /** Indexed by cell: value, or `any`. */
  readonly memory: readonly number[];
  /** Indexed by thread. */
  readonly words: readonly Word[];
  readonly lock: ThreadId | typeof nobody;
  /** Whether memory stands still: stores issued from now on stay in their buffers. */
  readonly isFrozen: boolean;
  /**
   * Only while frozen, by thread: whether the thread still stores (1), does not store (0), or
   * `any`. Stores issued while memory stands still are the stores waiting in the store buffer.
   */
  readonly pending?: readonly number[];
}

/** Whether each configuration above `other` is above `minor`, if nodes, lock and freezing agree. */
export function covers(minor: Minor, other: Minor): boolean {
  for (let cell = 0; cell < minor.memory.length; cell++) {
    const value = minor.memory[cell]!;
    if (value !== any && value !== other.memory[cell]) return false;
  }
  for (let t = 0; t < minor.words.length; t++)
    if (!isSubword(minor.words[t]!, other.words[t]!)) return false;
  return true;
}
