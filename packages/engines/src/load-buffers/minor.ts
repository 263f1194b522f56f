import type { ThreadId } from '@fencewright/model/program/ids.js';
import { isSubword, type Word } from './words.js';

/**
 * The number that stands in a minor (a description of configurations) for any node of a thread, or
 * for any value of a cell.
 */
export const any = -1;
/**
 * The number that stands in a minor (a description of configurations) for the holder of the bus
 * lock if no thread holds the lock.
 */
export const noHolder = -1;

/**
 * A minor: a description of configurations of the machine with load buffers, the configurations
 * above the minor. A configuration above the minor is equal to the minor, except at `any`, and each
 * load buffer contains the minor's word for the thread as a subword.
 */
export interface Minor {
  /**
   * The node of each thread in its graph, or `any` if every node is described; indexed by thread.
   */
  readonly nodes: readonly number[];
  /** The value of each cell, or `any` if every value is described; indexed by cell. */
  readonly memory: readonly number[];
  /**
   * For each thread, a word of which the thread's load buffer contains all letters in order;
   * indexed by thread.
   */
  readonly words: readonly Word[];
  readonly lock: ThreadId | typeof noHolder;
  /** Whether memory is frozen: stores issued from now on do not leave their buffers. */
  readonly isFrozen: boolean;
  /**
   * For each thread, whether the thread issues a further store: 1 for yes, 0 for no, or `any`.
   * Present only if memory is frozen: such a store waits in the thread's store buffer in the state
   * that the target describes. Indexed by thread.
   */
  readonly pending?: readonly number[];
}

/**
 * Whether `minor` describes every configuration described by `other`; the caller has compared
 * nodes, lock and `isFrozen` of the two minors.
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
