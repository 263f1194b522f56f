import type { ThreadId } from '../program/ids.js';
import type { Witness } from './verdict.js';

/** The witness with threads renamed; each new thread must have the code of the old thread. */
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

/** The witness with two threads of equal code exchanged. */
export function renameThreads(witness: Witness, a: ThreadId, b: ThreadId): Witness {
  if (a === b) return witness;
  return withThreads(witness, (thread) => (thread === a ? b : thread === b ? a : thread));
}
