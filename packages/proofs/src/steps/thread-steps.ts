import { areOpposite, type Expression } from '@fencewright/model/program/expression.js';
import type { LocationId, ThreadId } from '@fencewright/model/program/ids.js';
import type { Thread } from '@fencewright/model/program/program.js';
import type { Unprovable } from '@fencewright/model/verdict/prove-result.js';
import { isLocalOperation, type OperationEdge, type Step } from './operation.js';

/**
 * A thread divided into steps between resting places (locations at which other threads can observe
 * the thread).
 */
export interface ThreadSteps {
  readonly thread: ThreadId;
  /** The resting places: the locations at which the thread can be observed, ascending. */
  readonly places: readonly LocationId[];
  readonly steps: readonly Step[];
  readonly edges: readonly OperationEdge[];
  /** Whether a thread at a location holds the bus lock; indexed by `LocationId`. */
  readonly isLocked: readonly boolean[];
}

/** The reason why a program or a thread cannot be divided into steps. */
export interface UnsupportedSteps {
  readonly unsupported: Unprovable;
}

/** The maximum number of steps of one thread; a thread with more is not supported. */
const mostSteps = 5000;

/**
 * Returns a thread cut into steps. A step starts with an access, a whole lock block, or a local
 * operation, and goes on through local operations to the next resting place. Resting places are the
 * start, the ends, locations from which an access or a lock leaves, locations `observed` from
 * outside, and locations at which a thread can be stuck or run for ever without an access:
 * locations in between are invisible from outside.
 */
export function computeSteps(
  id: ThreadId,
  thread: Thread,
  edges: readonly OperationEdge[],
  observed: ReadonlySet<LocationId>,
): ThreadSteps | UnsupportedSteps {
  const outgoing: OperationEdge[][] = thread.locations.map(() => []);
  for (const edge of edges) outgoing[edge.from]?.push(edge);
  const locks = findLocked(thread, outgoing);
  if (!locks) return { unsupported: { kind: 'ambiguous-lock', thread: id } };
  const { reachable, isLocked } = locks;
  const isPossible = ({ from, operation }: OperationEdge): boolean =>
    operation.kind !== (isLocked[from] ? 'lock' : 'unlock');
  for (const [location, leaving] of outgoing.entries())
    outgoing[location] = leaving.filter(isPossible);
  const places = new Set<LocationId>([thread.initial]);
  for (const location of thread.locations.keys())
    if (reachable[location] && !isLocked[location])
      if (observed.has(location) || isResting(outgoing[location] ?? [])) places.add(location);
  for (const location of closesLocalCycle(outgoing, places, isLocked)) places.add(location);
  const steps: Step[] = [];
  const walk = (
    path: readonly OperationEdge[],
    seen: ReadonlySet<LocationId>,
  ): Unprovable | undefined => {
    const last = path.at(-1)!;
    if (steps.length > mostSteps) return { kind: 'many-paths', thread: id };
    if (places.has(last.to)) {
      steps.push({ thread: id, from: path[0]!.from, to: last.to, edges: path });
      return undefined;
    }
    if (seen.has(last.to)) return { kind: 'loop-in-block', thread: id };
    const further = new Set([...seen, last.to]);
    for (const edge of outgoing[last.to] ?? []) {
      const problem = walk([...path, edge], further);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
  for (const place of places)
    for (const edge of outgoing[place] ?? []) {
      const problem = walk([edge], new Set());
      if (problem !== undefined) return { unsupported: problem };
    }
  const ordered = [...places].sort((a, b) => a - b);
  return {
    thread: id,
    places: ordered,
    steps,
    edges: edges.filter((edge) => reachable[edge.from] && isPossible(edge)),
    isLocked,
  };
}

/**
 * Returns the reachable locations, and the locations reached with the bus lock held; `undefined` if
 * a location is reached both with and without the lock.
 */
function findLocked(
  thread: Thread,
  outgoing: readonly (readonly OperationEdge[])[],
): { readonly reachable: readonly boolean[]; readonly isLocked: readonly boolean[] } | undefined {
  const held = new Map<LocationId, boolean>([[thread.initial, false]]);
  // Additions during the iteration are visited too.
  for (const [at, isHeld] of held)
    for (const { to, operation } of outgoing[at] ?? []) {
      // A thread waits for ever at a second `lock`, and at an `unlock` without the lock.
      if (operation.kind === (isHeld ? 'lock' : 'unlock')) continue;
      const next = operation.kind === 'lock' || (isHeld && operation.kind !== 'unlock');
      const known = held.get(to);
      if (known !== undefined && known !== next) return undefined;
      held.set(to, next);
    }
  return {
    reachable: thread.locations.map((_, location) => held.has(location)),
    isLocked: thread.locations.map((_, location) => held.get(location) === true),
  };
}

function isResting(outgoing: readonly OperationEdge[]): boolean {
  return !outgoing.every(({ operation }) => isLocalOperation(operation)) || mayBlock(outgoing);
}

/**
 * Whether a thread may get stuck at a location with these local edges leaving; true if the
 * conditions do not decide.
 */
function mayBlock(outgoing: readonly OperationEdge[]): boolean {
  const conditions: Expression[] = [];
  for (const { operation } of outgoing) {
    if (operation.kind === 'assume') conditions.push(operation.condition);
    else if (operation.kind !== 'choose' || !operation.condition) return false;
  }
  return !conditions.some((a, i) => conditions.slice(i + 1).some((b) => areOpposite(a, b)));
}

/**
 * Returns the locations at which a cycle closes that avoids lock blocks and resting places: the
 * targets of back edges of a depth-first search.
 */
function closesLocalCycle(
  outgoing: readonly (readonly OperationEdge[])[],
  places: ReadonlySet<LocationId>,
  isLocked: readonly boolean[],
): ReadonlySet<LocationId> {
  const found = new Set<LocationId>();
  const state = new Map<LocationId, 'open' | 'done'>();
  const visit = (location: LocationId): void => {
    state.set(location, 'open');
    for (const { to } of outgoing[location] ?? []) {
      if (places.has(to) || isLocked[to]) continue;
      const known = state.get(to);
      if (known === 'open') found.add(to);
      else if (known === undefined) visit(to);
    }
    state.set(location, 'done');
  };
  for (const location of outgoing.keys())
    if (!places.has(location) && !isLocked[location] && !state.has(location)) visit(location);
  return found;
}
