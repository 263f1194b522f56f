import type { LocationId } from '../program/ids.js';
import type { OpenProgram } from '../program/open-program.js';
import type { Invariant, StateExpression } from '../program/program.js';
import { computeMemoryLayout, type MemoryLayout } from './memory-layout.js';
import { computeEdges } from './thread-edges.js';
import { computeSteps, type ThreadSteps } from './thread-steps.js';
import type { InvariantExpression } from '../program/program.js';

/** A program cut into steps and variables, as proofs see it. */
export interface ProofProgram extends OpenProgram {
  readonly memory: MemoryLayout;
  /** Indexed by `ThreadId` of `templates`. */
  readonly threads: readonly ThreadSteps[];
}

/** The program for proofs, or why there can be none. Locations that invariants and properties name are resting places. */
export function toProofProgram(
  open: OpenProgram,
  invariants: readonly Invariant[],
): ProofProgram | { readonly unsupported: string } {
  const { templates } = open;
  const observed = templates.threads.map(() => new Set<LocationId>());
  for (const { binders, condition } of invariants)
    forEachLocation(condition, (binder, location) => {
      const thread = binders[binder]?.thread;
      if (thread !== undefined) observed[thread]?.add(location);
    });
  for (const { condition } of templates.properties)
    forEachNamedLocation(condition, (thread, location) => observed[thread]?.add(location));
  const edges = templates.threads.map((thread, id) =>
    computeEdges(thread, templates, observed[id] ?? new Set()),
  );
  const memory = computeMemoryLayout(templates, edges.flat());
  if (!memory)
    return { unsupported: 'addresses are computed, and arrays without bounds have no addresses' };
  const threads: ThreadSteps[] = [];
  for (const [id, thread] of templates.threads.entries()) {
    const steps = computeSteps(id, thread, edges[id] ?? [], observed[id] ?? new Set());
    if ('unsupported' in steps) return steps;
    threads.push(steps);
  }
  return { ...open, memory, threads };
}

function forEachLocation(
  condition: InvariantExpression,
  visit: (binder: number, location: LocationId) => void,
): void {
  switch (condition.kind) {
    case 'at':
      visit(condition.binder, condition.location);
      return;
    case 'cell':
      if (condition.index) forEachLocation(condition.index, visit);
      return;
    case 'unary':
      forEachLocation(condition.operand, visit);
      return;
    case 'binary':
      forEachLocation(condition.left, visit);
      forEachLocation(condition.right, visit);
      return;
    case 'constant':
    case 'ended':
    case 'register':
      return;
  }
}

function forEachNamedLocation(
  condition: StateExpression,
  visit: (thread: number, location: LocationId) => void,
): void {
  switch (condition.kind) {
    case 'at':
      visit(condition.thread, condition.location);
      return;
    case 'unary':
      forEachNamedLocation(condition.operand, visit);
      return;
    case 'binary':
      forEachNamedLocation(condition.left, visit);
      forEachNamedLocation(condition.right, visit);
      return;
    case 'constant':
    case 'ended':
    case 'drained':
    case 'register':
    case 'memory':
      return;
  }
}
