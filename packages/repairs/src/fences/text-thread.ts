import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';

/**
 * Returns the thread that represents the text of a thread in repair items: the first copy of its
 * template, or the thread itself. A fence in the text of `thread t[3]` is one fence, in each of the
 * copies.
 */
export function textThread(program: Program, thread: ThreadId): ThreadId {
  const template = program.threads[thread]?.copy?.template;
  if (template === undefined) return thread;
  return program.threads.findIndex(({ copy }) => copy?.template === template);
}

/** Returns the threads with the same text as `thread`, `thread` included. */
export function threadsOfText(program: Program, thread: ThreadId): readonly ThreadId[] {
  return program.threads.flatMap((_, other) =>
    textThread(program, other) === textThread(program, thread) ? [other] : [],
  );
}
