import { instantiate, type InstantiatedProgram, type UnboundedModel } from '@fencewright/core';

/** Returns all instances with at most `most` threads. */
export function smallInstances(
  program: UnboundedModel,
  most: number,
): readonly InstantiatedProgram[] {
  const { templates, unbounded } = program;
  let choices: readonly (readonly number[])[] = [[]];
  for (const t of templates.threads.keys()) {
    const counts = unbounded.includes(t) ? Array.from({ length: most + 1 }, (_, n) => n) : [1];
    choices = choices.flatMap((choice) => counts.map((count) => [...choice, count]));
  }
  return choices
    .filter((choice) => choice.reduce((sum, count) => sum + count, 0) <= most)
    .map((choice) => instantiate(program, choice));
}
