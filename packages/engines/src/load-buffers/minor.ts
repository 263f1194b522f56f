import type { ThreadId } from '@fencewright/model/program/ids.js';
import { isSubword, type Word } from './words.js';

/** Any node of a thread, any value of a cell. */
export const any = -1;
/** Nobody holds the bus lock. */
export const nobody = -1;

/**
 * All configurations above it: the same but for what is `any`, with words of which its words are
 * subwords. A configuration of the machine with load buffers: where the threads are, what memory
 * holds, and what each thread has in its buffer.
 */
export interface Minor {
  /** Indexed by thread: node, or `any`. */
  readonly nodes: readonly number[];
  /** Indexed by cell: value, or `any`. */
  readonly memory: readonly number[];
  /** Indexed by thread. */
  readonly words: readonly Word[];
  readonly lock: ThreadId | typeof nobody;
  /** Memory stands still: what threads store from now on stays in their buffers. */
  readonly isFrozen: boolean;
  /**
   * Only while frozen, by thread: whether it stores until then (1), or does not (0), or `any`. What
   * is stored while memory stands still is what waits in the store buffer.
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
