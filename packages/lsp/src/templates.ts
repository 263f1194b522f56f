import { inspectedProgram, type Model, type Program, threadModel } from '@fencewright/core';

/**
 * Returns the thread of the program as written that corresponds to a thread of `about`: the
 * template of a copy, or the thread itself.
 */
export function asWritten(about: Program, model: Model, thread: number): number {
  const template = about.threads[thread]?.copy?.template;
  const threads = threadModel(model);
  if (template === undefined || !threads) return thread;
  const index = inspectedProgram(threads).threads.findIndex(
    ({ name, copy }) => name === template || copy?.template === template,
  );
  return index < 0 ? thread : index;
}
