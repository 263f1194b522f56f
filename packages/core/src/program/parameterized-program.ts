import { mapLeaves } from './expression.js';
import type { ThreadId } from './ids.js';
import type { Program, StateExpression, Thread } from './program.js';

/**
 * A program with any number of copies of some threads ([BDM13] Sect. 6): all its instances at once, one for each choice of numbers, 0
 * included. Engines for programs take none; `instantiate` gives them an instance.
 */
export interface ParameterizedProgram {
  /** One thread for each template and each thread of its own. Properties speak of the latter and of memory only. */
  readonly templates: Program;
  /** The threads of `templates` of which there are any number of copies, ascending; not empty. */
  readonly unbounded: readonly ThreadId[];
}

/** The name of a thread's copy: `thief[0]`. */
export function copyName(template: string, index: number): string {
  return `${template}[${index}]`;
}

/** The copy `index` of a template. */
export function copyOf(template: Thread, index: number): Thread {
  return {
    ...template,
    name: copyName(template.name, index),
    copy: { template: template.name, index },
  };
}

/** An instance of a parameterised program. */
export interface Instance {
  readonly program: Program;
  /** Indexed by `ThreadId` of the instance: its thread in `templates`. */
  readonly templateOf: readonly ThreadId[];
}

/**
 * The instance with `counts[t]` copies of each unbounded thread `t` of `templates`; the entries of other threads are not looked at.
 * Copies stand where their template stood, numbered from 0.
 */
export function instantiate(
  { templates, unbounded }: ParameterizedProgram,
  counts: readonly number[],
): Instance {
  const threads: Thread[] = [];
  const templateOf: ThreadId[] = [];
  const first: ThreadId[] = [];
  templates.threads.forEach((thread, id) => {
    first.push(threads.length);
    const count = unbounded.includes(id) ? (counts[id] ?? 0) : 1;
    for (let index = 0; index < count; index++) {
      templateOf.push(id);
      threads.push(unbounded.includes(id) ? copyOf(thread, index) : thread);
    }
  });
  const properties = templates.properties.map((property) => ({
    ...property,
    condition: renumber(property.condition, (thread) => first[thread] ?? thread),
  }));
  return { program: { ...templates, threads, properties }, templateOf };
}

function renumber(
  condition: StateExpression,
  renamed: (thread: ThreadId) => ThreadId,
): StateExpression {
  return mapLeaves(condition, (leaf) =>
    leaf.kind === 'memory' ? leaf : { ...leaf, thread: renamed(leaf.thread) },
  );
}
