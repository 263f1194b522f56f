import type { ThreadId } from '../program/ids.js';
import type { Witness } from './verdict.js';

/**
 * Returns the witness with threads renamed; the thread with the new id must have the code of the
 * thread with the old id.
 */
export function withThreads(witness: Witness, renamed: (thread: ThreadId) => ThreadId): Witness {
  return {
    ...witness,
    attack: { ...witness.attack, thread: renamed(witness.attack.thread) },
    computation: witness.computation.map((action) => ({
      ...action,
      thread: renamed(action.thread),
    })),
  };
}

/** Returns the witness with two threads of equal code exchanged. */
export function renameThreads(witness: Witness, a: ThreadId, b: ThreadId): Witness {
  if (a === b) return witness;
  return withThreads(witness, (thread) => (thread === a ? b : thread === b ? a : thread));
}
