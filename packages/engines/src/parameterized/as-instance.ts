import { at } from '@fencewright/ground/base/at.js';
import { keyOf } from '@fencewright/model/program/expression.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { InstantiatedProgram } from '@fencewright/model/program/instantiate.js';
import type { UnboundedModel } from '@fencewright/model/program/model.js';
import type { Program, Thread } from '@fencewright/model/program/program.js';

/**
 * A program viewed as an instance of a parameterised program that has any number of copies of
 * threads with equal code. Up to the order of threads, irrelevant to robustness, the program is the
 * instance with as many copies as the program has threads of each code. So
 *
 * - if all instances are robust, the program is robust, and
 * - an instance with at most as many copies is the program without some threads: computations of
 *   the instance are computations of the program in which the missing threads do nothing, with
 *   equal happens-before. If the instance is not robust, the program is not.
 *
 * An instance with more copies says nothing about the program.
 */
export interface AsInstance {
  readonly model: UnboundedModel;
  /**
   * For each thread of the templates, the program's threads with the template's code, ascending.
   */
  readonly members: readonly (readonly ThreadId[])[];
}

/** Returns a key of a thread's code. Threads whose code differs only in names have equal keys. */
function codeOf({ registers, locations, initial, transitions }: Thread): string {
  return keyOf([
    registers.map(({ hidden }) => hidden),
    locations.map(({ hidden }) => hidden),
    initial,
    transitions.map(({ from, to, instruction }) => [from, to, instruction]),
  ]);
}

/** Returns the program viewed as an instance; `undefined` if no two threads have equal code. */
export function asInstance(program: Program): AsInstance | undefined {
  const classes = new Map<string, { readonly thread: Thread; readonly ids: ThreadId[] }>();
  program.threads.forEach((thread, id) => {
    const code = codeOf(thread);
    const known = classes.get(code);
    if (known) known.ids.push(id);
    else classes.set(code, { thread, ids: [id] });
  });
  const members = [...classes.values()].map(({ ids }) => ids);
  const unbounded = members.flatMap(({ length }, template) => (length > 1 ? [template] : []));
  if (unbounded.length === 0) return undefined;
  // Properties and invariants name threads that the templates do not have.
  const { invariants: _, ...rest } = program;
  const threads = [...classes.values()].map(({ thread }) => thread);
  const templates: Program = { ...rest, threads, properties: [] };
  return { model: { kind: 'unbounded', templates, unbounded }, members };
}

/**
 * Returns for each thread of the instance a distinct thread of the program with equal code;
 * `undefined` if the instance has more copies than the program.
 */
export function threadsOfInstance(
  { members }: AsInstance,
  { templateOf }: InstantiatedProgram,
): readonly ThreadId[] | undefined {
  const taken = members.map(() => 0);
  const threads = templateOf.map((template) => {
    const copy = at(taken, template);
    taken[template] = copy + 1;
    return members[template]?.[copy];
  });
  return threads.every((thread) => thread !== undefined) ? threads : undefined;
}
