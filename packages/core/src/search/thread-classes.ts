import type { ThreadId } from '../program/ids.js';
import type { Program, Thread } from '../program/program.js';

/** Threads with the same code, each class in ascending order; classes in the order of their first threads. */
export type ThreadClasses = readonly (readonly ThreadId[])[];

function codeOf({ registers, locations, initial, transitions }: Thread): string {
  const steps = transitions.map(({ from, to, instruction }) => [from, to, instruction]);
  return JSON.stringify([registers.length, locations.length, initial, steps]);
}

/** The classes of threads that run the same code; without `symmetry` every thread is alone. */
export function threadClasses(program: Program, symmetry: boolean): ThreadClasses {
  const classes = new Map<string, ThreadId[]>();
  program.threads.forEach((thread, t) => {
    const key = symmetry ? codeOf(thread) : `${t}`;
    const known = classes.get(key);
    if (known) known.push(t);
    else classes.set(key, [t]);
  });
  return [...classes.values()];
}
