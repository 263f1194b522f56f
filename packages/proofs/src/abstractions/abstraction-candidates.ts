import type { ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import type { Thread } from '@fencewright/model/program/program.js';
import { weakenRmw } from '@fencewright/model/program/weak-rmw.js';
import { abstractLoad, type LoadRelaxation } from './abstract-load.js';
import { relaxationsOf } from './relaxations.js';

/**
 * A replacement of a memory access by one with more behaviours: a load may return more values, or
 * an rmw may fail at any time.
 */
export type Relaxation = LoadRelaxation | { readonly kind: 'may-fail' };

/**
 * A relaxation of an access that was inferred and is not in the program's text; the access keeps
 * its id.
 */
export interface InferredAbstraction {
  readonly thread: ThreadId;
  readonly transition: TransitionId;
  readonly relaxation: Relaxation;
}

/** Returns the program with the abstraction in place of the access. */
export function applyAbstraction(
  open: Templates,
  { thread, transition, relaxation }: InferredAbstraction,
): Templates {
  if (relaxation.kind !== 'may-fail') return abstractLoad(open, { thread, transition, relaxation });
  const owner = open.templates.threads[thread];
  if (!owner) return open;
  const threads = open.templates.threads.with(thread, weakenRmw(owner, transition));
  return { ...open, templates: { ...open.templates, threads } };
}

/** Returns the abstractions to try for an access, most precise first. */
export function candidatesFor(
  { templates }: Templates,
  thread: Thread,
  access: TransitionId,
): readonly Relaxation[] {
  if (thread.transitions[access]?.instruction.kind !== 'rmw')
    return relaxationsOf(templates, thread, access);
  return weakenRmw(thread, access) === thread ? [] : [{ kind: 'may-fail' }];
}
