import type { ThreadModel } from './model.js';
import type { Program, Thread } from './program.js';

/**
 * The effect of time-outs of waits. `end`: waits end by their time-outs. `never`: progress must not
 * rely on time-outs.
 */
export type Timeouts = 'end' | 'never';

function chancesOnly(thread: Thread): Thread {
  if (!thread.transitions.some(({ luck }) => luck === 'time-out')) return thread;
  const transitions = thread.transitions.map((transition) =>
    transition.luck === 'time-out' ? { ...transition, luck: 'chance' as const } : transition,
  );
  return { ...thread, transitions };
}

function inProgram(program: Program): Program {
  return { ...program, threads: program.threads.map(chancesOnly) };
}

/**
 * Returns the model in which time-outs happen only by chance: progress must not rely on time-outs.
 */
export function withoutTimeouts(model: ThreadModel): ThreadModel {
  if (model.kind !== 'finite')
    return {
      ...model,
      templates: { ...model.templates, threads: model.templates.threads.map(chancesOnly) },
    };
  const { program, observed } = model;
  return {
    ...{ ...model, program: inProgram(program) },
    ...(observed && { observed: inProgram(observed) }),
  };
}
