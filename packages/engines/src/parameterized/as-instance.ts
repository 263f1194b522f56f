import { at } from '@fencewright/ground/base/at.js';
import { keyOf } from '@fencewright/model/program/expression.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Instance } from '@fencewright/model/program/instantiate.js';
import type { UnboundedModel } from '@fencewright/model/program/model.js';
import type { Program, Thread } from '@fencewright/model/program/program.js';

/**
 * A program as one of the instances of a program with any number of copies of those threads that
 * have the same code. Up to the order of threads, which robustness does not depend on, it is the
 * instance with as many copies as it has threads of each code. So
 *
 * - where all instances are robust it is robust, and
 * - an instance with at most as many copies is the program without some threads: its computations
 *   are computations of the program, in which these threads do nothing, with the same
 *   happens-before. If it is not robust the program is not.
 *
 * An instance with more copies says nothing about the program.
 */
export interface AsInstance {
  readonly model: UnboundedModel;
  /** Indexed by thread of the templates: the program's threads with its code, ascending. */
  readonly members: readonly (readonly ThreadId[])[];
}

/** Equal for threads that are copies of each other: the names are all that they may differ in. */
function codeOf({ registers, locations, initial, transitions }: Thread): string {
  return keyOf([
    registers.map(({ hidden }) => hidden),
    locations.map(({ hidden }) => hidden),
    initial,
    transitions.map(({ from, to, instruction }) => [from, to, instruction]),
  ]);
}

/** The program in that view; `undefined` where no two threads have the same code. */
export function asInstance(program: Program): AsInstance | undefined {
  const classes = new Map<string, ThreadId[]>();
  program.threads.forEach((thread, id) => {
    const code = codeOf(thread);
    classes.set(code, [...(classes.get(code) ?? []), id]);
  });
  const members = [...classes.values()];
  const unbounded = members.flatMap(({ length }, template) => (length > 1 ? [template] : []));
  if (unbounded.length === 0) return undefined;
  // Properties and invariants speak of threads that the templates have not.
  const { invariants: _, ...rest } = program;
  const threads = members.map(([first = 0]) => at(program.threads, first));
  const templates: Program = { ...rest, threads, properties: [] };
  return { model: { kind: 'unbounded', templates, unbounded }, members };
}

/**
 * For each thread of the instance a thread of the program with the same code, all different;
 * `undefined` where the instance has more copies than the program.
 */
export function threadsOfInstance(
  { members }: AsInstance,
  { templateOf }: Instance,
): readonly ThreadId[] | undefined {
  const taken = members.map(() => 0);
  const threads = templateOf.map((template) => {
    const copy = at(taken, template);
    taken[template] = copy + 1;
    return members[template]?.[copy];
  });
  return threads.every((thread) => thread !== undefined) ? threads : undefined;
}
