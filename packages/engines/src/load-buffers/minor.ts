import type { ThreadId } from '@fencewright/model/program/ids.js';
import { isSubword, type Word } from './words.js';

/** In a minor, in place of a thread's node or a cell's value: every node or value is meant. */
export const any = -1;
/** In a minor, in place of the lock holder: no thread holds the bus lock. */
export const noHolder = -1;

/**
 * A set of configurations of the machine with load buffers, whose configurations consist of the
 * threads' nodes, memory, and the contents of each thread's buffer. The set contains ("above" the
 * minor) the configurations that are equal to the minor, except at `any`, and whose buffers contain
 * the minor's words as subwords.
 */
export interface Minor {
  /** The node of each thread, or `any`; indexed by thread. */
  readonly nodes: readonly number[];
  /** The value of each cell, or `any`; indexed by cell. */
  readonly memory: readonly number[];
  /** Indexed by thread. */
  readonly words: readonly Word[];
  readonly lock: ThreadId | typeof noHolder;
  /** Whether memory no longer changes: stores issued from now on do not leave their buffers. */
  readonly isFrozen: boolean;
  /**
   * Only if `isFrozen`: whether each thread still stores (1), does not (0), or `any`; indexed by
   * thread. Stores issued while memory does not change are the stores that wait in the thread's
   * store buffer.
   */
  readonly pending?: readonly number[];
}

/**
 * Whether each configuration above `other` is above `minor`; the nodes, lock and `isFrozen` of the
 * two minors must already agree.
 */
export function covers(minor: Minor, other: Minor): boolean {
  for (let cell = 0; cell < minor.memory.length; cell++) {
    const value = minor.memory[cell]!;
    if (value !== any && value !== other.memory[cell]) return false;
  }
  for (let t = 0; t < minor.words.length; t++)
    if (!isSubword(minor.words[t]!, other.words[t]!)) return false;
  return true;
}
